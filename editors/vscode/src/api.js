'use strict';
// What other extensions hear of: that this window sends, and what came of it. They get where and
// how it ended, and the id by which the history has the rest; nothing of what was sent or received.
const vscode = require('vscode');

/** The line of a request, as far as it is known. */
const lineOf = line => line === undefined ? undefined : new vscode.Range(line, 0, line, 0);

/** The events, for who fires them; `activation.js` made them, and gives them to who listens. */
class Events {
  #sent;
  #received;

  /** @param {{sent: vscode.EventEmitter, received: vscode.EventEmitter}} heard */
  constructor({ sent, received }) {
    this.#sent = sent;
    this.#received = received;
  }

  /**
   * Something is about to be sent.
   * @param {{uri?: string, position?: object, range?: object}} target
   */
  sent({ uri, position, range } = {}) {
    const place = range ? new vscode.Range(range.start.line, range.start.character,
      range.end.line, range.end.character) : lineOf(position?.line);
    this.#sent.fire(Object.freeze({ uri: uri && vscode.Uri.parse(uri, true), range: place }));
  }

  /** A request is over. @param {object} result of `postkit/send` @param {string} [uri] its file */
  received({ id, state, status, line }, uri) {
    if (!id) return;
    this.#received.fire(Object.freeze({ id, state, status: status ?? undefined,
      uri: uri && vscode.Uri.parse(uri, true), range: uri ? lineOf(line) : undefined }));
  }
}

module.exports = { Events };
