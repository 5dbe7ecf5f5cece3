'use strict';
// Diagnostics: asked for after every change where the server answers that (VS Code has no provider
// for them), else shown as it pushes them.
const vscode = require('vscode');
const convert = require('../convert');
const { ServerDiagnostic } = require('../convert/diagnostics');

/** The diagnostics of all documents that the server has. */
class Diagnostics {
  #ask;
  #documents;
  #collection = vscode.languages.createDiagnosticCollection('postkit');
  /** What the server advertises about being asked; `null` while nobody may ask. */
  #options = null;
  /** By address: the last result, and whether a question is on its way or has come too early. */
  #states = new Map();

  /**
   * @param {import('../server/client').Client} client
   * @param {import('../sync/documents').Documents} documents
   * @param {Function} ask see `Features`
   */
  constructor(client, documents, ask) {
    this.#ask = ask;
    this.#documents = documents;
    client.on('ready', ({ capabilities }) => {
      this.#options = capabilities.diagnosticProvider ?? null;
      this.#pullAll();
    });
    client.on('stopped', () => {
      this.#options = null;
      this.#states.clear();
      this.#collection.clear();
    });
    documents.on('opened', document => this.#pull(document));
    documents.on('changed', document => this.#pull(document));
    documents.on('closed', document => {
      this.#states.delete(document.uri.toString());
      this.#collection.delete(document.uri);
    });
    // What depends on other files the server asks for itself, when those have changed.
    client.handlers.onRequest('workspace/diagnostic/refresh', () => this.#pullAll());
    client.handlers.onNotification(
      'textDocument/publishDiagnostics', params => this.#pushed(params));
  }

  dispose() { this.#collection.dispose(); }

  /** Those of an older text are of no use: newer ones are on their way. */
  #pushed({ uri, version, diagnostics }) {
    const target = convert.uri(uri);
    const open = this.#documents.open.find(
      document => document.uri.toString() === target.toString());
    if (version !== undefined && open && open.version !== version) return;
    this.#show(target, diagnostics);
  }

  #pullAll() {
    for (const document of this.#documents.open) this.#pull(document);
  }

  /** One question at a time for each document: changes meanwhile make one more, not many. */
  async #pull(document) {
    if (!this.#options) return;
    const key = document.uri.toString();
    const known = this.#states.get(key);
    if (known?.isAsking) {
      known.isOutdated = true;
      return;
    }
    const state = known ?? { resultId: undefined };
    this.#states.set(key, state);
    state.isAsking = true;
    do {
      state.isOutdated = false;
      await this.#pullOnce(document, state);
    } while (state.isOutdated && this.#states.get(key) === state);
    state.isAsking = false;
  }

  async #pullOnce(document, state) {
    const { version } = document;
    const report = await this.#ask('textDocument/diagnostic', {
      textDocument: convert.identifier(document),
      identifier: this.#options?.identifier,
      previousResultId: state.resultId,
    });
    // Closed, or the server was started again: it is somebody else's turn.
    if (this.#states.get(document.uri.toString()) !== state) return;
    if (report?.kind !== 'full' || document.version !== version) return;
    state.resultId = report.resultId;
    this.#show(document.uri, report.items);
  }

  #show(uri, items) {
    this.#collection.set(uri, items.map(item => new ServerDiagnostic(item)));
  }
}

module.exports = { Diagnostics };
