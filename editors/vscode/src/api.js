'use strict';
// What other extensions hear of: that this window sends, and what came of it. They get where and
// how it ended, and the id by which the history has the rest; nothing of what was sent or received.
const vscode = require('vscode');

/** Rises when something is taken away or means something else. */
const VERSION = 1;

/** The line of a request, as far as it is known. */
const lineOf = line => line === undefined ? undefined : new vscode.Range(line, 0, line, 0);

/** The events, for who fires them; `exports` is what others get. */
class Events {
  #sent = new vscode.EventEmitter();
  #received = new vscode.EventEmitter();

  /** What `activate` answers, and `vscode.extensions.getExtension('postkit.postkit').exports` is. */
  exports = Object.freeze({
    version: VERSION, onDidSend: this.#sent.event, onDidReceive: this.#received.event,
  });

  dispose() {
    this.#sent.dispose();
    this.#received.dispose();
  }

  /** Something is about to be sent. @param {{uri?: string, position?: object, range?: object}} of */
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
