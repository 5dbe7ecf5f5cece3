'use strict';
// Keeps the server's copy of open documents equal to the editor's; its own documents are told of
// too, so that it offers actions there and tells when they have changed.
const { EventEmitter } = require('events');
const vscode = require('vscode');
const convert = require('../convert');
const { SYNCHRONIZED_SELECTOR } = require('./selectors');

const INCREMENTAL = 2;

/**
 * Sends open, change, save and close of the documents that concern the server. Events: `opened`,
 * `changed` and `closed`, each with the document, once the server has been told.
 */
class Documents extends EventEmitter {
  #client;
  #subscriptions;
  /** By address. */
  #open = new Map();
  #sendsRanges = true;

  /** @param {import('../server/client').Client} client */
  constructor(client) {
    super();
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

  /** The documents that the server has. @returns {vscode.TextDocument[]} */
  get open() { return [...this.#open.values()]; }

  #opened(document) {
    if (!this.#client.isRunning
      || !vscode.languages.match(SYNCHRONIZED_SELECTOR, document)) return;
    const key = document.uri.toString();
    if (this.#open.has(key)) return;
    this.#open.set(key, document);
    this.#client.notify('textDocument/didOpen', {
      textDocument: {
        ...convert.identifier(document),
        languageId: document.languageId,
        version: document.version,
        text: document.getText(),
      },
    });
    this.emit('opened', document);
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
    this.emit('changed', document);
  }

  #saved(document) {
    if (!this.#open.has(document.uri.toString())) return;
    this.#client.notify('textDocument/didSave', { textDocument: convert.identifier(document) });
  }

  #closed(document) {
    if (!this.#open.delete(document.uri.toString())) return;
    this.#client.notify('textDocument/didClose', { textDocument: convert.identifier(document) });
    this.emit('closed', document);
  }
}

module.exports = { Documents };
