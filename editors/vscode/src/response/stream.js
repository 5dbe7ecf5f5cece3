'use strict';
// A response while it comes, in the response panel: its page says what it knows in pieces, so that
// much that comes costs the window little. Knows nothing of VS Code.
const { describeLive } = require('../window/render');
const { policy } = require('./policy');
const { html, trusted } = require('./html');

/** As often as somebody reads anew. */
const SAY_MILLISECONDS = 100;
/** The end of the text that is kept for a page that opens late, or again. */
const KEPT_CHARACTERS = 256 << 10;

/** What has come of one response, told to whoever shows it. */
class Stream {
  /** @type {string} */
  title;
  #say;
  #about;
  #began = Date.now();
  #summary;
  #text = '';
  #untold = '';
  #isCut = false;
  #isReady = false;
  #timer;

  /**
   * @param {{method: string, url: string, summary?: string}} about what is known of it so far
   * @param {(message: object) => void} say tells the page
   */
  constructor(about, say) {
    this.#about = about;
    this.#say = say;
    this.#summary = about.summary;
    this.title = `${about.method} …`;
  }

  /** The page. @param {{nonce: string, style: string, script: string}} own see `page.js` */
  page({ nonce, style, script }) {
    const { method, url } = this.#about;
    return html`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${method} ${url}</title>
<style nonce="${nonce}">${trusted(style)}</style></head>
<body aria-busy="true">
<header><h1><span class="method">${method}</span> ${url}</h1>
<p class="outcome"><span id="outcome">${this.#words()}</span></p>
<div role="toolbar" aria-label="Response"><button data-act="cancel">Cancel</button></div></header>
<main><p id="cut" class="note" hidden>The beginning is left out here; it is kept.</p>
<pre id="text" class="body" tabindex="0" aria-label="The response so far"></pre></main>
<script nonce="${nonce}">${trusted(script)}</script>
</body></html>`.text;
  }

  /** Takes a partial result of `postkit/send`. */
  take({ kind, summary, text }) {
    if (kind !== 'data') return;
    this.#summary = summary ?? this.#summary;
    if (text !== undefined) {
      // A page that is not there yet is told all at once.
      if (this.#isReady) this.#untold += text;
      this.#text += text;
      this.#isCut ||= this.#text.length > KEPT_CHARACTERS;
      // Cut off now and then, as to do it each time would copy all of it each time.
      if (this.#text.length > 2 * KEPT_CHARACTERS) this.#text = this.#text.slice(-KEPT_CHARACTERS);
    }
    this.#timer ??= setTimeout(() => this.#tell(), SAY_MILLISECONDS);
  }

  /** The page is there, for the first time or again, and knows nothing yet. */
  ready() {
    this.#isReady = true;
    this.#untold = '';
    this.#say({ act: 'whole', text: this.#text.slice(-KEPT_CHARACTERS), isCut: this.#isCut,
      words: this.#words() });
  }

  /** Nothing more comes. @param {string} [words] how it ended */
  end(words) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isReady && words) {
      this.#say({ act: 'more', text: this.#untold, words, isOver: true });
    }
    this.#isReady = false;
  }

  #tell() {
    this.#timer = undefined;
    if (!this.#isReady) return;
    const text = this.#untold.slice(-KEPT_CHARACTERS);
    this.#untold = '';
    this.#say({ act: 'more', text, words: this.#words() });
  }

  #words() { return describeLive({ ms: Date.now() - this.#began, summary: this.#summary }); }
}

module.exports = { KEPT_CHARACTERS, Stream };
