'use strict';
// Completion lists of the protocol, with their item defaults, as VS Code's.
const vscode = require('vscode');
const convert = require('./convert');

const SNIPPET = 2;

/** @param {object | object[] | null} result of `textDocument/completion` */
function completionList(result) {
  if (!result) return undefined;
  const list = Array.isArray(result) ? { items: result } : result;
  const items = list.items.map(item => completionItem(withDefaults(item, list.itemDefaults ?? {})));
  return new vscode.CompletionList(items, list.isIncomplete ?? false);
}

function withDefaults(item, defaults) {
  const full = { ...item };
  for (const name of ['commitCharacters', 'insertTextFormat', 'data']) {
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
  item.command = convert.command(value.command);
  applyResolved(item, value);
  return item;
}

/** Sets the parts that `completionItem/resolve` may fill in later. */
function applyResolved(item, value) {
  item.detail = value.detail;
  item.documentation = convert.documentation(value.documentation);
  item.additionalTextEdits = value.additionalTextEdits?.map(convert.textEdit);
  return item;
}

module.exports = { completionList, applyResolved };
