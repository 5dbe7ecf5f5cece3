'use strict';
// What scripts print, in a channel of its own that opens when somebody chooses it.
const path = require('path');
const vscode = require('vscode');
const { describeOutput } = require('./render');

/** Shows what scripts print. */
class ScriptOutput {
  #channel;

  /** @param {import('../server/client').Client} client */
  constructor(client) {
    client.handlers.onNotification('postkit/didPrint', printed => this.#show(printed));
  }

  dispose() {
    this.#channel?.dispose();
  }

  #show(printed) {
    // Whoever has no scripts has no channel for them.
    this.#channel ??= vscode.window.createOutputChannel('PostKit Scripts');
    const name = path.posix.basename(vscode.Uri.parse(printed.uri).path);
    const place = printed.line === undefined ? name : `${name}:${printed.line + 1}`;
    this.#channel.appendLine(`${place}: ${describeOutput(printed)}`);
  }
}

module.exports = { ScriptOutput };
