'use strict';
// Where VS Code comes in. The window waits for this file alone: it says which commands there are,
// and loads the rest in the turn after. Start reading in extension.js.
const vscode = require('vscode');

const SCHEME = 'postkit';
/** Of what other extensions get: rises when something is taken away or means something else. */
const VERSION = 1;

let loaded;

/**
 * @param {vscode.ExtensionContext} context
 * @returns {object} what other extensions may listen to (README.md)
 */
function activate(context) {
  const heard = { sent: new vscode.EventEmitter(), received: new vscode.EventEmitter() };
  const changed = new vscode.EventEmitter();
  loaded = new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(require('./extension').start(context, changed, heard));
      } catch (error) {
        reject(error);
      }
    });
  });
  // Who runs a command hears of it, too.
  loaded.catch(error => require('./window/messages').tell('error',
    `PostKit can't start: ${error.message}. Reinstall the extension, or report this.`));
  for (const { command } of context.extension.packageJSON.contributes.commands) {
    context.subscriptions.push(vscode.commands.registerCommand(
      command, async (...list) => (await loaded).commands[command](...list)));
  }
  // A window that is opened again may show responses before it knows anything else of us.
  context.subscriptions.push(heard.sent, heard.received, changed);
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri, token) => (await loaded).responses.text(uri, token),
  }));
  return Object.freeze({
    version: VERSION, onDidSend: heard.sent.event, onDidReceive: heard.received.event,
  });
}

/** VS Code waits for this, at most five seconds. */
function deactivate() {
  return loaded?.then(() => require('./extension').end(), () => {});
}

module.exports = { activate, deactivate };
