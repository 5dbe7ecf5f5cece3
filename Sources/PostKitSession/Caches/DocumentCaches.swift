// What is kept of each open document from one question to the next, so that a keystroke costs one
// block.

package import PostKitLanguage
package import PostKitRunner
package import PostKitSyntax
import PostKitSupport
import Synchronization

/// What is known of one open document.
package struct DocumentCache: Sendable {
  /// What was found in its blocks.
  package var diagnostics: DiagnosticsCache?
  /// The last parse, where its lines are read by a dialect of the settings.
  package var reading: ParsedDocument?
  /// Its scripts.
  package var scripts: ScriptSources?
  /// What was found in its GraphQL.
  package var graphQL: GraphQLFindings?
  /// What can be folded.
  package var folding: Folding?
  /// Its tokens as they were answered.
  package fileprivate(set) var tokens: TokenResults?
  /// The newest results as its requests have them.
  var results: ResultIndex?
  /// The earlier responses that it reads.
  var earlier: FoundExchanges?
  /// The digest of the text of a stored request that it began with, or brought into the store last:
  /// an editor keeps its own while the file that it shares with others gets another one.
  package var storedText: String?
}

/// The tokens of a document as they were answered.
package struct TokenResults: Sendable {
  /// Those of the last look.
  package var tokens = DocumentTokens()
  /// The id of the last look.
  package fileprivate(set) var id = ""
  /// The last looks, the newest first. A client that gave up waiting for one asks for what has
  /// changed since an earlier one; they have most of their blocks in common.
  package fileprivate(set) var results: [(id: String, blocks: [BlockTokens])] = []

  /// How many looks are remembered.
  private static let keptLooks = 4

  /// Nothing was looked at yet.
  package init() {}

  /// Remembers the look under an id.
  fileprivate mutating func note(_ id: String) {
    self.id = id
    results.insert((id, tokens.blocks), at: 0)
    if results.count > Self.keptLooks { results.removeLast() }
  }
}

/// What is known of all open documents. Each look has a copy: a keystroke while the look before is
/// still going on, or a push beside a pull, must not begin with nothing.
package final class DocumentCaches: Sendable {
  private struct State {
    var documents: [DocumentURI: DocumentCache] = [:]
    var latest = LatestResults()
    /// The names of the requests of files that were sent, and when that was so.
    var sent: [String: (revision: UInt64, names: Set<String>)] = [:]
    /// How many looks at tokens there were.
    var looks = 0
  }

  private let state = Mutex(State())
  /// The parses of the files that open documents import.
  package let parsedFiles = ParsedFiles()

  /// Nothing is open.
  package init() {}

  /// What is known of a document; `nil` where it isn't open.
  package subscript(uri: DocumentURI) -> DocumentCache? { state.withLock { $0.documents[uri] } }

  /// Begins to keep what is known of a document.
  package func open(_ uri: DocumentURI) { state.withLock { $0.documents[uri] = DocumentCache() } }

  /// Forgets a document that is closed, and which requests were sent, which is found fast enough.
  package func close(_ uri: DocumentURI) {
    state.withLock { ($0.documents[uri], $0.sent) = (nil, [:]) }
  }

  /// Keeps what a look has found, unless the document was closed meanwhile.
  package func keep(_ uri: DocumentURI, _ change: (inout DocumentCache) -> Void) {
    state.withLock { state in
      if state.documents[uri] != nil { change(&state.documents[uri, default: DocumentCache()]) }
    }
  }

  /// Notes the text that a document of a stored request begins with.
  package func began(_ uri: DocumentURI, with text: [UInt8]) {
    let digest = SHA256.hexDigest(text)
    keep(uri) { $0.storedText = digest }
  }

  /// Keeps a look at tokens under an id of its own.
  package func keep(_ results: TokenResults, of uri: DocumentURI) -> TokenResults {
    state.withLock { state in
      var results = results
      state.looks += 1
      results.note(String(state.looks))
      state.documents[uri]?.tokens = results
      return results
    }
  }

  /// Whether tokens were answered of any document.
  package var hasTokens: Bool {
    state.withLock { $0.documents.values.contains { $0.tokens != nil } }
  }

  /// The results of a file, newest first; `nil` where they are not known at that revision.
  func results(file: String, at revision: UInt64) -> ResultTable? {
    state.withLock { $0.latest.results(file: file, at: revision) }
  }

  /// Keeps the results of a file.
  func keep(_ results: ResultTable, of file: String, at revision: UInt64) {
    state.withLock { $0.latest.keep(results, of: file, at: revision) }
  }

  /// The names of the requests of a file that were sent; `nil` where they are not known.
  func sentRequests(of file: String, revision: UInt64) -> Set<String>? {
    state.withLock { $0.sent[file].flatMap { $0.revision == revision ? $0.names : nil } }
  }

  /// Keeps the names of the requests of a file that were sent.
  func keep(sent names: Set<String>, of file: String, revision: UInt64) {
    state.withLock { $0.sent[file] = (revision, names) }
  }
}
