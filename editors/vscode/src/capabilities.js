'use strict';
// What this client tells the server it can do: exactly what the other files really handle.

const COMPLETION_ITEM_KINDS = Array.from({ length: 25 }, (_, index) => index + 1);
const SYMBOL_KINDS = Array.from({ length: 26 }, (_, index) => index + 1);

const workspace = {
  workspaceEdit: { documentChanges: true, resourceOperations: ['create'] },
  configuration: true,
  didChangeConfiguration: {},
  didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  executeCommand: {},
  workspaceFolders: true,
  codeLens: { refreshSupport: true },
  inlayHint: { refreshSupport: true },
  textDocumentContent: {},
};

const textDocument = {
  synchronization: { didSave: true },
  completion: {
    contextSupport: true,
    completionItem: {
      snippetSupport: true,
      commitCharactersSupport: true,
      documentationFormat: ['markdown', 'plaintext'],
      deprecatedSupport: true,
      tagSupport: { valueSet: [1] },
      insertReplaceSupport: true,
      labelDetailsSupport: true,
      resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
    },
    completionItemKind: { valueSet: COMPLETION_ITEM_KINDS },
    completionList: {
      itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat', 'data'],
    },
  },
  hover: { contentFormat: ['markdown', 'plaintext'] },
  documentSymbol: {
    hierarchicalDocumentSymbolSupport: true,
    symbolKind: { valueSet: SYMBOL_KINDS },
  },
  codeAction: {
    codeActionLiteralSupport: {
      codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'postkit'] },
    },
    isPreferredSupport: true,
    disabledSupport: true,
    dataSupport: true,
    resolveSupport: { properties: ['edit'] },
  },
  codeLens: {},
  inlayHint: { resolveSupport: { properties: ['tooltip'] } },
  publishDiagnostics: {
    relatedInformation: true,
    versionSupport: true,
    codeDescriptionSupport: true,
    dataSupport: true,
    tagSupport: { valueSet: [1, 2] },
  },
};

const window = {
  workDoneProgress: true,
  showMessage: { messageActionItem: { additionalPropertiesSupport: true } },
  showDocument: { support: true },
};

/** `ClientCapabilities` of initialize. VS Code counts in UTF-16, so nothing else is offered. */
const clientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace,
  textDocument,
  window,
  experimental: { postkit: { version: 1, input: true, storeEvents: true, status: true } },
};

module.exports = { clientCapabilities };
