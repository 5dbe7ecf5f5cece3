// What was found in open documents at the last look, so that a keystroke costs one block.

import PostKitLanguage
import Synchronization

/// The caches of the open documents; each is lent to one look at a time.
final class DiagnosticsCaches: Sendable {
  private let caches = Mutex<[DocumentURI: DiagnosticsCache]>([:])

  /// Takes the cache of a document; empty for a second look at the same time.
  func take(_ uri: DocumentURI) -> DiagnosticsCache {
    caches.withLock { $0.removeValue(forKey: uri) } ?? DiagnosticsCache()
  }

  /// Gives a cache back for the next look.
  func give(_ cache: DiagnosticsCache, of uri: DocumentURI) {
    caches.withLock { $0[uri] = cache }
  }

  /// Forgets documents that are no longer open.
  func keep(_ isOpen: (DocumentURI) -> Bool) {
    caches.withLock { caches in
      for uri in Array(caches.keys) where !isOpen(uri) { caches[uri] = nil }
    }
  }
}
