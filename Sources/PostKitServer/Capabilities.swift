// What the server announces: derived from the routes and from what the client can do.

import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitText

/// Builds the server's capabilities.
enum Capabilities {
  /// The capabilities for a client; nothing is announced that has no route.
  static func make(
    profile: ClientProfile, router: Router, initialization: LSP.PostkitInitializationOptions
  ) -> LSP.ServerCapabilities {
    func has<Message: RequestMessage>(_ type: Message.Type) -> Bool {
      router.contains(Message.method)
    }
    var own = router.methods(withPrefix: "postkit/")
    if initialization.testing != true { own.removeAll { $0.hasPrefix("postkit/debug/") } }
    return LSP.ServerCapabilities(
      positionEncoding: LSP.PositionEncodingKind(rawValue: profile.encoding.rawValue),
      textDocumentSync: LSP.TextDocumentSyncOptions(
        openClose: true, change: .incremental, save: LSP.SaveOptions(includeText: false)),
      completionProvider: has(LSP.CompletionRequest.self)
        ? LSP.CompletionOptions(
          triggerCharacters: Analysis.completionTriggers,
          resolveProvider: has(LSP.CompletionResolveRequest.self)) : nil,
      hoverProvider: has(LSP.HoverRequest.self) ? true : nil,
      documentSymbolProvider: has(LSP.DocumentSymbolRequest.self) ? true : nil,
      codeActionProvider: has(LSP.CodeActionRequest.self)
        ? LSP.CodeActionOptions(
          codeActionKinds: Acting.kinds.map { LSP.CodeActionKind(rawValue: $0) }) : nil,
      codeLensProvider: has(LSP.CodeLensRequest.self)
        ? LSP.CodeLensOptions(resolveProvider: has(LSP.CodeLensResolveRequest.self)) : nil,
      executeCommandProvider: has(LSP.ExecuteCommandRequest.self)
        ? LSP.ExecuteCommandOptions(
          commands: CommandID.allCases.map { $0.name(initialization) }) : nil,
      documentFormattingProvider: has(LSP.DocumentFormattingRequest.self) ? true : nil,
      inlayHintProvider: has(LSP.InlayHintRequest.self) ? true : nil,
      documentLinkProvider: has(LSP.DocumentLinkRequest.self)
        ? LSP.DocumentLinkOptions(resolveProvider: false) : nil,
      diagnosticProvider: has(LSP.DocumentDiagnosticRequest.self) && profile.pullsDiagnostics
        ? LSP.DiagnosticOptions(
          identifier: "postkit", interFileDependencies: true, workspaceDiagnostics: false) : nil,
      workspace: LSP.WorkspaceOptions(
        workspaceFolders: LSP.WorkspaceFoldersServerCapabilities(
          supported: true, changeNotifications: true),
        textDocumentContent: has(LSP.TextDocumentContentRequest.self)
          && profile.readsContentDocuments
          ? LSP.TextDocumentContentOptions(schemes: ["postkit"]) : nil),
      experimental: .object([
        JSONMember(
          "postkit",
          .object([
            JSONMember("version", 1),
            JSONMember("methods", .array(own.map { .string($0) })),
          ]))
      ]))
  }
}
