// The table of all messages that the server takes up. Read this file first.

import LanguageServerProtocol
import PostKitSession

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
    .read(LSP.CompletionRequest.self, Completing.completion),
    .read(LSP.CompletionResolveRequest.self, Completing.resolve),
    .read(LSP.HoverRequest.self, Presenting.hover),
    .readNow(LSP.DocumentSymbolRequest.self, Presenting.documentSymbol),
    .readNow(LSP.CodeLensRequest.self, Presenting.codeLens),
    .read(LSP.CodeLensResolveRequest.self, Presenting.resolveCodeLens),
    .readNow(LSP.InlayHintRequest.self, Hinting.inlayHint),
    .readNow(LSP.DocumentLinkRequest.self, Linking.documentLink),
    .readNow(LSP.SemanticTokensRequest.self, Painting.full),
    .readNow(LSP.SemanticTokensDeltaRequest.self, Painting.delta),
    .readNow(LSP.SemanticTokensRangeRequest.self, Painting.range),
    .read(LSP.DocumentLinkResolveRequest.self, Linking.resolve),
    .read(LSP.FoldingRangeRequest.self, Structuring.foldingRange),
    .read(LSP.SelectionRangeRequest.self, Structuring.selectionRange),
    .read(LSP.SignatureHelpRequest.self, Completing.signatureHelp),
    .read(LSP.InlayHintResolveRequest.self, Hinting.resolve),
    .read(LSP.DocumentFormattingRequest.self, LayingOut.formatting),
    .read(LSP.DocumentRangeFormattingRequest.self, LayingOut.rangeFormatting),
    .read(LSP.DocumentRangesFormattingRequest.self, LayingOut.rangesFormatting),
    .read(LSP.DocumentOnTypeFormattingRequest.self, LayingOut.onTypeFormatting),
    .read(LSP.CodeActionRequest.self, Acting.codeAction),
    .readNow(LSP.DocumentDiagnosticRequest.self, Diagnosing.diagnostic),
    .act(LSP.WorkspaceDiagnosticRequest.self, .none, WorkspaceDiagnosing.diagnostics),
    .read(LSP.CodeActionResolveRequest.self, Changing.resolve),
    // Each command has its own role: `CommandID.role`.
    .act(LSP.ExecuteCommandRequest.self, .none, Executing.execute),
    .read(LSP.TextDocumentContentRequest.self, ContentDocuments.content),
  ]

  private static let navigating: [Route] = [
    .read(LSP.DefinitionRequest.self, Navigating.definition),
    .read(LSP.ImplementationRequest.self, Navigating.implementation),
    .read(LSP.ReferencesRequest.self, Referring.references),
    .read(LSP.DocumentHighlightRequest.self, Referring.documentHighlight),
    .read(LSP.PrepareRenameRequest.self, Renaming.prepare),
    .read(LSP.RenameRequest.self, Renaming.rename),
    .read(LSP.WorkspaceSymbolRequest.self, WorkspaceSymbols.symbols),
    .read(LSP.WorkspaceSymbolResolveRequest.self, WorkspaceSymbols.resolve),
    .read(LSP.CallHierarchyPrepareRequest.self, CallHierarchy.prepare),
    .read(LSP.CallHierarchyIncomingCallsRequest.self, CallHierarchy.incoming),
    .read(LSP.CallHierarchyOutgoingCallsRequest.self, CallHierarchy.outgoing),
    .read(LSP.WillRenameFilesRequest.self, MovingFiles.willRename),
    .note(LSP.DidRenameFilesNotification.self, MovingFiles.didRename),
  ]

  private static let own: [Route] = [
    .act(LSP.PostkitSendRequest.self, .sends, Sending.send),
    .read(LSP.PostkitExchangeRequest.self, Browsing.exchange),
    .read(LSP.PostkitHistoryRequest.self, Browsing.history),
    .read(LSP.PostkitStatisticsRequest.self, HistoryFigures.statistics),
    .read(LSP.PostkitSavedSearchesRequest.self, HistoryFigures.searches),
    // An import adds collections, which later sends can't name before its answer.
    .act(LSP.PostkitTransferRequest.self, .none, Transferring.transfer),
    .read(LSP.PostkitEnvironmentsRequest.self, Browsing.environments),
    .read(LSP.PostkitVariablesRequest.self, Browsing.variables),
    .read(LSP.PostkitCollectionsRequest.self, Collections.list),
    .read(LSP.PostkitCookiesRequest.self, Cookies.list),
    .act(LSP.PostkitEditRequest.self, .changes, Editing.edit),
  ]

  private static let testing: [Route] = [
    .mutate(LSP.PostkitDebugTextRequest.self, Debugging.text),
    .wait(LSP.PostkitDebugSynchronizeRequest.self, Debugging.synchronize),
  ]
}
