// The table of all messages that the server takes up. Read this file first.

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
    .read(LSP.CompletionRequest.self, Completions.completion),
    .read(LSP.CompletionResolveRequest.self, Completions.resolve),
    .read(LSP.HoverRequest.self, Hovers.hover),
    .readNow(LSP.DocumentSymbolRequest.self, Hovers.documentSymbol),
    .readNow(LSP.CodeLensRequest.self, Hovers.codeLens),
    .read(LSP.CodeLensResolveRequest.self, Hovers.resolveCodeLens),
    .readNow(LSP.InlayHintRequest.self, InlayHints.inlayHint),
    .readNow(LSP.DocumentLinkRequest.self, DocumentLinks.documentLink),
    .readNow(LSP.SemanticTokensRequest.self, SemanticTokens.full),
    .readNow(LSP.SemanticTokensDeltaRequest.self, SemanticTokens.delta),
    .readNow(LSP.SemanticTokensRangeRequest.self, SemanticTokens.range),
    .read(LSP.DocumentLinkResolveRequest.self, DocumentLinks.resolve),
    .read(LSP.FoldingRangeRequest.self, FoldingRanges.foldingRange),
    .read(LSP.SelectionRangeRequest.self, FoldingRanges.selectionRange),
    .read(LSP.SignatureHelpRequest.self, Completions.signatureHelp),
    .read(LSP.InlayHintResolveRequest.self, InlayHints.resolve),
    .read(LSP.DocumentFormattingRequest.self, DocumentFormatting.formatting),
    .read(LSP.DocumentRangeFormattingRequest.self, DocumentFormatting.rangeFormatting),
    .read(LSP.DocumentRangesFormattingRequest.self, DocumentFormatting.rangesFormatting),
    .read(LSP.DocumentOnTypeFormattingRequest.self, DocumentFormatting.onTypeFormatting),
    .read(LSP.CodeActionRequest.self, CodeActions.codeAction),
    .readNow(LSP.DocumentDiagnosticRequest.self, Diagnostics.diagnostic),
    .act(LSP.WorkspaceDiagnosticRequest.self, .none, WorkspaceDiagnostics.diagnostics),
    .read(LSP.CodeActionResolveRequest.self, CodeActionEdits.resolve),
    // Each command has its own role: `CommandID.role`.
    .act(LSP.ExecuteCommandRequest.self, .none, ExecuteCommand.execute),
    .read(LSP.TextDocumentContentRequest.self, ContentDocuments.content),
  ]

  private static let navigating: [Route] = [
    .read(LSP.DefinitionRequest.self, Definitions.definition),
    .read(LSP.ImplementationRequest.self, Definitions.implementation),
    .read(LSP.ReferencesRequest.self, References.references),
    .read(LSP.DocumentHighlightRequest.self, References.documentHighlight),
    .read(LSP.PrepareRenameRequest.self, Rename.prepare),
    .read(LSP.RenameRequest.self, Rename.rename),
    .read(LSP.WorkspaceSymbolRequest.self, WorkspaceSymbols.symbols),
    .read(LSP.WorkspaceSymbolResolveRequest.self, WorkspaceSymbols.resolve),
    .read(LSP.CallHierarchyPrepareRequest.self, CallHierarchy.prepare),
    .read(LSP.CallHierarchyIncomingCallsRequest.self, CallHierarchy.incoming),
    .read(LSP.CallHierarchyOutgoingCallsRequest.self, CallHierarchy.outgoing),
    .read(LSP.WillRenameFilesRequest.self, FileRenames.willRename),
    .note(LSP.DidRenameFilesNotification.self, FileRenames.didRename),
  ]

  private static let own: [Route] = [
    .act(LSP.PostkitSendRequest.self, .sends, SendRequests.send),
    .read(LSP.PostkitExchangeRequest.self, HistoryPages.exchange),
    .read(LSP.PostkitHistoryRequest.self, HistoryPages.history),
    .read(LSP.PostkitStatisticsRequest.self, HistoryFigures.statistics),
    .read(LSP.PostkitSavedSearchesRequest.self, HistoryFigures.searches),
    // An import adds collections, which later sends can't name before its answer.
    .act(LSP.PostkitTransferRequest.self, .none, DataTransfer.transfer),
    .read(LSP.PostkitEnvironmentsRequest.self, HistoryPages.environments),
    .read(LSP.PostkitVariablesRequest.self, HistoryPages.variables),
    .read(LSP.PostkitCollectionsRequest.self, Collections.list),
    .read(LSP.PostkitCookiesRequest.self, Cookies.list),
    .act(LSP.PostkitEditRequest.self, .changes, StoreEdits.edit),
  ]

  private static let testing: [Route] = [
    .mutate(LSP.PostkitDebugTextRequest.self, DebugRequests.text),
    .wait(LSP.PostkitDebugSynchronizeRequest.self, DebugRequests.synchronize),
  ]
}
