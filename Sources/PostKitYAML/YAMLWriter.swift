// Values to YAML text that people like to read and that reads back as the same.

package import PostKitJSON

/// A writer of YAML in blocks. Whatever reads YAML 1.1 or 1.2 takes its texts for texts: what only
/// looks like a number, a date or a boolean is quoted.
package struct YAMLWriter {
  /// The bytes of a name that may stand before `:`; YAML allows 1,024 characters.
  private static let nameLimit = 500

  private var output: [UInt8] = []

  /// The text of a value, with a line end at its end.
  package static func text(_ value: JSONValue) -> [UInt8] {
    var writer = YAMLWriter()
    writer.write(value, depth: 0, isAfterDash: true)
    return writer.output
  }

  /// Writes a value at the end of a line that has a `-` or nothing, or behind a name.
  private mutating func write(_ value: JSONValue, depth: Int, isAfterDash: Bool) {
    switch value {
    case .object(let members) where !members.isEmpty:
      if !isAfterDash { endLine() }
      for (index, member) in members.enumerated() {
        if index > 0 || !isAfterDash { indent(depth) }
        write(member, depth: depth)
      }
    case .array(let elements) where !elements.isEmpty:
      if !isAfterDash { endLine() }
      for (index, element) in elements.enumerated() {
        if index > 0 || !isAfterDash { indent(depth) }
        append("- ")
        write(element, depth: depth + 1, isAfterDash: true)
      }
    default:
      if !isAfterDash { append(" ") }
      scalar(value, depth: depth)
      endLine()
    }
  }

  private mutating func write(_ member: JSONMember, depth: Int) {
    let name = YAMLQuoting.name(member.key)
    guard name.utf8.count <= Self.nameLimit else {
      append("? ")
      append(name)
      endLine()
      indent(depth)
      append(":")
      return write(member.value, depth: depth + 1, isAfterDash: false)
    }
    append(name)
    append(":")
    write(member.value, depth: depth + 1, isAfterDash: false)
  }

  private mutating func scalar(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(flag ? "true" : "false")
    case .number(let digits): append(digits)
    case .string(let text):
      if let block = YAMLQuoting.block(text) {
        append(block.header)
        for line in block.lines {
          endLine()
          if !line.isEmpty {
            indent(max(depth, 1))
            append(line)
          }
        }
      } else {
        append(YAMLQuoting.value(text))
      }
    case .array: append("[]")
    case .object: append("{}")
    }
  }

  private mutating func append(_ text: some StringProtocol) {
    output.append(contentsOf: text.utf8)
  }

  private mutating func indent(_ depth: Int) {
    output.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  private mutating func endLine() { output.append(0x0A) }
}

/// How a text is written so that it is read as that text.
enum YAMLQuoting {
  /// Words that readers of YAML 1.1 take for booleans or nothing, in small letters.
  private static let words: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", "~",
  ]

  /// A text behind a name or `-`: plain, else in double quotes.
  static func value(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// A text before `:`.
  static func name(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// The header and the lines of a block, for texts of several lines; `nil` where a block would be
  /// read otherwise.
  static func block(_ text: String) -> (header: String, lines: [Substring])? {
    guard text.utf8.contains(0x0A), text.unicodeScalars.allSatisfy(isPrintable) else { return nil }
    var lines = text.split(
      maxSplits: .max, omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" })
    // A first line that is empty or begins with a blank would say how deep the block is.
    guard let first = lines.first, !first.isEmpty, first.first != " ", first.first != "\t" else {
      return nil
    }
    guard text.utf8.last == 0x0A else { return ("|-", lines) }
    lines.removeLast()
    guard lines.last?.isEmpty != true else { return nil }
    return ("|", lines)
  }

  /// Whether a text means itself without quotes, to readers of YAML 1.1 as well.
  static func isPlain(_ text: String) -> Bool {
    var copy = text
    let isText = copy.withUTF8 { YAMLScalar(plain: $0) == .string }
    guard isText, !words.contains(text.lowercased()), let first = text.utf8.first else {
      return false
    }
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "("), 0x80...:
      break
    default: return false
    }
    guard text.utf8.last != 0x20, text.utf8.last != UInt8(ascii: ":") else { return false }
    var before: Unicode.Scalar = "a"
    for scalar in text.unicodeScalars {
      guard scalar != "\n", isPrintable(scalar) else { return false }
      if scalar == "#", before == " " { return false }
      if scalar == " ", before == ":" { return false }
      // What ends a text between brackets, so that a line can be moved into some.
      if "[]{},\t".unicodeScalars.contains(scalar) { return false }
      before = scalar
    }
    return true
  }

  /// Whether a character may stand in a block or in a plain text and is read as itself.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE,
      0xFF00...0xFFFD, 0x1_0000...0x10_FFFF:
      true
    default: false
    }
  }

  /// A text in double quotes, on one line.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
      }
    }
    return result + "\""
  }
}
