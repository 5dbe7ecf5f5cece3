'use strict';
// The statistics panel: a web view with the figures of what the history was searched for.
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const vscode = require('vscode');
const { tellFailure } = require('../window/telling');

const VIEW_TYPE = 'postkit.statistics';
const MEDIA = path.join(__dirname, '..', '..', 'media');
const NONCE_BYTES = 18;
/** Changes of the history come in bursts. */
const REFRESH_MILLISECONDS = 500;

const formatTime = time =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** One panel for all figures. */
class StatisticsPanel {
  #client;
  #open;
  #panel;
  #files = new Map();
  #line = '';
  #by = 'request';
  #isStale = false;
  #timer;
  /** Counts what was asked, so that a slow answer doesn't replace a newer one. */
  #turn = 0;
  /** The lines that the page shows. */
  #lines = [];

  /**
   * @param {import('../server/client').Client} client
   * @param {(line: string) => void} open shows in the history what a line finds
   */
  constructor(client, open) {
    this.#client = client;
    this.#open = open;
    client.handlers.onNotification('postkit/didChangeStore', ({ scopes }) => {
      if (scopes.includes('history')) this.#refresh();
    });
  }

  dispose() {
    clearTimeout(this.#timer);
    this.#panel?.dispose();
  }

  /** Shows the figures of what a line finds; of an empty one, of all. @param {string} line */
  async show(line) {
    this.#line = line;
    await this.#fill();
    this.#panel?.reveal();
  }

  async #fill() {
    const turn = ++this.#turn;
    const [line, by] = [this.#line, this.#by];
    const { rows, summary } = await this.#client.request(
      'postkit/statistics', { by, ...line ? { filter: { line } } : {} });
    if (turn !== this.#turn) return;
    // Loaded when it is needed: activation waits for nothing that is not.
    const { page } = require('./page');
    const panel = this.#panel ??= this.#create();
    this.#isStale = false;
    this.#lines = rows.map(row => row.line);
    panel.webview.html = page({ by, line, rows, summary }, this.#own());
  }

  /** Asks anew; what nobody looks at is asked for when somebody does. */
  #refresh() {
    if (!this.#panel) return;
    this.#isStale = true;
    if (!this.#panel.visible) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // The list of the history says what is wrong.
      this.#fill().catch(() => {});
    }, REFRESH_MILLISECONDS);
  }

  #create() {
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Statistics',
      { viewColumn: vscode.ViewColumn.Active },
      { enableScripts: true, localResourceRoots: [], enableCommandUris: false,
        enableFindWidget: true });
    panel.onDidDispose(() => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#panel = undefined;
      this.#turn += 1;
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible && this.#isStale) this.#refresh();
    });
    panel.webview.onDidReceiveMessage(message => this.#act(message).catch(tellFailure));
    return panel;
  }

  /** A button of the page. Lines are taken only where the page shows them. */
  async #act({ act, by, line }) {
    if (act === 'filter' && line !== undefined && this.#lines.includes(line)) this.#open(line);
    const { KEYS } = require('./page');
    if (act !== 'by' || !Object.hasOwn(KEYS, by)) return;
    this.#by = by;
    await this.#fill();
  }

  /** What a page has of ours: its style and script, and a fresh random word that names them. */
  #own() {
    const read = name => {
      if (!this.#files.has(name)) {
        this.#files.set(name, fs.readFileSync(path.join(MEDIA, name), 'utf8'));
      }
      return this.#files.get(name);
    };
    const nonce = crypto.randomBytes(NONCE_BYTES).toString('base64');
    return { nonce, style: read('panel.css'), script: read('statistics.js'), formatTime };
  }
}

module.exports = { StatisticsPanel };
