'use strict';
// The outline of a request file or a response, and names across the workspace.
const vscode = require('vscode');
const convert = require('../convert');
const { SHOWN_SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  const workspace = capabilities.workspaceSymbolProvider;
  return [
    capabilities.documentSymbolProvider && vscode.languages.registerDocumentSymbolProvider(
      SHOWN_SELECTOR, {
        provideDocumentSymbols: async (document, token) => {
          const textDocument = convert.identifier(document);
          const symbols = await ask('textDocument/documentSymbol', { textDocument }, token);
          return symbols?.map(documentSymbol);
        },
      }),
    workspace && vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async (query, token) => {
        const symbols = await ask('workspace/symbol', { query }, token);
        return symbols?.map(workspaceSymbol);
      },
      resolveWorkspaceSymbol: workspace.resolveProvider && (async (symbol, token) => {
        const value = await ask('workspaceSymbol/resolve', symbol.original, token);
        return value ? workspaceSymbol(value) : symbol;
      }),
    }),
  ].filter(Boolean);
}

function documentSymbol(value) {
  const symbol = new vscode.DocumentSymbol(value.name, value.detail ?? '', value.kind - 1,
    convert.range(value.range), convert.range(value.selectionRange));
  symbol.tags = value.tags;
  symbol.children = (value.children ?? []).map(documentSymbol);
  return symbol;
}

/** Its range may be missing until it is resolved: VS Code does that when it is chosen. */
function workspaceSymbol(value) {
  const { uri, range } = value.location;
  const place = new vscode.Location(convert.uri(uri), range && convert.range(range));
  const symbol = new vscode.SymbolInformation(
    value.name, value.kind - 1, value.containerName ?? '', place);
  symbol.tags = value.tags;
  symbol.original = value;
  return symbol;
}

module.exports = register;
