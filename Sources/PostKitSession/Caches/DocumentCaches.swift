// What was found in open documents at the last look, so that a keystroke costs one block.

package import PostKitLanguage
package import PostKitSyntax
import Synchronization

/// What is known of each open document. Each look has a copy: a keystroke while the look before is
/// still going on, or a push beside a pull, must not begin with nothing.
package final class DocumentCaches<Value: Sendable>: Sendable {
  private let values = Mutex<[DocumentURI: Value]>([:])

  /// What was kept at the last look at a document that is over.
  package subscript(uri: DocumentURI) -> Value? { values.withLock { $0[uri] } }

  /// Keeps what is known for the next look.
  package func keep(_ value: Value, of uri: DocumentURI) { values.withLock { $0[uri] = value } }

  /// Forgets documents that are no longer open.
  func keep(_ isOpen: (DocumentURI) -> Bool) {
    values.withLock { values in
      for uri in Array(values.keys) where !isOpen(uri) { values[uri] = nil }
    }
  }

  /// Whether nothing is known.
  var isEmpty: Bool { values.withLock { $0.isEmpty } }
}

/// What was found in blocks, by document.
package typealias DiagnosticsCaches = DocumentCaches<DiagnosticsCache>

/// The last parse of each open document whose lines are read by a dialect of the settings.
package typealias DocumentReadings = DocumentCaches<ParsedDocument>

/// What can be folded, by document.
package typealias FoldCaches = DocumentCaches<Folding>

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

/// The tokens of the open documents.
package final class TokenCaches: Sendable {
  private let caches = DocumentCaches<TokenResults>()
  private let looks = Atomic(0)

  /// What is known of a document.
  package subscript(uri: DocumentURI) -> TokenResults? { caches[uri] }

  /// Keeps a look under an id of its own.
  package func keep(_ results: TokenResults, of uri: DocumentURI) -> TokenResults {
    var results = results
    results.note(String(looks.add(1, ordering: .relaxed).newValue))
    caches.keep(results, of: uri)
    return results
  }

  /// Forgets documents that are no longer open.
  func keep(_ isOpen: (DocumentURI) -> Bool) { caches.keep(isOpen) }

  /// Whether nothing was painted.
  package var isEmpty: Bool { caches.isEmpty }
}

extension Services {
  /// Forgets what is known of documents that are no longer open.
  package func forgetClosed(_ documents: Documents) {
    let isOpen: (DocumentURI) -> Bool = { documents[$0] != nil }
    diagnostics.keep(isOpen)
    readings.keep(isOpen)
    folds.keep(isOpen)
    resultIndexes.keep(isOpen)
    tokens.keep(isOpen)
    earlierExchanges.keep(isOpen)
  }
}
