'use strict';
// Where VS Code comes in. The window waits for this file alone: it says which commands there are,
// and loads the rest in the turn after. Start reading in extension.js.
const vscode = require('vscode');
const { Events } = require('./api');

const SCHEME = 'postkit';

let loaded;

/**
 * @param {vscode.ExtensionContext} context
 * @returns {object} what other extensions may listen to (README.md)
 */
function activate(context) {
  const events = new Events();
  const changed = new vscode.EventEmitter();
  loaded = new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(require('./extension').start(context, changed, events));
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
      command, async (...list) => (await loaded).commands[command](...list)));
  }
  // A window that is opened again may show responses before it knows anything else of us.
  context.subscriptions.push(events, changed, vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri, token) => (await loaded).responses.text(uri, token),
  }));
  return events.exports;
}

/** VS Code waits for this, at most five seconds. */
function deactivate() {
  return loaded?.then(() => require('./extension').end(), () => {});
}

module.exports = { activate, deactivate };
