// What the server announces: derived from the routes and from what the client can do.

import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitText

/// Builds the server's capabilities.
enum Capabilities {
  private static let synchronization = LSP.TextDocumentSyncOptions(
    openClose: true, change: .incremental, save: LSP.SaveOptions(includeText: false))

  /// The capabilities for a client; nothing is announced that has no route.
  static func make(
    profile: ClientProfile, router: Router, initialization: LSP.PostkitInitializationOptions
  ) -> LSP.ServerCapabilities {
    func has<Message: RequestMessage>(_ type: Message.Type) -> Bool {
      router.contains(Message.method)
    }
    return LSP.ServerCapabilities(
      positionEncoding: LSP.PositionEncodingKind(rawValue: profile.encoding.rawValue),
      textDocumentSync: synchronization,
      completionProvider: has(LSP.CompletionRequest.self)
        ? LSP.CompletionOptions(
          triggerCharacters: Analysis.completionTriggers,
          resolveProvider: has(LSP.CompletionResolveRequest.self)) : nil,
      hoverProvider: has(LSP.HoverRequest.self) ? true : nil,
      documentSymbolProvider: has(LSP.DocumentSymbolRequest.self) ? true : nil,
      codeActionProvider: has(LSP.CodeActionRequest.self) ? actions(profile, router) : nil,
      codeLensProvider: has(LSP.CodeLensRequest.self)
        ? LSP.CodeLensOptions(resolveProvider: has(LSP.CodeLensResolveRequest.self)) : nil,
      executeCommandProvider: has(LSP.ExecuteCommandRequest.self)
        ? LSP.ExecuteCommandOptions(
          commands: CommandID.allCases.map { $0.name(initialization) }) : nil,
      documentFormattingProvider: has(LSP.DocumentFormattingRequest.self) ? true : nil,
      inlayHintProvider: has(LSP.InlayHintRequest.self)
        ? LSP.InlayHintOptions(resolveProvider: has(LSP.InlayHintResolveRequest.self)) : nil,
      documentLinkProvider: has(LSP.DocumentLinkRequest.self)
        ? LSP.DocumentLinkOptions(resolveProvider: has(LSP.DocumentLinkResolveRequest.self)) : nil,
      signatureHelpProvider: has(LSP.SignatureHelpRequest.self)
        ? LSP.SignatureHelpOptions(
          triggerCharacters: Analysis.signatureTriggers,
          retriggerCharacters: Analysis.signatureRetriggers) : nil,
      definitionProvider: has(LSP.DefinitionRequest.self) ? true : nil,
      typeDefinitionProvider: has(LSP.TypeDefinitionRequest.self) ? true : nil,
      implementationProvider: has(LSP.ImplementationRequest.self) ? true : nil,
      referencesProvider: has(LSP.ReferencesRequest.self) ? true : nil,
      documentHighlightProvider: has(LSP.DocumentHighlightRequest.self) ? true : nil,
      workspaceSymbolProvider: has(LSP.WorkspaceSymbolRequest.self)
        ? LSP.WorkspaceSymbolOptions(
          resolveProvider: has(LSP.WorkspaceSymbolResolveRequest.self)) : nil,
      documentRangeFormattingProvider: has(LSP.DocumentRangeFormattingRequest.self)
        ? LSP.DocumentRangeFormattingOptions(
          rangesSupport: has(LSP.DocumentRangesFormattingRequest.self)) : nil,
      documentOnTypeFormattingProvider: has(LSP.DocumentOnTypeFormattingRequest.self)
        ? LSP.DocumentOnTypeFormattingOptions(
          firstTriggerCharacter: TypingEdits.triggers[0],
          moreTriggerCharacter: Array(TypingEdits.triggers.dropFirst())) : nil,
      renameProvider: has(LSP.RenameRequest.self) ? renaming(profile, router) : nil,
      foldingRangeProvider: has(LSP.FoldingRangeRequest.self) ? true : nil,
      selectionRangeProvider: has(LSP.SelectionRangeRequest.self) ? true : nil,
      callHierarchyProvider: has(LSP.CallHierarchyPrepareRequest.self) ? true : nil,
      semanticTokensProvider: tokens(profile, router),
      diagnosticProvider: diagnostics(profile, router),
      workspace: workspace(profile, router),
      experimental: own(router, initialization))
  }

