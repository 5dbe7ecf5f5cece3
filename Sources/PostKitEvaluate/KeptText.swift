// Text as the author wrote it, with the bytes that are no UTF-8.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension ParsedBlock {
  /// The text of a range of the block, of which no byte is lost.
  func keptText(_ range: Range<Int>) -> String { String(keeping: slice(range)) }
}

extension [UInt8] {
  /// Adds the bytes that a text stands for.
  mutating func append(restoring text: String) {
    if text.mayKeepBytes { self += text.keptBytes } else { append(contentsOf: text.utf8) }
  }

  /// Whether a reference or an escaped one can begin in a range: there is an open brace in it.
  func mayRefer(in range: Range<Int>) -> Bool {
    withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).hasOpenBrace }
  }
}

extension String {
  /// Whether a reference or an escaped one can begin in the text: there is an open brace in it.
  var mayRefer: Bool {
    utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).hasOpenBrace }
      ?? utf8.contains(UInt8(ascii: "{"))
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var hasOpenBrace: Bool {
    var at = 0
    while at + 8 <= count {
      if loadUnaligned(fromByteOffset: at, as: UInt64.self).places(of: UInt8(ascii: "{")) != 0 {
        return true
      }
      at += 8
    }
    return self[at...].contains(UInt8(ascii: "{"))
  }
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
