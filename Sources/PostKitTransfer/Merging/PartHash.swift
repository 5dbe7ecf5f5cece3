// What a manifest keeps of a text: enough to see that it changed, and nothing of it.

import PostKitHTTP
import PostKitSupport

/// Hashes of generated texts (IO-20).
enum PartHash {
  /// The first 16 hexadecimal digits of a text's SHA-256.
  static func of(_ text: String) -> String { text.isEmpty ? empty : of(text.keptBytes) }

  /// The same of bytes.
  static func of(_ bytes: [UInt8]) -> String {
    SHA256.hex(Array(SHA256.digest(bytes).prefix(8)))
  }

  /// The first 8 digits, for a single line of a part: of these there are many.
  static func short(_ text: String) -> String {
    SHA256.hex(Array(SHA256.digest(text.keptBytes).prefix(4)))
  }

  private static let empty = of([])
}
