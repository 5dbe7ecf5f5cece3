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

  /// Some bytes of a body, fewer at its end; none where its file is gone.
  package static func piece(_ body: BodyContent, offset: Int, count: Int) -> [UInt8] {
    switch body {
    case .bytes(let bytes):
      Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    case .file(let path, _):
      orLog("reading the body \(path)") {
        try FileSystem.piece(path: path, offset: offset, count: count)
      } ?? []
    }
  }

  /// All bytes of a body; none where its file is gone.
  package static func whole(_ body: BodyContent) -> [UInt8] { bytes(body, limit: .max) }

  /// The SHA-256 of a body as 64 hexadecimal digits; that of nothing where its file is gone.
  package static func digest(_ body: BodyContent) -> String {
    var hash = SHA256()
    switch body {
    case .bytes(let bytes): hash.update(bytes)
    case .file(let path, _):
      orLog("reading the body \(path)") {
        try FileSystem.forEachChunk(path: path) { chunk in
          hash.update(chunk)
          return true
        }
      }
    }
    return SHA256.hex(hash.finish())
  }
}
