// Which bodies are text, and what they say.

/// Bodies as text.
package enum BodyText {
  /// The text of a body in a charset that PostKit knows; `nil` for binary content.
  package static func decoded(_ bytes: [UInt8], _ type: MediaType?) -> String? {
    if let encoding = type?.foreignEncoding { return encoding.decode(bytes) }
    if bytes.prefix(8_192).contains(0) { return nil }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return type?.isText == true ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

extension MediaType {
  /// What a body of the type says, as bytes of UTF-8: decoded where the type names another charset
  /// that PostKit knows, else as they came.
  package func inUTF8(_ bytes: [UInt8]) -> [UInt8] {
    foreignEncoding.map { Array($0.decode(bytes).utf8) } ?? bytes
  }

  /// The encoding that the type names where it is not UTF-8; words of Node.js are no charsets.
  fileprivate var foreignEncoding: CharacterEncoding? {
    switch parameter("charset").flatMap({ CharacterEncoding($0) }) {
    case nil, .utf8, .base64, .hex: nil
    case let encoding?: encoding
    }
  }
}
