'use strict';
// What the server asks of the window: messages, questions, documents to show, edits to make.
const vscode = require('vscode');
const convert = require('../convert');
const { workspaceEdit } = require('../convert/edits');
const { tell } = require('./messages');
const { SCHEME } = require('./responses');

const LOG_METHODS = [null, 'error', 'warn', 'info', 'debug', 'trace'];
/** The button of the server's questions that means the same as closing them. */
const CANCEL = 'Cancel';
/** Those that are a no; one that is no `CANCEL` is remembered, so that closing isn't the same. */
const REFUSALS = [CANCEL, "Don't trust it"];
const WARNING = 2;
const SEVERITIES = [null, 'error', 'warning', 'info'];

/**
 * Registers the handlers.
 * @param {import('../server/client').Client} client
 * @param {import('./responses').Responses} responses
 * @param {vscode.LogOutputChannel} log
 * @param {() => void} onDeclined called when somebody closes a question, or says no
 */
function handleWindowRequests(client, responses, log, onDeclined) {
  const { handlers } = client;
  handlers.onNotification('window/logMessage', ({ type, message }) => {
    log[LOG_METHODS[type] ?? 'info'](message);
  });
  handlers.onNotification('window/showMessage', ({ type, message }) => {
    const severity = SEVERITIES[type];
    if (severity) tell(severity, message);
    else log.info(message);
  });
  handlers.onRequest('window/showMessageRequest', async ({ type, message, actions = [] }) => {
    // A question whether to go on must not vanish among the notifications, which it would after
    // some seconds; and Enter and Escape answer it.
    const options = { modal: type === WARNING };
    const items = actions.map(
      action => ({ title: action.title, isCloseAffordance: action.title === CANCEL }));
    const choice = await tell(SEVERITIES[type] ?? 'info', message, options, ...items);
    if (!choice || REFUSALS.includes(choice.title)) onDeclined();
    return actions[items.indexOf(choice)];
  });
  handlers.onRequest('window/showDocument', params => showDocument(params, responses, log));
  handlers.onRequest('workspace/applyEdit', params => applyEdit(params, log));
  handlers.onRequest('postkit/input', async params => {
    const answer = await input(params);
    if (!answer) onDeclined();
    return answer;
  });
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
      const choice = await tell('warning', title, { modal: true }, yes);
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
      failureReason: 'VS Code applied no edit: a file has changed or is read-only.',
    };
  } catch (error) {
    log.warn(`workspace/applyEdit: ${error.message}`);
    return { applied: false, failureReason: error.message };
  }
}

module.exports = { handleWindowRequests };
