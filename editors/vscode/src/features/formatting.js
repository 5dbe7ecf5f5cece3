'use strict';
// Layout: of a document, of a selection, and while typing.
const vscode = require('vscode');
const convert = require('../convert');
const { SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  const { languages } = vscode;
  const edits = async (method, document, more, options, token) => {
    const found = await ask(method, {
      textDocument: convert.identifier(document), ...more, options: formattingOptions(options),
    }, token);
    return found?.map(convert.textEdit);
  };
  const onType = capabilities.documentOnTypeFormattingProvider;
  return [
    capabilities.documentFormattingProvider
      && languages.registerDocumentFormattingEditProvider(SELECTOR, {
        provideDocumentFormattingEdits: (document, options, token) =>
          edits('textDocument/formatting', document, {}, options, token),
      }),
    capabilities.documentRangeFormattingProvider
      && languages.registerDocumentRangeFormattingEditProvider(SELECTOR, {
        provideDocumentRangeFormattingEdits: (document, range, options, token) =>
          edits('textDocument/rangeFormatting', document, { range: convert.fromRange(range) },
            options, token),
      }),
    onType && languages.registerOnTypeFormattingEditProvider(SELECTOR, {
      provideOnTypeFormattingEdits: (document, position, ch, options, token) =>
        edits('textDocument/onTypeFormatting', document,
          { position: convert.fromPosition(position), ch }, options, token),
    }, onType.firstTriggerCharacter, ...(onType.moreTriggerCharacter ?? [])),
  ].filter(Boolean);
}

const formattingOptions = ({ tabSize, insertSpaces }) => ({ tabSize, insertSpaces });

module.exports = register;
