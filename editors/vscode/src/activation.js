'use strict';
// Where VS Code comes in. The window waits for this file alone: it says which commands there are,
// and loads the rest in the turn after. Start reading in extension.js.
const vscode = require('vscode');

let loaded;

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  loaded = new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(require('./extension').start(context));
      } catch (error) {
        reject(error);
      }
    });
  });
  // Who runs a command hears of it, too.
  loaded.catch(error => vscode.window.showErrorMessage(
    `PostKit can not start: ${error.message}. Install the extension again, or report this.`));
  for (const { command } of context.extension.packageJSON.contributes.commands) {
    context.subscriptions.push(vscode.commands.registerCommand(
      command, async (...list) => (await loaded)[command](...list)));
  }
}

/** VS Code waits for this, at most five seconds. */
function deactivate() {
  return loaded?.then(() => require('./extension').end(), () => {});
}

module.exports = { activate, deactivate };
