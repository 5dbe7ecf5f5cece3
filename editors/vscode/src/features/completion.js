'use strict';
// Completion, and the help while a function's arguments are typed.
const vscode = require('vscode');
const convert = require('../convert');
const { SELECTOR } = require('../sync/selectors');

const SNIPPET = 2;
/** `InsertTextMode.asIs`: VS Code would indent the lines of what is inserted. */
const AS_IS = 1;

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  const { completionProvider: completion, signatureHelpProvider: signatures } = capabilities;
  return [
    completion && vscode.languages.registerCompletionItemProvider(SELECTOR,
      completionProvider(completion, ask), ...(completion.triggerCharacters ?? [])),
    signatures && vscode.languages.registerSignatureHelpProvider(SELECTOR, signatureProvider(ask), {
      triggerCharacters: signatures.triggerCharacters ?? [],
      retriggerCharacters: signatures.retriggerCharacters ?? [],
    }),
  ].filter(Boolean);
}

function completionProvider({ resolveProvider }, ask) {
  return {
    provideCompletionItems: async (document, position, token, context) => completionList(
      await ask('textDocument/completion', {
        ...convert.place(document, position),
        context: {
          triggerKind: context.triggerKind + 1,
          triggerCharacter: context.triggerCharacter,
        },
      }, token)),
    resolveCompletionItem: resolveProvider && (async (item, token) => {
      const value = await ask('completionItem/resolve', item.original, token);
      return value ? applyResolved(item, value) : item;
    }),
  };
}

/** A list of the protocol, with its item defaults, as VS Code's. */
function completionList(result) {
  if (!result) return undefined;
  const list = Array.isArray(result) ? { items: result } : result;
  const items = list.items.map(item => completionItem(withDefaults(item, list.itemDefaults ?? {})));
  return new vscode.CompletionList(items, list.isIncomplete ?? false);
}

function withDefaults(item, defaults) {
  const full = { ...item };
  for (const name of ['commitCharacters', 'insertTextFormat', 'insertTextMode', 'data']) {
    full[name] ??= defaults[name];
  }
  if (!full.textEdit && defaults.editRange) {
    const ranges = defaults.editRange.insert ? defaults.editRange : { range: defaults.editRange };
    full.textEdit = { ...ranges, newText: item.textEditText ?? item.label };
  }
  return full;
}

function completionItem(value) {
  const item = new vscode.CompletionItem(
    value.labelDetails ? { label: value.label, ...value.labelDetails } : value.label,
    value.kind ? value.kind - 1 : undefined);
  item.original = value;
  for (const name of ['sortText', 'filterText', 'preselect', 'commitCharacters', 'tags']) {
    item[name] = value[name];
  }
  const text = value.textEdit?.newText ?? value.insertText;
  if (text !== undefined) {
    item.insertText = value.insertTextFormat === SNIPPET ? new vscode.SnippetString(text) : text;
  }
  if (value.textEdit?.range) {
    item.range = convert.range(value.textEdit.range);
  } else if (value.textEdit) {
    item.range = {
      inserting: convert.range(value.textEdit.insert),
      replacing: convert.range(value.textEdit.replace),
    };
  }
  if (value.insertTextMode === AS_IS) item.keepWhitespace = true;
  item.command = convert.command(value.command);
  return applyResolved(item, value);
}

/** Sets the parts that `completionItem/resolve` may fill in later. */
function applyResolved(item, value) {
  item.detail = value.detail;
  item.documentation = convert.documentation(value.documentation);
  item.additionalTextEdits = value.additionalTextEdits?.map(convert.textEdit);
  return item;
}

function signatureProvider(ask) {
  return {
    provideSignatureHelp: async (document, position, token, context) => {
      const { triggerKind, triggerCharacter, isRetrigger, activeSignatureHelp } = context;
      const result = await ask('textDocument/signatureHelp', {
        ...convert.place(document, position),
        context: {
          triggerKind,
          triggerCharacter,
          isRetrigger,
          activeSignatureHelp: activeSignatureHelp?.original && {
            ...activeSignatureHelp.original, activeSignature: activeSignatureHelp.activeSignature,
          },
        },
      }, token);
      return result?.signatures.length ? signatureHelp(result) : undefined;
    },
  };
}

function signatureHelp(value) {
  const help = new vscode.SignatureHelp();
  help.signatures = value.signatures.map(item => {
    const signature = new vscode.SignatureInformation(
      item.label, convert.documentation(item.documentation));
    signature.parameters = (item.parameters ?? []).map(parameter =>
      new vscode.ParameterInformation(
        parameter.label, convert.documentation(parameter.documentation)));
    signature.activeParameter = item.activeParameter ?? undefined;
    return signature;
  });
  help.activeSignature = value.activeSignature ?? 0;
  help.activeParameter = value.activeParameter ?? 0;
  help.original = value;
  return help;
}

module.exports = register;
