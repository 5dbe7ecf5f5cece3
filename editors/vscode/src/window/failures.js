'use strict';
// The colour of failures: VS Code draws all hints in one colour, so a sign in that of errors stands
// before the result of a request that failed, and in the ruler at the scroll bar.
const vscode = require('vscode');
const { shiftLine } = require('./render');

const COLOR = 'editorError.foreground';
const SIGN = '✗';

/** The signs of all documents. */
class Failures {
  /** By address: the request lines whose last result is a failure. @type {Map<string, number[]>} */
  #lines = new Map();
  #decoration = vscode.window.createTextEditorDecorationType({
    after: { contentText: SIGN, color: new vscode.ThemeColor(COLOR), margin: '0 0 0 1em' },
    overviewRulerColor: new vscode.ThemeColor(COLOR),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  #subscriptions = [
    vscode.window.onDidChangeVisibleTextEditors(() => {
      for (const key of this.#lines.keys()) this.#draw(key);
    }),
    vscode.workspace.onDidChangeTextDocument(event => this.#follow(event)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#lines.delete(uri.toString())),
  ];

  dispose() {
    for (const item of [this.#decoration, ...this.#subscriptions]) item.dispose();
  }

  /**
   * Takes what the hints of a part of a document say.
   * @param {vscode.TextDocument} document
   * @param {vscode.Range} range the part
   * @param {number[]} lines those in it whose result is a failure
   */
  take({ uri }, range, lines) {
    const key = uri.toString();
    const others = (this.#lines.get(key) ?? []).filter(
      line => line < range.start.line || line > range.end.line);
    this.#lines.set(key, [...others, ...lines]);
    this.#draw(key);
  }

  /** Nothing is known of any document. */
  clear() {
    const keys = [...this.#lines.keys()];
    this.#lines.clear();
    for (const key of keys) this.#draw(key);
  }

  #draw(key) {
    const lines = this.#lines.get(key) ?? [];
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (document.uri.toString() !== key) continue;
      // Behind a range that is not empty VS Code draws before its hints, else after them.
      editor.setDecorations(this.#decoration, lines.filter(line => line < document.lineCount)
        .map(line => ({ range: document.lineAt(line).range })));
    }
  }

  #follow({ document, contentChanges }) {
    const key = document.uri.toString();
    const lines = this.#lines.get(key);
    if (!lines?.length) return;
    this.#lines.set(key, lines.map(line => shiftLine(line, contentChanges)));
  }
}

module.exports = { COLOR, Failures };
