// Literals of scripts, and how they are written where we need them.

import PostKitJSON
import PostKitSyntax

/// A value that stands in a script itself.
enum ScriptLiteral: Sendable, Hashable {
  case text(String)
  /// A number, `true`, `false` or `null` as JSON has it.
  case word(String)
  /// An array or object as compact JSON.
  case json(String)

  /// The literal behind a predicate of a `??` line that compares whole values; `nil` where the line
  /// would mean something else.
  var expected: String? {
    switch self {
    case .word(let text): text
    case .json(let text): text.contains("{{") ? nil : text
    case .text(let text):
      if text.contains("{{") {
        nil
      } else if Self.isPlain(text) {
        text
      } else {
        JSONValue.string(text).text
      }
    }
  }

  /// The literal behind `contains`, which takes quotes for text.
  var part: String? {
    guard case .text(let text) = self, !text.isEmpty, !text.contains("{{"),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }), text.first != " ", text.last != " "
    else { return nil }
    return text
  }

  /// Whether a text stands for itself: without quotes it must not be read as JSON.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.first, let last = text.last, first != "'" else { return false }
    let isBlank = first.isWhitespace || last.isWhitespace
    let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    // What is no JSON is taken for a text.
    return !isBlank && isLine && (try? JSONTree(parsing: Array(text.utf8))) == nil
  }

  /// Whether a name of JavaScript needs no quotes.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "$")
    }
  }

  /// A text as a string of JavaScript on one line.
  static func quoted(_ text: String) -> String { JSONValue.string(text).text }

  /// The text of a string token; `nil` where it is not closed or has an escape that is not known.
  static func text(of token: ScriptToken, in tokens: ScriptTokens) -> String? {
    guard token.kind == .string else { return nil }
    if token.isPlain { return tokens.text(token.inside) }
    let all = Array(tokens.slice(token.range))
    guard all.count >= 2, all.first == all.last else { return nil }
    return decode(all.dropFirst().dropLast())
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard let escape = rest.popFirst() else { return nil }
      switch escape {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "\\"),
        UInt8(ascii: "/"), UInt8(ascii: "$"):
        result.append(escape)
      case UInt8(ascii: "u"), UInt8(ascii: "x"):
        let count = escape == UInt8(ascii: "u") ? 4 : 2
        guard let value = UInt32(String(decoding: rest.prefix(count), as: UTF8.self), radix: 16),
          rest.count >= count, let scalar = Unicode.Scalar(value)
        else { return nil }
        rest = rest.dropFirst(count)
        result += Array(String(Character(scalar)).utf8)
      default: return nil
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
