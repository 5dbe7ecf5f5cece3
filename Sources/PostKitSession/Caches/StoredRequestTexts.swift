// What open documents of stored requests began with.

import PostKitSupport
import Synchronization

/// Which text each open document of a stored request began with, or brought into the store last:
/// an editor keeps its own while the file that it shares with others gets another one.
package final class StoredRequestTexts: Sendable {
  private let digests = Mutex<[DocumentURI: String]>([:])

  /// The digest of a document's first text; `nil` for one that isn't open.
  package subscript(uri: DocumentURI) -> String? { digests.withLock { $0[uri] } }

  /// Notes the text that a document begins with.
  package func began(_ uri: DocumentURI, with text: [UInt8]) {
    let digest = SHA256.hexDigest(text)
    digests.withLock { $0[uri] = digest }
  }

  /// Notes that a document has become what its file was begun with, as an editor reads a file
  /// again that another one has saved; `base` is the digest of that.
  package func follow(_ uri: DocumentURI, _ text: [UInt8], base: String?) {
    guard let base, base == SHA256.hexDigest(text) else { return }
    digests.withLock { $0[uri] = base }
  }

  /// Forgets a document that is closed.
  package func forget(_ uri: DocumentURI) { digests.withLock { $0[uri] = nil } }
}
