'use strict';
// What this client tells the server it can do: exactly what the other files really handle.

const COMPLETION_ITEM_KINDS = Array.from({ length: 25 }, (_, index) => index + 1);
const SYMBOL_KINDS = Array.from({ length: 26 }, (_, index) => index + 1);

/** The names of LSP; the last two modifiers are the server's own, told of in package.json. */
const TOKEN_TYPES = ['namespace', 'type', 'class', 'enum', 'interface', 'struct', 'typeParameter',
  'parameter', 'variable', 'property', 'enumMember', 'event', 'function', 'method', 'macro',
  'label', 'decorator', 'keyword', 'modifier', 'comment', 'string', 'number', 'regexp',
  'operator'];
const TOKEN_MODIFIERS = ['declaration', 'definition', 'readonly', 'static', 'deprecated',
  'abstract', 'async', 'modification', 'documentation', 'defaultLibrary', 'unresolved', 'secret'];
const MARKUP = ['markdown', 'plaintext'];

const workspace = {
  applyEdit: true,
  workspaceEdit: {
    documentChanges: true,
    resourceOperations: ['create', 'rename', 'delete'],
    failureHandling: 'textOnlyTransactional',
    normalizesLineEndings: true,
    changeAnnotationSupport: { groupsOnLabel: false },
  },
  configuration: true,
  didChangeConfiguration: {},
  didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  executeCommand: {},
  workspaceFolders: true,
  fileOperations: { willRename: true, didRename: true },
  symbol: {
    symbolKind: { valueSet: SYMBOL_KINDS },
    tagSupport: { valueSet: [1] },
    resolveSupport: { properties: ['location.range'] },
  },
  codeLens: { refreshSupport: true },
  inlayHint: { refreshSupport: true },
  semanticTokens: { refreshSupport: true },
  diagnostics: { refreshSupport: true },
  textDocumentContent: {},
};

const completion = {
  contextSupport: true,
  completionItem: {
    snippetSupport: true,
    commitCharactersSupport: true,
    documentationFormat: MARKUP,
    deprecatedSupport: true,
    preselectSupport: true,
    tagSupport: { valueSet: [1] },
    insertReplaceSupport: true,
    insertTextModeSupport: { valueSet: [1, 2] },
    labelDetailsSupport: true,
    resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
  },
  // Adjusted, as VS Code does with the lines of everything that it inserts.
  insertTextMode: 2,
  completionItemKind: { valueSet: COMPLETION_ITEM_KINDS },
  completionList: {
    itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat', 'insertTextMode', 'data'],
  },
};

const diagnostics = {
  relatedInformation: true,
  codeDescriptionSupport: true,
  dataSupport: true,
  tagSupport: { valueSet: [1, 2] },
};

const semanticTokens = {
  requests: { range: true, full: { delta: true } },
  tokenTypes: TOKEN_TYPES,
  tokenModifiers: TOKEN_MODIFIERS,
  formats: ['relative'],
  overlappingTokenSupport: false,
  multilineTokenSupport: false,
  serverCancelSupport: true,
  augmentsSyntaxTokens: true,
};

const textDocument = {
  synchronization: { didSave: true },
  completion,
  signatureHelp: {
    contextSupport: true,
    signatureInformation: {
      documentationFormat: MARKUP,
      parameterInformation: { labelOffsetSupport: true },
      activeParameterSupport: true,
    },
  },
  hover: { contentFormat: MARKUP },
  definition: { linkSupport: true },
  typeDefinition: { linkSupport: true },
  implementation: { linkSupport: true },
  references: {},
  documentHighlight: {},
  documentLink: { tooltipSupport: true },
  documentSymbol: {
    hierarchicalDocumentSymbolSupport: true,
    symbolKind: { valueSet: SYMBOL_KINDS },
    tagSupport: { valueSet: [1] },
  },
  codeAction: {
    codeActionLiteralSupport: {
      codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'postkit'] },
    },
    isPreferredSupport: true,
    disabledSupport: true,
    dataSupport: true,
    resolveSupport: { properties: ['edit', 'command'] },
    honorsChangeAnnotations: true,
  },
  codeLens: {},
  inlayHint: { resolveSupport: { properties: ['tooltip', 'textEdits'] } },
  formatting: {},
  rangeFormatting: {},
  onTypeFormatting: {},
  rename: { prepareSupport: true, honorsChangeAnnotations: true },
  foldingRange: {
    lineFoldingOnly: true,
    rangeLimit: 5000,
    foldingRangeKind: { valueSet: ['comment', 'imports', 'region'] },
    foldingRange: { collapsedText: false },
  },
  selectionRange: {},
  callHierarchy: {},
  semanticTokens,
  diagnostic: { ...diagnostics, relatedDocumentSupport: false },
  publishDiagnostics: { ...diagnostics, versionSupport: true },
};

const window = {
  workDoneProgress: true,
  showMessage: { messageActionItem: { additionalPropertiesSupport: true } },
  showDocument: { support: true },
};

/** `ClientCapabilities` of initialize. VS Code counts in UTF-16, so nothing else is offered. */
const clientCapabilities = {
  general: {
    positionEncodings: ['utf-16'],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  },
  workspace,
  textDocument,
  window,
  experimental: {
    postkit: {
      version: 1, stream: true, each: true, input: true, storeEvents: true, status: true,
      output: true, links: true,
    },
    commands: { commands: ['editor.action.triggerSuggest'] },
  },
};

module.exports = { clientCapabilities };
