// Semantic tokens: the whole of them, what a keystroke changes, a screen.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSupport
import PostKitText
import Synchronization

/// The handlers of semantic tokens.
enum Painting {
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
      guard let kept = snapshot.services.tokens[document.uri],
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
    let encoding = snapshot.client.profile.encoding
    let caches = snapshot.services.tokens
    caches.keep { snapshot.documents[$0] != nil }
    var results = caches[document.uri] ?? TokenResults()
    if let analysis = await analysis(snapshot, document) {
      results.tokens.update(for: analysis, ability.legend, encoding)
    } else {
      results.tokens.update(showing: document.parsed, ability.legend, encoding)
    }
    return caches.keep(results, of: document.uri)
  }

  /// The document with what its names mean; earlier answers are not asked for, as tokens show
  /// nothing of them. `nil` for a document that is only shown.
  private static func analysis(_ snapshot: Snapshot, _ document: OpenDocument) async -> Analysis? {
    guard snapshot.holdsRequests(document.uri) else { return nil }
    let context = await snapshot.context(of: document)
    var scope = context.workspace.scope(
      of: context.document.parsed, environment: context.environment, dialect: context.dialect)
    scope.globals = await snapshot.services.globals(of: context.owner, context.dialect)
    return Analysis(
      document: context.document.parsed, scope: scope,
      context: context.workspace.analysisContext(environment: context.environment) { _ in nil },
      defaults: context.settings.requestDefaults)
  }
}

/// What a client can do with semantic tokens.
struct TokenAbility: Sendable, Hashable {
  let legend: TokenLegend
  let takesAll: Bool
  let takesDeltas: Bool
  let takesRanges: Bool

  init(_ capabilities: LSP.SemanticTokensClientCapabilities) {
    legend = TokenLegend(
      types: capabilities.tokenTypes, modifiers: capabilities.tokenModifiers)
    let (full, range) = (capabilities.requests.full, capabilities.requests.range)
    takesAll = full.map { $0 != .bool(false) && $0 != .null } ?? false
    takesDeltas = full?["delta"] == .bool(true)
    takesRanges = range.map { $0 != .bool(false) && $0 != .null } ?? false
  }
}

/// The tokens of a document as they were answered.
struct TokenResults: Sendable {
  /// Those of the last look.
  var tokens = DocumentTokens()
  /// The id of the last look.
  fileprivate(set) var id = ""
  /// The last looks, the newest first. A client that gave up waiting for one asks for what has
  /// changed since an earlier one; they have most of their blocks in common.
  fileprivate(set) var results: [(id: String, blocks: [BlockTokens])] = []

  /// How many looks are remembered.
  private static let keptLooks = 4

  /// Remembers the look under an id.
  fileprivate mutating func note(_ id: String) {
    self.id = id
    results.insert((id, tokens.blocks), at: 0)
    if results.count > Self.keptLooks { results.removeLast() }
  }
}

/// The tokens of the open documents.
final class TokenCaches: Sendable {
  private struct State {
    var results: [DocumentURI: TokenResults] = [:]
    var looks = 0
  }
  private let state = Mutex(State())

  /// What is known of a document.
  subscript(uri: DocumentURI) -> TokenResults? { state.withLock { $0.results[uri] } }

  /// Keeps a look under an id of its own.
  func keep(_ results: TokenResults, of uri: DocumentURI) -> TokenResults {
    state.withLock { state in
      var results = results
      state.looks += 1
      results.note(String(state.looks))
      state.results[uri] = results
      return results
    }
  }

  /// Forgets documents that are no longer open.
  func keep(_ isOpen: (DocumentURI) -> Bool) {
    state.withLock { state in
      for uri in Array(state.results.keys) where !isOpen(uri) { state.results[uri] = nil }
    }
  }

  /// Whether nothing was painted.
  var isEmpty: Bool { state.withLock { $0.results.isEmpty } }
}

extension ServerState {
  /// Asks the client to paint anew where names mean something else now.
  mutating func refreshTokens() {
    guard client.profile.refreshesTokens, !services.tokens.isEmpty else { return }
    let snapshot = snapshot
    inFlight.start(nil) {
      guard await Painting.isOutOfDate(snapshot) else { return nil }
      do throws(RPCError) {
        _ = try await snapshot.client.request(
          LSP.SemanticTokensRefreshRequest.self, LSP.Nothing())
      } catch {
        Log.info("The client does not refresh its tokens: \(error.message)")
      }
      return nil
    }
  }
}
