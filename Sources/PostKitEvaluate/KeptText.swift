// Text as the author wrote it, with the bytes that are no UTF-8.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension ParsedBlock {
  /// The text of a range of the block, of which no byte is lost.
  func keptText(_ range: Range<Int>) -> String { String(keeping: slice(range)) }
}

extension ShellWord {
  /// The text, of which no byte is lost.
  var keptText: String { String(keeping: bytes) }
}

extension JSONValue {
  /// The value of a file or a body of JSON, as `String.keepingOwn`.
  var keepingOwn: JSONValue {
    // Hardly ever is there anything to do, and values may be large.
    guard mayKeepBytes else { return self }
    return switch self {
    case .string(let text): .string(text.keepingOwn)
    case .array(let elements): .array(elements.map(\.keepingOwn))
    case .object(let members):
      .object(members.map { JSONMember($0.key, $0.value.keepingOwn) })
    case .null, .bool, .number: self
    }
  }

  private var mayKeepBytes: Bool {
    switch self {
    case .string(let text): text.mayKeepBytes
    case .array(let elements): elements.contains(where: \.mayKeepBytes)
    case .object(let members): members.contains { $0.value.mayKeepBytes }
    case .null, .bool, .number: false
    }
  }
}
