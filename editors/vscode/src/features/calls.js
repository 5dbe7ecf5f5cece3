'use strict';
// Which requests need the answers of which: as a call hierarchy.
const vscode = require('vscode');
const convert = require('../convert');
const { SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  if (!capabilities.callHierarchyProvider) return [];
  return [vscode.languages.registerCallHierarchyProvider(SELECTOR, {
    prepareCallHierarchy: async (document, position, token) => {
      const items = await ask(
        'textDocument/prepareCallHierarchy', convert.place(document, position), token);
      return items?.map(hierarchyItem);
    },
    provideCallHierarchyIncomingCalls: async (item, token) => {
      const calls = await ask('callHierarchy/incomingCalls', { item: item.original }, token);
      return calls?.map(({ from, fromRanges }) => new vscode.CallHierarchyIncomingCall(
        hierarchyItem(from), fromRanges.map(convert.range)));
    },
    provideCallHierarchyOutgoingCalls: async (item, token) => {
      const calls = await ask('callHierarchy/outgoingCalls', { item: item.original }, token);
      return calls?.map(({ to, fromRanges }) => new vscode.CallHierarchyOutgoingCall(
        hierarchyItem(to), fromRanges.map(convert.range)));
    },
  })];
}

function hierarchyItem(value) {
  const item = new vscode.CallHierarchyItem(value.kind - 1, value.name, value.detail ?? '',
    convert.uri(value.uri), convert.range(value.range), convert.range(value.selectionRange));
  item.tags = value.tags;
  item.original = value;
  return item;
}

module.exports = register;
