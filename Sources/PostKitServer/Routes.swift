// The table of all messages that the server takes up. Read this file first.

import LanguageServerProtocol

/// What is routed, and what is not and why.
enum Routes {
  /// Every message that the server takes up, but `exit`, which is the loop's own.
  static let all: [Route] = session + documents + testing

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

  private static let testing: [Route] = [
    .mutate(LSP.PostkitDebugTextRequest.self, Debugging.text),
    .wait(LSP.PostkitDebugSynchronizeRequest.self, Debugging.synchronize),
  ]
}
