// Texts and bytes as the literals of programming languages.

import PostKitHTTP

/// How a language writes what can't stand in a literal as it is.
struct CopyLiteral: Sendable {
  /// The escape of a character, from its number.
  let escape: @Sendable (UInt32) -> String
  /// What begins and ends a literal of several lines.
  let longQuote: String
  /// What must not stand in a literal of several lines as it is, with what stands for it.
  let longEscapes: [(String, String)]
  /// What must not stand in a literal of one line, besides quotes and backslashes.
  var shortEscapes: [(String, String)] = []

  /// A literal on one line.
  func short(_ text: String) -> String {
    var result = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    for (found, written) in shortEscapes { result = result.replacing(found, with: written) }
    return "\"" + escaping(result, keepsLines: false) + "\""
  }

  /// A literal on as many lines as the text has.
  func long(_ text: String) -> String {
    var result = text.replacing("\\", with: "\\\\")
    for (found, written) in longEscapes { result = result.replacing(found, with: written) }
    return longQuote + escaping(result, keepsLines: true) + longQuote
  }

  /// A literal that can be read best.
  func text(_ text: String) -> String {
    text.utf8.dropLast().contains(10) ? long(text) : short(text)
  }

  private func escaping(_ text: String, keepsLines: Bool) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\n" where keepsLines: result += "\n"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if CopyLiteral.isHidden(scalar.value) {
          result += escape(scalar.value)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
  }

  /// Whether a character can't be seen, ends a line, or turns the direction of what follows: a
  /// reader would take the text for another.
  private static func isHidden(_ value: UInt32) -> Bool {
    switch value {
    case 0..<32, 127..<160, 0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    default: value >= 0xE0000
    }
  }

  /// `\x41`, `\u0041` or `\U00000041`, whichever is long enough.
  static func python(_ value: UInt32) -> String {
    value < 256 ? "\\x" + hex(value, 2) : value < 0x10000 ? "\\u" + hex(value, 4)
      : "\\U" + hex(value, 8)
  }

  /// A number with so many hexadecimal digits.
  static func hex(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
