// The bytes of a body, wherever they are kept.

package import PostKitHTTP
import PostKitSupport

/// Reads bodies for display.
package enum StoredBody {
  /// The first bytes of a body, at most `limit`; none where its file is gone.
  package static func bytes(_ body: BodyContent, limit: Int) -> [UInt8] {
    switch body {
    case .bytes(let bytes): bytes.count <= limit ? bytes : Array(bytes.prefix(limit))
    case .file(let path, let size):
      orLog("reading the body \(path)") {
        try FileSystem.head(path: path, count: min(limit, size))
      } ?? []
    }
  }
}
