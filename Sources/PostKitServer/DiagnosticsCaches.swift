// What was found in open documents at the last look, so that a keystroke costs one block.

import PostKitLanguage
import PostKitSyntax
import Synchronization

/// The caches of the open documents. Each look has a copy: a keystroke while the look before is
/// still going on, or a push beside a pull, must not begin with nothing.
final class DiagnosticsCaches: Sendable {
  private let caches = Mutex<[DocumentURI: DiagnosticsCache]>([:])

  /// What was found in a document at the last look that is over.
  subscript(uri: DocumentURI) -> DiagnosticsCache {
    caches.withLock { $0[uri] } ?? DiagnosticsCache()
  }

  /// Keeps a cache for the next look.
  func keep(_ cache: DiagnosticsCache, of uri: DocumentURI) {
    caches.withLock { $0[uri] = cache }
  }

  /// Forgets documents that are no longer open.
  func keep(_ isOpen: (DocumentURI) -> Bool) {
    caches.withLock { caches in
      for uri in Array(caches.keys) where !isOpen(uri) { caches[uri] = nil }
    }
  }
}

/// The last parse of each open document whose lines are read by a dialect of the settings.
final class DocumentReadings: Sendable {
  private let documents = Mutex<[DocumentURI: ParsedDocument]>([:])

  /// The last parse of a document.
  subscript(uri: DocumentURI) -> ParsedDocument? { documents.withLock { $0[uri] } }

  /// Keeps the parse of a document for the next one.
  func keep(_ parsed: ParsedDocument, of uri: DocumentURI) {
    documents.withLock { $0[uri] = parsed }
  }

  /// Forgets documents that are no longer open.
  func keep(_ isOpen: (DocumentURI) -> Bool) {
    documents.withLock { $0 = $0.filter { isOpen($0.key) } }
  }
}
