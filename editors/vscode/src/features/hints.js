'use strict';
// What is written between the lines: code lenses and inlay hints.
const vscode = require('vscode');
const convert = require('../convert');
const { SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask, changed, live, failures }) {
  const { codeLensProvider, inlayHintProvider } = capabilities;
  return [
    codeLensProvider && vscode.languages.registerCodeLensProvider(SELECTOR, {
      onDidChangeCodeLenses: changed.lenses, ...lenses(codeLensProvider, ask),
    }),
    inlayHintProvider && vscode.languages.registerInlayHintsProvider(SELECTOR, {
      onDidChangeInlayHints: changed.hints, ...hints(inlayHintProvider, ask, live, failures),
    }),
  ].filter(Boolean);
}

function lenses({ resolveProvider }, ask) {
  return {
    provideCodeLenses: async (document, token) => {
      const textDocument = convert.identifier(document);
      const found = await ask('textDocument/codeLens', { textDocument }, token);
      return found?.map(value => {
        const lens = new vscode.CodeLens(
          convert.range(value.range), convert.command(value.command));
        lens.original = value;
        return lens;
      });
    },
    resolveCodeLens: resolveProvider && (async (lens, token) => {
      const value = await ask('codeLens/resolve', lens.original, token);
      // VS Code draws a lens without a command as an error; an empty title draws nothing.
      lens.command = convert.command(value?.command) ?? { title: '', command: '' };
      return lens;
    }),
  };
}

function hints({ resolveProvider }, ask, live, failures) {
  return {
    provideInlayHints: async (document, range, token) => {
      const { version } = document;
      const found = await ask('textDocument/inlayHint', {
        textDocument: convert.identifier(document),
        range: convert.fromRange(range),
      }, token);
      const uri = document.uri.toString();
      if (!found) return undefined;
      live.giveWay(uri);
      // Where a line shows how far its request is, its former result would stand beside it.
      const shown = found.filter(({ data, position }) =>
        !data?.result || !live.covers(uri, position.line));
      // Of a text that has changed meanwhile it is asked again.
      if (version === document.version) {
        failures.take(document, range, shown.filter(({ data }) => data?.result === 'failed')
          .map(({ position }) => position.line));
      }
      return shown.map(inlayHint);
    },
    resolveInlayHint: resolveProvider && (async (hint, token) => {
      const value = hint.original?.data?.uri && await ask('inlayHint/resolve', hint.original, token);
      if (!value) return hint;
      hint.tooltip = convert.documentation(value.tooltip);
      hint.textEdits = value.textEdits?.map(convert.textEdit);
      return hint;
    }),
  };
}

function inlayHint(value) {
  const label = typeof value.label === 'string' ? value.label : value.label.map(inlayHintPart);
  const hint = new vscode.InlayHint(convert.position(value.position), label, value.kind);
  hint.paddingLeft = value.paddingLeft;
  hint.paddingRight = value.paddingRight;
  hint.tooltip = convert.documentation(value.tooltip);
  hint.textEdits = value.textEdits?.map(convert.textEdit);
  hint.original = value;
  return hint;
}

function inlayHintPart(value) {
  const part = new vscode.InlayHintLabelPart(value.value);
  part.tooltip = convert.documentation(value.tooltip);
  part.command = convert.command(value.command);
  part.location = value.location && convert.location(value.location);
  return part;
}

module.exports = register;
