'use strict';
// What the server asks of the window: messages, questions, documents to show, progress.
const vscode = require('vscode');
const convert = require('./convert');
const { SCHEME } = require('./responses');

const LOG_METHODS = [null, 'error', 'warn', 'info', 'debug', 'trace'];
const SHOW_METHODS = [null, 'showErrorMessage', 'showWarningMessage', 'showInformationMessage'];

/**
 * Registers the handlers.
 * @param {import('./client').Client} client
 * @param {import('./responses').Responses} responses
 * @param {vscode.LogOutputChannel} log
 */
function handleWindowRequests(client, responses, log) {
  const { handlers } = client;
  handlers.onNotification('window/logMessage', ({ type, message }) => {
    log[LOG_METHODS[type] ?? 'info'](message);
  });
  handlers.onNotification('window/showMessage', ({ type, message }) => {
    const show = SHOW_METHODS[type];
    if (show) vscode.window[show](message);
    else log.info(message);
  });
  handlers.onRequest('window/showMessageRequest', ({ type, message, actions = [] }) =>
    vscode.window[SHOW_METHODS[type] ?? SHOW_METHODS[3]](message, ...actions));
  handlers.onRequest('window/showDocument', params => showDocument(params, responses, log));
  handlers.onRequest('postkit/input', params => input(params));
  handleProgress(client);
}

/** The folders of the window in protocol form; `null` when no folder is open. */
function workspaceFolders() {
  return vscode.workspace.workspaceFolders?.map(
    ({ uri, name }) => ({ uri: uri.toString(), name })) ?? null;
}

async function showDocument({ uri, external, takeFocus, selection }, responses, log) {
  try {
    const target = convert.uri(uri);
    if (external) return { success: await vscode.env.openExternal(target) };
    if (target.scheme === SCHEME) {
      await responses.show(uri, { takeFocus, selection });
    } else {
      await vscode.window.showTextDocument(target, {
        viewColumn: takeFocus ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside,
        preserveFocus: !takeFocus,
        selection: selection && convert.range(selection),
      });
    }
    return { success: true };
  } catch (error) {
    log.warn(`can't show ${uri}: ${error.message}`);
    return { success: false };
  }
}

/** `postkit/input`: asks for a value; `null` means the user backed out. */
async function input({ title, kind, default: initial, options = [] }) {
  const value = await inputByKind(kind, title, initial, options);
  return value === undefined ? null : { value };
}

async function inputByKind(kind, title, initial, options) {
  switch (kind) {
    case 'select':
      return vscode.window.showQuickPick(options, { title, ignoreFocusOut: true });
    case 'confirm': {
      const yes = 'Yes';
      const choice = await vscode.window.showWarningMessage(title, { modal: true }, yes);
      return choice === yes ? 'true' : undefined;
    }
    default:
      return vscode.window.showInputBox({
        title, value: initial, password: kind === 'password', ignoreFocusOut: true,
      });
  }
}

/** Progress the server starts by itself runs in the status bar; a send has its own notification. */
function handleProgress(client) {
  const running = new Map();
  const end = token => {
    running.get(token)?.end();
    running.delete(token);
  };
  client.on('stopped', () => [...running.keys()].forEach(end));
  client.handlers.onRequest('window/workDoneProgress/create', () => null);
  client.handlers.onNotification('$/progress', ({ token, value }) => {
    switch (value.kind) {
      case 'begin':
        return running.set(token, beginProgress(value));
      case 'report':
        return running.get(token)?.report(value.message);
      case 'end':
        return end(token);
      default:
        return undefined;
    }
  });
}

function beginProgress({ title, message }) {
  const progress = {};
  const options = { location: vscode.ProgressLocation.Window, title };
  vscode.window.withProgress(options, display => {
    progress.report = text => display.report({ message: text });
    progress.report(message);
    return new Promise(resolve => { progress.end = resolve; });
  });
  return progress;
}

module.exports = { handleWindowRequests, workspaceFolders };
