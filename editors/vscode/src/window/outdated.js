'use strict';
// The responses in sight when a request could not be sent: they are earlier ones, so they are shown
// in grey, below the reason. The next send takes that back.
const { EventEmitter } = require('events');
const vscode = require('vscode');
const { exchangeOf } = require('../convert/titles');
const { COLOR: FAILED } = require('./failures');

const GREY = 'disabledForeground';

/** Event: `changed`, with the reason, or with `null` when there is none any more. */
class Outdated extends EventEmitter {
  #reason = null;
  /** The addresses of the documents that are shown in grey. */
  #documents = new Set();
  #grey = vscode.window.createTextEditorDecorationType({ color: new vscode.ThemeColor(GREY) });
  #sentence = vscode.window.createTextEditorDecorationType({
    before: { color: new vscode.ThemeColor(FAILED), margin: '0 1em 0 0' },
  });
  #subscription = vscode.window.onDidChangeVisibleTextEditors(editors => this.#looked(editors));

  dispose() {
    for (const item of [this.#grey, this.#sentence, this.#subscription]) item.dispose();
  }

  /** No response came. @param {string} reason such as `Not sent: …` */
  say(reason) {
    this.#reason = reason.replace(/\s+/g, ' ');
    const { visibleTextEditors: editors } = vscode.window;
    this.#documents = new Set(editors.filter(({ document }) => exchangeOf(document.uri))
      .map(addressOf));
    this.#draw(editors);
    this.emit('changed', this.#reason);
  }

  /** Something is sent: what comes of it is told in its own way. */
  clear() {
    if (this.#reason === null) return;
    this.#reason = null;
    this.#documents.clear();
    this.#draw(vscode.window.visibleTextEditors);
    this.emit('changed', null);
  }

  /** Who opens one of them again wants to see that response. */
  #looked(editors) {
    if (this.#documents.size === 0) return;
    const seen = new Set(editors.map(addressOf));
    for (const key of this.#documents) if (!seen.has(key)) this.#documents.delete(key);
    this.#draw(editors);
  }

  #draw(editors) {
    for (const editor of editors) {
      const { document } = editor;
      if (!exchangeOf(document.uri)) continue;
      const isOutdated = this.#documents.has(addressOf(editor));
      const [first] = editor.visibleRanges;
      const top = document.lineAt(Math.min(first?.start.line ?? 0, document.lineCount - 1));
      const whole = new vscode.Range(
        new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
      editor.setDecorations(this.#grey, isOutdated ? [whole] : []);
      editor.setDecorations(this.#sentence, isOutdated ? [{ range: top.range,
        renderOptions: { before: { contentText: this.#reason } } }] : []);
    }
  }
}

const addressOf = ({ document }) => document.uri.toString();

module.exports = { Outdated };
