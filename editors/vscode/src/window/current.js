'use strict';
// The request file somebody works on: the active one, or the last that was while others are looked
// at. What is shown of it beside the text (environment, variables) stays as long as it is open.
const { EventEmitter } = require('events');
const vscode = require('vscode');
const { SELECTOR } = require('../sync/selectors');

/** As long as the cursor moves on, nobody asks what counts at its place. */
const MOVING_MILLISECONDS = 200;

/** Events: `document` when it is another one or none, `place` when the cursor came to rest. */
class Current extends EventEmitter {
  #document;
  #position = new vscode.Position(0, 0);
  #timer;
  #subscriptions;

  constructor() {
    super();
    this.#take(vscode.window.activeTextEditor);
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(editor => this.#take(editor)),
      vscode.workspace.onDidCloseTextDocument(document => this.#closed(document)),
      // It may have become a request file, or be one no more.
      vscode.workspace.onDidOpenTextDocument(() => this.#take(vscode.window.activeTextEditor)),
      vscode.window.onDidChangeTextEditorSelection(event => this.#moved(event)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document === this.#document && contentChanges.length) this.#restSoon();
      }),
    ];
  }

  dispose() {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** The request file, where one is open. @returns {vscode.TextDocument | undefined} */
  get document() { return this.#document; }

  /** Where its cursor was last. @returns {vscode.Position} */
  get position() { return this.#position; }

  #take(editor) {
    if (!editor || !vscode.languages.match(SELECTOR, editor.document)) return;
    this.#position = editor.selection.active;
    if (editor.document === this.#document) return;
    this.#document = editor.document;
    this.emit('document');
  }

  #closed(document) {
    if (document !== this.#document) return;
    this.#document = vscode.workspace.textDocuments.findLast(
      other => other !== document && !other.isClosed && vscode.languages.match(SELECTOR, other));
    this.#position = new vscode.Position(0, 0);
    this.emit('document');
  }

  #moved({ textEditor, selections: [{ active }] }) {
    if (textEditor.document !== this.#document) return;
    const isSameLine = active.line === this.#position.line;
    this.#position = active;
    if (!isSameLine) this.#restSoon();
  }

  #restSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.emit('place'), MOVING_MILLISECONDS);
  }
}

module.exports = { Current };
