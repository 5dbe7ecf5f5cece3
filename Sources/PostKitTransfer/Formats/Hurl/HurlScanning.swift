// Keys, values and texts of Hurl with their escapes.

import PostKitHTTP

extension TextScanner {
  /// Skips blanks and tabs.
  mutating func skipBlanks() {
    while byte == 32 || byte == 9 { at += 1 }
  }

  /// Takes capital letters; empty where there are none.
  mutating func upperWord() -> String {
    let start = at
    while let byte, (65...90).contains(byte) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// Takes a comment up to the end of its line: its text without the mark.
  mutating func comment() -> String {
    let start = at
    skipLine()
    let text = String(decoding: bytes[start..<at], as: UTF8.self).drop { $0 == "#" }
    return String(text).replacing("\r", with: "").trimmingASCIIBlanks()
  }

  /// Takes a key and its colon; `nil` where no key stands here.
  mutating func hurlKey() throws(OriginFailure) -> String? {
    let start = at
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: ":") {
      if byte == UInt8(ascii: "\\") {
        text += try hurlEscape()
      } else if bytes[at...].starts(with: "{{".utf8) {
        guard let reference = takeReference() else { return nil }
        text += reference
      } else if ASCIIWord.contains(byte) || "-.[]@$/*~!%&'+^|".utf8.contains(byte) {
        text.append(byte)
        at += 1
      } else {
        break
      }
    }
    skipBlanks()
    guard at > start, !text.isEmpty, take(":") else { return nil }
    // A heading of a section is no key, and `https://…` none either.
    if text.first == UInt8(ascii: "["), bytes[start] == UInt8(ascii: "[") { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  /// Takes `{{…}}` as it stands; `nil` where it is not closed in its line.
  private mutating func takeReference() -> [UInt8]? {
    let start = at
    while let byte, byte != 10 {
      if take("}}") { return Array(bytes[start..<at]) }
      at += 1
    }
    at = start
    return nil
  }

  /// Takes the rest of a line up to a comment, escapes resolved and blanks at the end left out.
  mutating func hurlValue() throws(OriginFailure) -> String {
    var text: [UInt8] = []
    while let byte, byte != 10, byte != UInt8(ascii: "#") {
      if byte == UInt8(ascii: "\\") {
        text += try hurlEscape()
      } else if bytes[at...].starts(with: "{{".utf8), let reference = takeReference() {
        text += reference
      } else {
        text.append(byte)
        at += 1
      }
    }
    while let last = text.last, last == 32 || last == 9 || last == 13 { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// Takes a text in double quotes.
  mutating func hurlQuoted() throws(OriginFailure) -> String {
    try hurlText(upTo: UInt8(ascii: "\""))
  }

  /// Takes a text between two backticks.
  mutating func hurlOneLine() throws(OriginFailure) -> String {
    try hurlText(upTo: UInt8(ascii: "`"))
  }

  private mutating func hurlText(upTo quote: UInt8) throws(OriginFailure) -> String {
    let start = at
    at += 1
    var text: [UInt8] = []
    while let byte, byte != quote, byte != 10 {
      if byte == UInt8(ascii: "\\") {
        text += try hurlEscape()
      } else {
        text.append(byte)
        at += 1
      }
    }
    guard byte == quote else { throw failure("This text is not closed.", at: start) }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Takes a backslash and what it stands for.
  private mutating func hurlEscape() throws(OriginFailure) -> [UInt8] {
    let start = at
    at += 1
    guard let byte else { throw failure("A character is expected behind the backslash.") }
    at += 1
    switch byte {
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      guard take("{") else { throw failure("`\\u{…}` names a character by its number.", at: start) }
      let digits = word()
      guard take("}"), let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
      else { throw failure("This escape names no character.", at: start) }
      return Array(String(Character(scalar)).utf8)
    default: return [byte]
    }
  }
}
