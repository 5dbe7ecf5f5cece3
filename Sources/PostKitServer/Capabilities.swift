// What the server announces: derived from the routes and from what the client can do.

import LanguageServerProtocol
import PostKitJSON
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
      workspace: LSP.WorkspaceOptions(
        workspaceFolders: LSP.WorkspaceFoldersServerCapabilities(
          supported: true, changeNotifications: true)),
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
