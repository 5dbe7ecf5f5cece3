'use strict';
// From a name to where it is defined, what stands behind it, where else it is used; links.
const vscode = require('vscode');
const convert = require('../convert');
const { SELECTOR, SHOWN_SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  const { languages } = vscode;
  const places = method => async (document, position, token) => [].concat(
    await ask(method, convert.place(document, position), token) ?? []).map(definition);
  const links = capabilities.documentLinkProvider;
  return [
    capabilities.definitionProvider && languages.registerDefinitionProvider(SELECTOR, {
      provideDefinition: places('textDocument/definition'),
    }),
    capabilities.typeDefinitionProvider && languages.registerTypeDefinitionProvider(SELECTOR, {
      provideTypeDefinition: places('textDocument/typeDefinition'),
    }),
    capabilities.implementationProvider && languages.registerImplementationProvider(SELECTOR, {
      provideImplementation: places('textDocument/implementation'),
    }),
    capabilities.referencesProvider && languages.registerReferenceProvider(SELECTOR, {
      provideReferences: async (document, position, { includeDeclaration }, token) => {
        const result = await ask('textDocument/references', {
          ...convert.place(document, position), context: { includeDeclaration },
        }, token);
        return result?.map(convert.location);
      },
    }),
    capabilities.documentHighlightProvider && languages.registerDocumentHighlightProvider(SELECTOR,
      { provideDocumentHighlights: highlights(ask) }),
    links && languages.registerDocumentLinkProvider(SHOWN_SELECTOR, linkProvider(links, ask)),
  ].filter(Boolean);
}

/** A `Location` or a `LocationLink`. */
function definition(value) {
  if (!value.targetUri) return convert.location(value);
  return {
    originSelectionRange: value.originSelectionRange && convert.range(value.originSelectionRange),
    targetUri: convert.uri(value.targetUri),
    targetRange: convert.range(value.targetRange),
    targetSelectionRange: convert.range(value.targetSelectionRange),
  };
}

const highlights = ask => async (document, position, token) => {
  const result = await ask(
    'textDocument/documentHighlight', convert.place(document, position), token);
  return result?.map(({ range, kind = 1 }) =>
    new vscode.DocumentHighlight(convert.range(range), kind - 1));
};

function linkProvider({ resolveProvider }, ask) {
  return {
    provideDocumentLinks: async (document, token) => {
      const textDocument = convert.identifier(document);
      const result = await ask('textDocument/documentLink', { textDocument }, token);
      return result?.map(value => {
        const link = new vscode.DocumentLink(
          convert.range(value.range), value.target && convert.uri(value.target));
        link.tooltip = value.tooltip;
        link.original = value;
        return link;
      });
    },
    resolveDocumentLink: resolveProvider && (async (link, token) => {
      const value = await ask('documentLink/resolve', link.original, token);
      if (value?.target) link.target = convert.uri(value.target);
      if (value?.tooltip) link.tooltip = value.tooltip;
      return link;
    }),
  };
}

module.exports = register;
