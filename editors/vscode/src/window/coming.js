'use strict';
// A response while it comes: a stream of text is shown as it does, in the panel where responses
// open there, else as its document. Of other texts there is nothing to be shown yet.
const { nameResponse, titleOf } = require('../convert/titles');
const { responseUri } = require('./render');

/** What comes of one send. */
class Coming {
  #responses;
  #started = {};
  #status = null;
  #summary;
  #stream;
  /** Settles once what is shown is shown. @type {Promise<void> | undefined} */
  shown;

  /** @param {import('./responses').Responses} responses */
  constructor(responses) { this.#responses = responses; }

  /** Takes a partial result of `postkit/send`. */
  take(part) {
    if (part.kind === 'started') {
      // Of many requests the next one has a turn of its own.
      this.end();
      this.#started = part;
      this.#status = null;
    }
    if (part.kind === 'head') ({ status: this.#status, summary: this.#summary } = part);
    if (part.text !== undefined) this.#show();
    this.#stream?.take(part);
  }

  /** Nothing more comes. @param {string} [words] how it ended */
  end(words = 'Not completed') {
    this.#stream?.end(words);
    this.#stream = undefined;
  }

  #show() {
    if (this.#stream || this.shown) return;
    const { id, method, url } = this.#started;
    nameResponse(id, titleOf({ method, url, response: { status: this.#status } }));
    this.#stream = this.#responses.watch({ method, url, summary: this.#summary });
    if (!this.#stream) this.shown = this.#responses.show(responseUri(id)).catch(() => {});
  }
}

module.exports = { Coming };
