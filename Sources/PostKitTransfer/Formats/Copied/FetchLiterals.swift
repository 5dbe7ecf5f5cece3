// Literals of JavaScript.

import PostKitHTTP

extension TextScanner {
  /// Skips blanks, line ends and comments.
  mutating func skipScriptBlanks() {
    while let byte {
      if byte == 32 || byte == 9 || byte == 10 || byte == 13 {
        at += 1
      } else if take("//") {
        skipLine()
      } else if take("/*") {
        while at < bytes.count, !take("*/") { at += 1 }
      } else {
        return
      }
    }
  }

  /// Reads a literal; anything else is a failure with its place.
  mutating func scriptLiteral(depth: Int = 0) throws(OriginFailure) -> CopiedValue {
    skipScriptBlanks()
    guard depth < 64 else { throw failure("This is nested too deeply.") }
    let start = at
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return .text(try scriptText())
    case UInt8(ascii: "{"): return .object(try scriptMembers(depth))
    case UInt8(ascii: "["): return .list(try scriptElements(depth))
    case .some(48...57), UInt8(ascii: "-"):
      at += 1
      while let byte, ASCIIWord.contains(byte) || ".+-".utf8.contains(byte) { at += 1 }
      return .number(String(decoding: bytes[start..<at], as: UTF8.self))
    default: break
    }
    switch word() {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null", "undefined": return .null
    default:
      throw failure("Only literal values can be read here, such as a text in quotes.", at: start)
    }
  }

  private mutating func scriptMembers(_ depth: Int) throws(OriginFailure) -> [CopiedMember] {
    at += 1
    var members: [CopiedMember] = []
    while true {
      skipScriptBlanks()
      if take("}") { return members }
      let isQuoted = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
      let name = isQuoted ? try scriptText() : word(also: "$")
      guard isQuoted || !name.isEmpty else { throw failure("A name or `}` is expected here.") }
      skipScriptBlanks()
      try expect(":")
      members.append(CopiedMember(name: name, value: try scriptLiteral(depth: depth + 1)))
      skipScriptBlanks()
      if take(",") { continue }
      try expect("}")
      return members
    }
  }

  private mutating func scriptElements(_ depth: Int) throws(OriginFailure) -> [CopiedValue] {
    at += 1
    var elements: [CopiedValue] = []
    while true {
      skipScriptBlanks()
      if take("]") { return elements }
      elements.append(try scriptLiteral(depth: depth + 1))
      skipScriptBlanks()
      if take(",") { continue }
      try expect("]")
      return elements
    }
  }

  /// Reads a text in quotes with its escapes; `${` is no literal.
  mutating func scriptText() throws(OriginFailure) -> String {
    let start = at
    guard let quote = byte else { throw failure("A text is expected here.") }
    at += 1
    var text = ScriptText()
    while let byte, byte != quote {
      if byte == UInt8(ascii: "\\") {
        let escape = at
        at += 1
        try scriptEscape(from: escape, &text)
        continue
      }
      if byte == 10, quote != UInt8(ascii: "`") { break }
      if quote == UInt8(ascii: "`"), byte == UInt8(ascii: "$"), at + 1 < bytes.count,
        bytes[at + 1] == UInt8(ascii: "{")
      {
        throw failure("Only literal values can be read here, and `${` is none.")
      }
      text.append(byte)
      at += 1
    }
    guard byte == quote else { throw failure("This text is not closed.", at: start) }
    at += 1
    return text.string
  }

  /// Takes what follows a backslash.
  private mutating func scriptEscape(
    from start: Int, _ text: inout ScriptText
  ) throws(OriginFailure) {
    guard let byte else { throw failure("This text is not closed.", at: start) }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "v"): text.append(11)
    case UInt8(ascii: "0"): text.append(0)
    case UInt8(ascii: "x"): text.append(unit: try scriptNumber(2, from: start))
    case UInt8(ascii: "u"):
      guard take("{") else { return text.append(unit: try scriptNumber(4, from: start)) }
      let digits = word()
      guard take("}"), let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
      else { throw failure("This escape names no character.", at: start) }
      for byte in String(Character(scalar)).utf8 { text.append(byte) }
    case 10: break
    default: text.append(byte)
    }
  }

  private mutating func scriptNumber(
    _ digits: Int, from start: Int
  ) throws(OriginFailure) -> UInt16 {
    let end = min(at + digits, bytes.count)
    guard let number = UInt16(String(decoding: bytes[at..<end], as: UTF8.self), radix: 16),
      end == at + digits
    else { throw failure("This escape names no character.", at: start) }
    at = end
    return number
  }
}

/// A text of a script that grows by bytes and by units of UTF-16.
private struct ScriptText {
  private var bytes: [UInt8] = []
  /// Halves of a character beyond the first 65,536 come as two escapes.
  private var units: [UInt16] = []

  mutating func append(_ byte: UInt8) {
    bytes += ending
    units = []
    bytes.append(byte)
  }

  mutating func append(unit: UInt16) { units.append(unit) }

  /// The whole text; a half that stands alone becomes U+FFFD.
  var string: String { String(decoding: bytes + ending, as: UTF8.self) }

  private var ending: [UInt8] {
    units.isEmpty ? [] : Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
