// What the client can do, read once; nothing is sent that it did not declare (PROMISES.md Q11).

package import LanguageServerProtocol
import PostKitJSON
package import PostKitLanguage
package import PostKitText

/// The client's abilities.
package struct ClientProfile: Sendable, Hashable {
  var name = ""
  package var encoding = PositionEncoding.utf16
  package var pullsDiagnostics = false
  package var publishesVersions = false
  /// Whether it takes diagnostics that it has not asked for.
  package var takesPublishedDiagnostics = false
  package var linksDiagnosticCodes = false
  package var relatesDiagnostics = false
  package var diagnosticTags: Set<LSP.DiagnosticTag> = []
  package var hasHierarchicalSymbols = false
  package var takesSnippets = false
  package var takesLabelDetails = false
  /// Whether it strikes out items that are on their way out.
  package var marksDeprecated = false
  package var takesDefaultEditRange = false
  /// Whether its users choose between inserting and replacing.
  package var choosesInsertedRange = false
  /// Whether it knows the command that asks for completion once more.
  package var asksForMore = false
  package var takesMarkdownInHover = false
  package var takesMarkdownInCompletion = false
  /// Whether documentation of completion may have a form at all, be it plain text.
  package var takesMarkupInCompletion = false
  package var takesMarkdownInSignatures = false
  package var resolvesDocumentation = false
  package var takesCodeActionLiterals = false
  /// Whether it lets the server carry out commands.
  package var executesCommands = false
  package var preparesRenames = false
  /// Whether a code action may come without its edit.
  package var resolvesCodeActionEdits = false
  package var showsDisabledActions = false
  package var hasInlayHints = false
  package var linksDefinitions = false
  package var linksTypeDefinitions = false
  package var linksImplementations = false
  package var resolvesSymbolLocations = false
  var showsProgress = false
  package var showsDocuments = false
  package var readsContentDocuments = false
  package var asksWithButtons = false
  package var answersConfiguration = false
  package var showsLinkTooltips = false
  package var folding = FoldingAbility()
  /// What it can do with semantic tokens; `nil` where it shows none.
  package var tokens: TokenAbility?
  package var refreshesTokens = false
  package var refreshesInlayHints = false
  package var refreshesCodeLenses = false
  package var refreshesDiagnostics = false
  package var appliesEdits = false
  package var takesDocumentChanges = false
  /// Whether a `WorkspaceEdit` may make files.
  package var createsFiles = false
  package var showsChangeAnnotations = false
  package var registersWatchedFiles = false
  /// Whether files can be watched below a folder of our choice.
  package var watchesRelativePatterns = false
  package var registersConfiguration = false
  /// `experimental.postkit`; `nil` where the client doesn't know us.
  package var postkit: LSP.PostkitClientCapability?

  /// The command that asks for completion once more; a client names it under
  /// `experimental.commands` if it has it.
  package static let askForMore = "editor.action.triggerSuggest"

  /// Whether it knows a request that waits for its turn: others have no words for it, or draw it as
  /// one that is under way.
  package var knowsWaiting: Bool { postkit.map { $0.each == true } ?? true }

  /// A client that can nothing.
  package init() {}

  /// Reads the parameters of `initialize`.
  package init(_ params: LSP.InitializeParams) {
    let capabilities = params.capabilities
    name = params.clientInfo?.name ?? ""
    encoding = ClientProfile.encoding(capabilities.general?.positionEncodings)
    if let document = capabilities.textDocument { read(document) }
    if let workspace = capabilities.workspace { read(workspace) }
    // Vim's and Neovim's clients carry out commands and don't say so.
    if name.lowercased().contains("vim") { executesCommands = true }
    if let window = capabilities.window {
      showsProgress = window.workDoneProgress ?? false
      showsDocuments = window.showDocument?.support ?? false
    }
    // LSP has no flag for the request as such; a client that says nothing about it may lack it.
    asksWithButtons = capabilities.window?.showMessage != nil
    let commands = capabilities.experimental?["commands"]?["commands"]?.elements ?? []
    asksForMore = commands.contains { $0.string == ClientProfile.askForMore }
    if let own = capabilities.experimental?["postkit"] { postkit = ClientProfile.postkit(own) }
  }

  private mutating func read(_ document: LSP.TextDocumentClientCapabilities) {
    pullsDiagnostics = document.diagnostic != nil
    takesPublishedDiagnostics = document.publishDiagnostics != nil || !pullsDiagnostics
    publishesVersions = document.publishDiagnostics?.versionSupport ?? false
    linksDiagnosticCodes =
      (pullsDiagnostics
        ? document.diagnostic?.codeDescriptionSupport
        : document.publishDiagnostics?.codeDescriptionSupport) ?? false
    relatesDiagnostics =
      (pullsDiagnostics
        ? document.diagnostic?.relatedInformation
        : document.publishDiagnostics?.relatedInformation) ?? false
    let tags =
      pullsDiagnostics
      ? document.diagnostic?.tagSupport : document.publishDiagnostics?.tagSupport
    diagnosticTags = Set(tags?.valueSet ?? [])
    hasHierarchicalSymbols = document.documentSymbol?.hierarchicalDocumentSymbolSupport ?? false
    let item = document.completion?.completionItem
    takesSnippets = item?.snippetSupport ?? false
    choosesInsertedRange = item?.insertReplaceSupport ?? false
    takesLabelDetails = item?.labelDetailsSupport ?? false
    marksDeprecated = item?.tagSupport?.valueSet.contains(.deprecated) ?? false
    takesMarkdownInCompletion = item?.documentationFormat?.contains(.markdown) ?? false
    takesMarkupInCompletion = item?.documentationFormat?.isEmpty == false
    takesMarkdownInSignatures =
      document.signatureHelp?.signatureInformation?.documentationFormat?.contains(.markdown)
      ?? false
    resolvesDocumentation = item?.resolveSupport?.properties.contains("documentation") ?? false
    takesDefaultEditRange =
      document.completion?.completionList?.itemDefaults?.contains("editRange") ?? false
    takesMarkdownInHover = document.hover?.contentFormat?.contains(.markdown) ?? false
    preparesRenames = document.rename?.prepareSupport ?? false
    takesCodeActionLiterals = document.codeAction?.codeActionLiteralSupport != nil
    resolvesCodeActionEdits =
      takesCodeActionLiterals && document.codeAction?.dataSupport ?? false
      && document.codeAction?.resolveSupport?.properties.contains("edit") ?? false
    showsDisabledActions =
      takesCodeActionLiterals && document.codeAction?.disabledSupport ?? false
    hasInlayHints = document.inlayHint != nil
    linksDefinitions = document.definition?.linkSupport ?? false
    linksTypeDefinitions = document.typeDefinition?.linkSupport ?? false
    linksImplementations = document.implementation?.linkSupport ?? false
    showsLinkTooltips = document.documentLink?.tooltipSupport ?? false
    folding = document.foldingRange.map(FoldingAbility.init) ?? FoldingAbility()
    tokens = document.semanticTokens.map(TokenAbility.init)
  }

  private mutating func read(_ workspace: LSP.WorkspaceClientCapabilities) {
    answersConfiguration = workspace.configuration ?? false
    resolvesSymbolLocations =
      workspace.symbol?.resolveSupport?.properties.contains { $0.hasPrefix("location") } ?? false
    refreshesTokens = workspace.semanticTokens?.refreshSupport ?? false
    refreshesInlayHints = workspace.inlayHint?.refreshSupport ?? false
    refreshesCodeLenses = workspace.codeLens?.refreshSupport ?? false
    refreshesDiagnostics = workspace.diagnostics?.refreshSupport ?? false
    executesCommands = workspace.executeCommand != nil
    readsContentDocuments = workspace.textDocumentContent != nil
    appliesEdits = workspace.applyEdit ?? false
    // Files are made in document changes alone: who names the one takes the other (Neovim).
    let operations = workspace.workspaceEdit?.resourceOperations ?? []
    takesDocumentChanges = workspace.workspaceEdit?.documentChanges ?? !operations.isEmpty
    createsFiles = takesDocumentChanges && operations.contains("create")
    showsChangeAnnotations = workspace.workspaceEdit?.changeAnnotationSupport != nil
    registersWatchedFiles = workspace.didChangeWatchedFiles?.dynamicRegistration ?? false
    watchesRelativePatterns = workspace.didChangeWatchedFiles?.relativePatternSupport ?? false
    registersConfiguration = workspace.didChangeConfiguration?.dynamicRegistration ?? false
  }

  /// UTF-8 whenever it is offered, else the first offer that we know, else UTF-16 (CONTRACTS.md,
  /// section 3).
  static func encoding(_ offers: [LSP.PositionEncodingKind]?) -> PositionEncoding {
    let known = (offers ?? []).compactMap { PositionEncoding(rawValue: $0.rawValue) }
    return known.contains(.utf8) ? .utf8 : known.first ?? .utf16
  }

  /// What we don't understand of our own extension is as good as absent.
  private static func postkit(_ value: JSONValue) -> LSP.PostkitClientCapability? {
    guard let tree = try? JSONTree(parsing: value.bytes) else { return nil }
    return try? LSP.PostkitClientCapability(decoding: tree.root)
  }
}

