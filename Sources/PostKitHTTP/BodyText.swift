// Which bodies are text, and what they say.

/// Bodies as text.
package enum BodyText {
  /// The text of a body in a charset that PostKit knows; `nil` for binary content.
  package static func decoded(_ bytes: [UInt8], _ type: MediaType?) -> String? {
    switch type?.parameter("charset").flatMap({ CharacterEncoding($0) }) {
    case nil, .utf8, .base64, .hex: break
    case let encoding?: return encoding.decode(bytes)
    }
    if bytes.prefix(8_192).contains(0) { return nil }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return type?.isText == true ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
