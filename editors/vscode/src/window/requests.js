'use strict';
// What the server asks of the window: messages, questions, documents to show, edits to make.
const vscode = require('vscode');
const convert = require('../convert');
const { workspaceEdit } = require('../convert/edits');
const { SCHEME } = require('./responses');

const LOG_METHODS = [null, 'error', 'warn', 'info', 'debug', 'trace'];
const SHOW_METHODS = [null, 'showErrorMessage', 'showWarningMessage', 'showInformationMessage'];

/**
 * Registers the handlers.
 * @param {import('../server/client').Client} client
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
  handlers.onRequest('workspace/applyEdit', params => applyEdit(params, log));
  handlers.onRequest('postkit/input', params => input(params));
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

/** `workspace/applyEdit`: what a command of the server writes. */
async function applyEdit({ edit, metadata }, log) {
  try {
    const isApplied = await vscode.workspace.applyEdit(
      workspaceEdit(edit), { isRefactoring: metadata?.isRefactoring });
    return isApplied ? { applied: true } : {
      applied: false,
      failureReason: 'VS Code took none of the edits: a file has changed or can not be written.',
    };
  } catch (error) {
    log.warn(`workspace/applyEdit: ${error.message}`);
    return { applied: false, failureReason: error.message };
  }
}

module.exports = { handleWindowRequests };
