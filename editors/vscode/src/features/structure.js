'use strict';
// What can be folded, and how a selection grows.
const vscode = require('vscode');
const convert = require('../convert');
const { SHOWN_SELECTOR } = require('../sync/selectors');

const FOLDING_KINDS = {
  comment: vscode.FoldingRangeKind.Comment,
  imports: vscode.FoldingRangeKind.Imports,
  region: vscode.FoldingRangeKind.Region,
};

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  const { foldingRangeProvider, selectionRangeProvider } = capabilities;
  return [
    foldingRangeProvider && vscode.languages.registerFoldingRangeProvider(SHOWN_SELECTOR, {
      provideFoldingRanges: async (document, _context, token) => {
        const textDocument = convert.identifier(document);
        const ranges = await ask('textDocument/foldingRange', { textDocument }, token);
        return ranges?.map(({ startLine, endLine, kind }) =>
          new vscode.FoldingRange(startLine, endLine, FOLDING_KINDS[kind]));
      },
    }),
    selectionRangeProvider && vscode.languages.registerSelectionRangeProvider(SHOWN_SELECTOR, {
      provideSelectionRanges: async (document, positions, token) => {
        const ranges = await ask('textDocument/selectionRange', {
          textDocument: convert.identifier(document),
          positions: positions.map(convert.fromPosition),
        }, token);
        return ranges?.map(selectionRange);
      },
    }),
  ].filter(Boolean);
}

function selectionRange({ range, parent }) {
  return new vscode.SelectionRange(convert.range(range), parent && selectionRange(parent));
}

module.exports = register;