/// What a client can do with semantic tokens.
package struct TokenAbility: Sendable, Hashable {
  package let legend: TokenLegend
  package let takesAll: Bool
  package let takesDeltas: Bool
  package let takesRanges: Bool

  init(_ capabilities: LSP.SemanticTokensClientCapabilities) {
    legend = TokenLegend(
      types: capabilities.tokenTypes, modifiers: capabilities.tokenModifiers)
    let (full, range) = (capabilities.requests.full, capabilities.requests.range)
    takesAll = full.map { $0 != .bool(false) && $0 != .null } ?? false
    takesDeltas = full?["delta"] == .bool(true)
    takesRanges = range.map { $0 != .bool(false) && $0 != .null } ?? false
  }
}

/// What a client can do with folds.
package struct FoldingAbility: Sendable, Hashable {
  /// How many it wants at most.
  package var limit: Int?
  /// Whether it folds whole lines only.
  package var takesOnlyLines = false
  /// Whether it shows a text in place of what is folded.
  package var showsText = false

  /// A client that says nothing of folds.
  package init() {}

  init(_ capabilities: LSP.FoldingRangeClientCapabilities) {
    limit = capabilities.rangeLimit
    takesOnlyLines = capabilities.lineFoldingOnly ?? false
    showsText = capabilities.foldingRange?.collapsedText ?? false
  }
}
