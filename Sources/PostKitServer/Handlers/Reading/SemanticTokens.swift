// Semantic tokens: the whole of them, what a keystroke changes, a screen.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitText

/// The handlers of semantic tokens.
enum SemanticTokens {
  /// `textDocument/semanticTokens/full`.
  static func full(
    _ snapshot: Snapshot, _ params: LSP.SemanticTokensParams
  ) async throws(RPCError) -> LSP.SemanticTokens? {
    guard let look = try await look(snapshot, params.textDocument.uri) else { return nil }
    return LSP.SemanticTokens(resultId: look.id, data: look.tokens.data)
  }

  /// `textDocument/semanticTokens/full/delta`; all tokens where the earlier ones are not known any
  /// more.
  static func delta(
    _ snapshot: Snapshot, _ params: LSP.SemanticTokensDeltaParams
  ) async throws(RPCError) -> LSP.SemanticTokensOrSemanticTokensDelta? {
    guard let look = try await look(snapshot, params.textDocument.uri) else { return nil }
    guard let earlier = look.results.first(where: { $0.id == params.previousResultId }) else {
      return .semanticTokens(LSP.SemanticTokens(resultId: look.id, data: look.tokens.data))
    }
    let edits = DocumentTokens.edits(from: earlier.blocks, to: look.tokens.blocks)
    return .semanticTokensDelta(
      LSP.SemanticTokensDelta(
        resultId: look.id,
        edits: edits.map {
          LSP.SemanticTokensEdit(start: $0.start, deleteCount: $0.deleteCount, data: $0.data)
        }))
  }

  /// `textDocument/semanticTokens/range`.
  static func range(
    _ snapshot: Snapshot, _ params: LSP.SemanticTokensRangeParams
  ) async throws(RPCError) -> LSP.SemanticTokens? {
    guard let ability = snapshot.client.profile.tokens else { return nil }
    let document = try snapshot.document(params.textDocument.uri)
    if snapshot.shownBody(document) != nil { return nil }
    let encoding = snapshot.client.profile.encoding
    let range = document.text.converter(encoding).offsets(params.range)
    let analysis = await analysis(snapshot, document)
    return LSP.SemanticTokens(
      data: DocumentTokens.data(
        in: range, of: analysis?.document ?? document.parsed, analysis, ability.legend, encoding))
  }

  /// Whether names mean something else now than when they were painted, in any open document.
  static func isOutOfDate(_ snapshot: Snapshot) async -> Bool {
    for document in snapshot.documents.all {
      guard let kept = snapshot.caches[document.uri]?.tokens,
        let analysis = await analysis(snapshot, document)
      else { continue }
      if !kept.tokens.isUpToDate(with: analysis) { return true }
    }
    return false
  }

  /// Paints a document as far as it has changed; `nil` for a client that shows no tokens.
  private static func look(
    _ snapshot: Snapshot, _ uri: String
  ) async throws(RPCError) -> TokenResults? {
    guard let ability = snapshot.client.profile.tokens else { return nil }
    let document = try snapshot.document(uri)
    // A body alone is in a language that the editor knows.
    if snapshot.shownBody(document) != nil { return nil }
    let encoding = snapshot.client.profile.encoding
    var results = snapshot.caches[document.uri]?.tokens ?? TokenResults()
    let isWhole =
      if let analysis = await analysis(snapshot, document) {
        results.tokens.update(for: analysis, ability.legend, encoding)
      } else {
        results.tokens.update(showing: document.parsed, ability.legend, encoding) {
          Task.isCancelled
        }
      }
    guard isWhole else { throw .cancelled }
    return snapshot.caches.keep(results, of: document.uri)
  }

  /// The document with what its names mean; earlier answers are not asked for, as tokens show
  /// nothing of them. `nil` for a document that is only shown.
  private static func analysis(_ snapshot: Snapshot, _ document: OpenDocument) async -> Analysis? {
    guard snapshot.holdsRequests(document.uri), !snapshot.isSurrounding(document.uri) else {
      return nil
    }
    let context = await snapshot.context(of: document)
    var scope = context.workspace.scope(
      of: context.document.parsed, environment: context.environment, dialect: context.dialect)
    scope.globals = await snapshot.globals(of: context.owner, context.dialect)
    var analysis = Analysis(
      document: context.document.parsed, scope: scope,
      context: context.workspace.analysisContext(environment: context.environment) { _ in nil },
      defaults: context.settings.requestDefaults)
    // Our own plugins bring a grammar along, and other clients know of none.
    let colouring =
      context.settings[.scriptsTokens]
      ?? (snapshot.client.profile.postkit == nil ? .all : .names)
    analysis.paintsAllOfScripts = colouring == .all
    analysis.isAbandoned = { Task.isCancelled }
    return analysis
  }
}
