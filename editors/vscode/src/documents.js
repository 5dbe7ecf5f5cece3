'use strict';
// Keeps the server's copy of open documents equal to the editor's; its own documents are told of
// too, so that it offers actions there and tells when they have changed.
const vscode = require('vscode');
const convert = require('./convert');
const { ACTION_SELECTOR } = require('./features');

const INCREMENTAL = 2;

/** Sends open, change, save and close of `http` documents. */
class Documents {
  #client;
  #subscriptions;
  #open = new Set();
  #sendsRanges = true;

  /** @param {import('./client').Client} client */
  constructor(client) {
    this.#client = client;
    const { workspace } = vscode;
    client.on('ready', ({ capabilities }) => {
      const sync = capabilities.textDocumentSync;
      this.#sendsRanges = (sync?.change ?? sync) === INCREMENTAL;
      workspace.textDocuments.forEach(document => this.#opened(document));
    });
    client.on('stopped', () => this.#open.clear());
    this.#subscriptions = [
      workspace.onDidOpenTextDocument(document => this.#opened(document)),
      workspace.onDidChangeTextDocument(event => this.#changed(event)),
      workspace.onDidSaveTextDocument(document => this.#saved(document)),
      workspace.onDidCloseTextDocument(document => this.#closed(document)),
    ];
  }

  dispose() {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #opened(document) {
    if (!this.#client.isRunning || !vscode.languages.match(ACTION_SELECTOR, document)) return;
    const key = document.uri.toString();
    if (this.#open.has(key)) return;
    this.#open.add(key);
    this.#client.notify('textDocument/didOpen', {
      textDocument: {
        uri: key,
        languageId: document.languageId,
        version: document.version,
        text: document.getText(),
      },
    });
  }

  #changed({ document, contentChanges }) {
    if (contentChanges.length === 0 || !this.#open.has(document.uri.toString())) return;
    // VS Code orders them so that each range holds in the text the ones before it leave behind.
    const changes = this.#sendsRanges
      ? contentChanges.map(({ range, text }) => ({ range: convert.fromRange(range), text }))
      : [{ text: document.getText() }];
    this.#client.notify('textDocument/didChange', {
      textDocument: { ...convert.identifier(document), version: document.version },
      contentChanges: changes,
    });
  }

  #saved(document) {
    if (!this.#open.has(document.uri.toString())) return;
    this.#client.notify('textDocument/didSave', { textDocument: convert.identifier(document) });
  }

  #closed(document) {
    if (!this.#open.delete(document.uri.toString())) return;
    this.#client.notify('textDocument/didClose', { textDocument: convert.identifier(document) });
  }
}

module.exports = { Documents };
