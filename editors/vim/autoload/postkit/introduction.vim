vim9script
# Says to the server at its start who this Vim is and what it can show.

import autoload 'postkit/config.vim'
import autoload 'postkit/uri.vim'

# The parameters of the first message for a project folder.
export def Params(root: string): dict<any>
  var options = extend({settings: config.Get('settings')}, config.Get('options'))
  return {
    processId: getpid(),
    clientInfo: {name: 'Vim', version: printf('%d.%d', v:version / 100, v:version % 100)},
    rootUri: uri.FromPath(root),
    workspaceFolders: [{uri: uri.FromPath(root), name: fnamemodify(root, ':t')}],
    capabilities: Capabilities(),
    initializationOptions: {postkit: options},
  }
enddef

def Capabilities(): dict<any>
  return {
    general: {positionEncodings: config.Get('encodings')},
    window: {
      workDoneProgress: true,
      showDocument: {support: true},
      showMessage: {messageActionItem: {additionalPropertiesSupport: false}},
    },
    workspace: {
      applyEdit: true,
      configuration: true,
      workspaceFolders: true,
      workspaceEdit: {documentChanges: true, resourceOperations: ['create']},
      fileOperations: {willRename: true, didRename: true},
      symbol: {dynamicRegistration: false},
      executeCommand: {dynamicRegistration: false},
      inlayHint: {refreshSupport: true},
      textDocumentContent: {dynamicRegistration: false},
    },
    textDocument: {
      synchronization: {didSave: true},
      publishDiagnostics: {versionSupport: true},
      hover: {contentFormat: ['plaintext', 'markdown']},
      inlayHint: {dynamicRegistration: false},
      completion: {
        contextSupport: true,
        completionItem: {
          snippetSupport: false,
          labelDetailsSupport: true,
          documentationFormat: ['plaintext'],
        },
      },
      definition: {linkSupport: false},
      implementation: {linkSupport: false},
      references: {dynamicRegistration: false},
      documentHighlight: {dynamicRegistration: false},
      documentSymbol: {hierarchicalDocumentSymbolSupport: true},
      documentLink: {tooltipSupport: true},
      callHierarchy: {dynamicRegistration: false},
      rename: {prepareSupport: false},
      formatting: {dynamicRegistration: false},
      rangeFormatting: {dynamicRegistration: false},
      foldingRange: {lineFoldingOnly: true, foldingRange: {collapsedText: true}},
      signatureHelp: {signatureInformation: {
        documentationFormat: ['plaintext'],
        activeParameterSupport: true,
        parameterInformation: {labelOffsetSupport: true},
      }},
      codeAction: {
        dataSupport: true,
        disabledSupport: true,
        resolveSupport: {properties: ['edit', 'command']},
        codeActionLiteralSupport: {codeActionKind: {valueSet: [
          '', 'quickfix', 'refactor', 'source', 'postkit']}},
      },
    },
    experimental: {postkit: {
      version: 1, stream: true, each: true, input: true, storeEvents: true, status: true,
      output: true}},
  }
enddef
