// The table of all messages that the server takes up, with the threads that answer them. Read this
// file first.

import LanguageServerProtocol

/// What is routed, and what is not and why.
enum Routes {
  /// Every message that the server takes up, but `exit`, which is the loop's own.
  static let all: [Route] = session + documents + reading + navigating + own + testing

  /// Messages of the model that come from the client and have no route, each with the reason.
  static let declined: [String: String] = [
    LSP.ExitNotification.method: "the loop ends itself",
    LSP.InitializedNotification.method: "the first message after the initialize reply counts",
    LSP.ProgressNotification.method: "the server asks for no progress of the client's",
  ]

  private static let session: [Route] = [
    .mutate(LSP.InitializeRequest.self, Lifecycle.initialize),
    .mutate(LSP.ShutdownRequest.self, Lifecycle.shutdown),
    .note(LSP.CancelNotification.self, Lifecycle.cancelRequest),
    .note(LSP.WorkDoneProgressCancelNotification.self, Lifecycle.cancelProgress),
    .note(LSP.SetTraceNotification.self, Tracing.setTrace),
    .note(LSP.DidChangeConfigurationNotification.self, Lifecycle.didChangeConfiguration),
    .note(LSP.DidChangeWorkspaceFoldersNotification.self, Lifecycle.didChangeWorkspaceFolders),
  ]

  private static let documents: [Route] = [
    .note(LSP.DidOpenTextDocumentNotification.self, TextSynchronization.didOpen),
    .note(LSP.DidChangeTextDocumentNotification.self, TextSynchronization.didChange),
    .note(LSP.DidCloseTextDocumentNotification.self, TextSynchronization.didClose),
    .note(LSP.DidSaveTextDocumentNotification.self, TextSynchronization.didSave),
    .note(LSP.DidChangeWatchedFilesNotification.self, TextSynchronization.didChangeWatchedFiles),
  ]

  private static let reading: [Route] = [
    .read(LSP.CompletionRequest.self, on: .position, Completions.completion),
    .read(LSP.CompletionResolveRequest.self, on: .shared, Completions.resolve),
    .read(LSP.HoverRequest.self, on: .position, Hovers.hover),
    .read(LSP.DocumentSymbolRequest.self, on: .wholeDocument, DocumentSymbols.documentSymbol),
    .read(LSP.CodeLensRequest.self, on: .wholeDocument, CodeLenses.codeLens),
    .read(LSP.CodeLensResolveRequest.self, on: .shared, CodeLenses.resolve),
    .read(LSP.InlayHintRequest.self, on: .wholeDocument, InlayHints.inlayHint),
    .read(LSP.DocumentLinkRequest.self, on: .wholeDocument, DocumentLinks.documentLink),
    .read(LSP.SemanticTokensRequest.self, on: .wholeDocument, SemanticTokens.full),
    .read(LSP.SemanticTokensDeltaRequest.self, on: .wholeDocument, SemanticTokens.delta),
    .read(LSP.SemanticTokensRangeRequest.self, on: .wholeDocument, SemanticTokens.range),
    .read(LSP.DocumentLinkResolveRequest.self, on: .shared, DocumentLinks.resolve),
    .read(LSP.FoldingRangeRequest.self, on: .position, FoldingRanges.foldingRange),
    .read(LSP.SelectionRangeRequest.self, on: .position, SelectionRanges.selectionRange),
    .read(LSP.SignatureHelpRequest.self, on: .position, Completions.signatureHelp),
    .read(LSP.InlayHintResolveRequest.self, on: .shared, InlayHints.resolve),
    .read(LSP.DocumentFormattingRequest.self, on: .position, DocumentFormatting.formatting),
    .read(LSP.DocumentRangeFormattingRequest.self, on: .position,
      DocumentFormatting.rangeFormatting),
    .read(LSP.DocumentRangesFormattingRequest.self, on: .position,
      DocumentFormatting.rangesFormatting),
    .read(LSP.DocumentOnTypeFormattingRequest.self, on: .position,
      DocumentFormatting.onTypeFormatting),
    .read(LSP.CodeActionRequest.self, on: .position, CodeActions.codeAction),
    .read(LSP.DocumentDiagnosticRequest.self, on: .diagnostics, Diagnostics.diagnostic),
    .read(LSP.WorkspaceDiagnosticRequest.self, on: .action(.none),
      WorkspaceDiagnostics.diagnostics),
    .read(LSP.CodeActionResolveRequest.self, on: .shared, CodeActionEdits.resolve),
    .read(LSP.ExecuteCommandRequest.self, on: .command, ExecuteCommand.execute),
    .read(LSP.TextDocumentContentRequest.self, on: .shared, ContentDocuments.content),
  ]

  private static let navigating: [Route] = [
    .read(LSP.DefinitionRequest.self, on: .position, Definitions.definition),
    .read(LSP.TypeDefinitionRequest.self, on: .position, Definitions.typeDefinition),
    .read(LSP.ImplementationRequest.self, on: .position, Definitions.implementation),
    .read(LSP.ReferencesRequest.self, on: .position, References.references),
    .read(LSP.DocumentHighlightRequest.self, on: .position, References.documentHighlight),
    .read(LSP.PrepareRenameRequest.self, on: .position, Rename.prepare),
    .read(LSP.RenameRequest.self, on: .position, Rename.rename),
    .read(LSP.WorkspaceSymbolRequest.self, on: .shared, WorkspaceSymbols.symbols),
    .read(LSP.WorkspaceSymbolResolveRequest.self, on: .shared, WorkspaceSymbols.resolve),
    .read(LSP.CallHierarchyPrepareRequest.self, on: .position, CallHierarchy.prepare),
    .read(LSP.CallHierarchyIncomingCallsRequest.self, on: .shared, CallHierarchy.incoming),
    .read(LSP.CallHierarchyOutgoingCallsRequest.self, on: .shared, CallHierarchy.outgoing),
    .read(LSP.WillRenameFilesRequest.self, on: .shared, FileRenames.willRename),
    .note(LSP.DidRenameFilesNotification.self, FileRenames.didRename),
  ]

  private static let own: [Route] = [
    .read(LSP.PostkitSendRequest.self, on: .action(.sends), SendRequests.send),
    .read(LSP.PostkitExchangeRequest.self, on: .shared, HistoryPages.exchange),
    .read(LSP.PostkitHistoryRequest.self, on: .shared, HistoryPages.history),
    .read(LSP.PostkitStatisticsRequest.self, on: .shared, HistoryFigures.statistics),
    .read(LSP.PostkitSavedSearchesRequest.self, on: .shared, HistoryFigures.searches),
    // An import adds collections, which later sends can't name before its answer.
    .read(LSP.PostkitTransferRequest.self, on: .action(.none), DataTransfer.transfer),
    .read(LSP.PostkitEnvironmentsRequest.self, on: .shared, EnvironmentLists.environments),
    .read(LSP.PostkitVariablesRequest.self, on: .shared, EnvironmentLists.variables),
    .read(LSP.PostkitCollectionsRequest.self, on: .shared, Collections.list),
    .read(LSP.PostkitCookiesRequest.self, on: .shared, Cookies.list),
    .read(LSP.PostkitEditRequest.self, on: .action(.changes), StoreEdits.edit),
  ]

  private static let testing: [Route] = [
    .mutate(LSP.PostkitDebugTextRequest.self, DebugRequests.text),
    .wait(LSP.PostkitDebugSynchronizeRequest.self, DebugRequests.synchronize),
  ]
}
