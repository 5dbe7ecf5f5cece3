'use strict';
// Code actions: the light bulb.
const vscode = require('vscode');
const convert = require('../convert');
const { ServerDiagnostic } = require('../convert/diagnostics');
const { StaleEdit, workspaceEdit } = require('../convert/edits');
const { SHOWN_SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  const options = capabilities.codeActionProvider;
  if (!options) return [];
  const kinds = options.codeActionKinds?.map(kind => vscode.CodeActionKind.Empty.append(kind));
  return [vscode.languages.registerCodeActionsProvider(SHOWN_SELECTOR, provider(options, ask),
    kinds && { providedCodeActionKinds: kinds })];
}

function provider({ resolveProvider }, ask) {
  return {
    provideCodeActions: async (document, range, context, token) => {
      const actions = await ask('textDocument/codeAction', {
        textDocument: convert.identifier(document),
        range: convert.fromRange(range),
        context: {
          diagnostics: context.diagnostics.filter(
            item => item instanceof ServerDiagnostic).map(item => item.original),
          only: context.only && [context.only.value],
          triggerKind: context.triggerKind,
        },
      }, token);
      return actions?.map(codeAction);
    },
    resolveCodeAction: resolveProvider && (async (action, token) => {
      const value = action.original?.data
        && await ask('codeAction/resolve', action.original, token);
      if (value?.edit) setEdit(action, value.edit);
      if (value?.command) action.command = convert.command(value.command);
      return action;
    }),
  };
}

/** @returns {vscode.CodeAction} a bare command becomes an action too */
function codeAction(value) {
  const action = new vscode.CodeAction(value.title,
    value.kind ? vscode.CodeActionKind.Empty.append(value.kind) : undefined);
  const isBareCommand = typeof value.command === 'string';
  action.isPreferred = value.isPreferred;
  action.disabled = value.disabled;
  action.command = convert.command(isBareCommand ? value : value.command);
  if (value.edit) setEdit(action, value.edit);
  if (value.diagnostics) {
    action.diagnostics = value.diagnostics.map(item => new ServerDiagnostic(item));
  }
  action.original = value;
  return action;
}

/** An edit for a text that is gone makes an action that can't be chosen and says why. */
function setEdit(action, edit) {
  try {
    action.edit = workspaceEdit(edit);
  } catch (error) {
    if (!(error instanceof StaleEdit)) throw error;
    action.disabled = { reason: error.message };
  }
}

module.exports = register;
