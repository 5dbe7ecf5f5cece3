'use strict';
// Semantic tokens: what the grammar can't know, such as whether a variable has a value.
const vscode = require('vscode');
const convert = require('../convert');
const { SHOWN_SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask, changed }) {
  const options = capabilities.semanticTokensProvider;
  if (!options) return [];
  const { languages } = vscode;
  const legend = new vscode.SemanticTokensLegend(
    options.legend.tokenTypes, options.legend.tokenModifiers);
  const tokens = async (method, document, more, token) => {
    const textDocument = convert.identifier(document);
    const result = await ask(method, { textDocument, ...more }, token);
    // Taken as an answer, nothing would wipe the colours away; this keeps them for now.
    if (!result) throw new vscode.CancellationError();
    return result;
  };
  return [
    options.full && languages.registerDocumentSemanticTokensProvider(SHOWN_SELECTOR, {
      onDidChangeSemanticTokens: changed.tokens,
      provideDocumentSemanticTokens: async (document, token) =>
        all(await tokens('textDocument/semanticTokens/full', document, {}, token)),
      provideDocumentSemanticTokensEdits: options.full.delta
        && (async (document, previousResultId, token) => {
          const result = await tokens(
            'textDocument/semanticTokens/full/delta', document, { previousResultId }, token);
          return result.edits ? delta(result) : all(result);
        }),
    }, legend),
    options.range && languages.registerDocumentRangeSemanticTokensProvider(SHOWN_SELECTOR, {
      provideDocumentRangeSemanticTokens: async (document, range, token) => all(await tokens(
        'textDocument/semanticTokens/range', document, { range: convert.fromRange(range) }, token)),
    }, legend),
  ].filter(Boolean);
}

const all = ({ data, resultId }) => new vscode.SemanticTokens(new Uint32Array(data), resultId);

const delta = ({ edits, resultId }) => new vscode.SemanticTokensEdits(
  edits.map(({ start, deleteCount, data }) =>
    new vscode.SemanticTokensEdit(start, deleteCount, data && new Uint32Array(data))),
  resultId);

module.exports = register;