  /// Options only where the client takes literals, as the protocol has it.
  private static func actions(
    _ profile: ClientProfile, _ router: Router
  ) -> LSP.BooleanOrCodeActionOptions {
    guard profile.takesCodeActionLiterals else { return .boolean(true) }
    return .codeActionOptions(
      LSP.CodeActionOptions(
        codeActionKinds: CodeActions.kinds.map { LSP.CodeActionKind(rawValue: $0) },
        resolveProvider: router.contains(LSP.CodeActionResolveRequest.method)))
  }

  /// Options only where the client prepares renames, as the protocol has it.
  private static func renaming(
    _ profile: ClientProfile, _ router: Router
  ) -> LSP.BooleanOrRenameOptions {
    guard profile.preparesRenames else { return .boolean(true) }
    return .renameOptions(
      LSP.RenameOptions(prepareProvider: router.contains(LSP.PrepareRenameRequest.method)))
  }

  private static func diagnostics(
    _ profile: ClientProfile, _ router: Router
  ) -> LSP.DiagnosticOptions? {
    guard router.contains(LSP.DocumentDiagnosticRequest.method), profile.pullsDiagnostics else {
      return nil
    }
    return LSP.DiagnosticOptions(
      identifier: "postkit", interFileDependencies: true,
      workspaceDiagnostics: router.contains(LSP.WorkspaceDiagnosticRequest.method))
  }

  private static func tokens(
    _ profile: ClientProfile, _ router: Router
  ) -> LSP.SemanticTokensOptions? {
    guard let ability = profile.tokens else { return nil }
    let hasDelta = router.contains(LSP.SemanticTokensDeltaRequest.method) && ability.takesDeltas
    return LSP.SemanticTokensOptions(
      legend: LSP.SemanticTokensLegend(
        tokenTypes: ability.legend.types, tokenModifiers: ability.legend.modifiers),
      range: router.contains(LSP.SemanticTokensRangeRequest.method) && ability.takesRanges
        ? true : nil,
      full: router.contains(LSP.SemanticTokensRequest.method) && ability.takesAll
        ? LSP.SemanticTokensFullDelta(delta: hasDelta) : nil)
  }

  private static func workspace(_ profile: ClientProfile, _ router: Router) -> LSP.WorkspaceOptions
  {
    LSP.WorkspaceOptions(
      workspaceFolders: LSP.WorkspaceFoldersServerCapabilities(
        supported: true, changeNotifications: true),
      fileOperations: fileOperations(router),
      textDocumentContent: router.contains(LSP.TextDocumentContentRequest.method)
        && profile.readsContentDocuments
        ? LSP.TextDocumentContentOptions(schemes: ["postkit"]) : nil)
  }

  /// Any file may be one that a request sends, and folders hold such files.
  private static func fileOperations(_ router: Router) -> LSP.FileOperationOptions? {
    let all = LSP.FileOperationRegistrationOptions(
      filters: [
        LSP.FileOperationFilter(scheme: "file", pattern: LSP.FileOperationPattern(glob: "**/*"))
      ])
    return LSP.FileOperationOptions(
      didRename: router.contains(LSP.DidRenameFilesNotification.method) ? all : nil,
      willRename: router.contains(LSP.WillRenameFilesRequest.method) ? all : nil)
  }

  /// `experimental.postkit`: the methods of our own.
  private static func own(
    _ router: Router, _ initialization: LSP.PostkitInitializationOptions
  ) -> JSONValue {
    var methods = router.methods(withPrefix: "postkit/")
    if initialization.testing != true { methods.removeAll { $0.hasPrefix("postkit/debug/") } }
    return .object([
      JSONMember(
        "postkit",
        .object([
          JSONMember("version", 1),
          JSONMember("methods", .array(methods.map { .string($0) })),
        ]))
    ])
  }
}
