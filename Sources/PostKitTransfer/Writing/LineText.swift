// Texts of other tools made harmless for one line of a request file, and as comments.

/// Makes texts that come from anywhere into parts of a line.
enum LineText {
  /// The bytes of one name that are kept (IO-5).
  static let nameLimit = 1 << 10
  /// The bytes of a description that are kept (IO-9).
  static let descriptionLimit = 4 << 10

  /// The text on one line: what controls or ends lines becomes a blank, and none is at the ends.
  static func oneLine(_ text: String) -> String {
    var last: UInt8 = 32
    let isPlain = text.utf8.allSatisfy { byte in
      defer { last = byte }
      return byte > 32 && byte < 127 || byte == 32 && last != 32
    }
    if isPlain, last != 32 { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      let isBlank = scalar.properties.generalCategory == .control || scalar == "\u{2028}"
        || scalar == "\u{2029}"
      result.unicodeScalars.append(isBlank ? " " : scalar)
    }
    return trimmed(result)
  }

  /// The text without blanks and tabs at its ends.
  static func trimmed(_ text: String) -> String {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { $0 != 32 && $0 != 9 }),
      let last = bytes.lastIndex(where: { $0 != 32 && $0 != 9 })
    else { return "" }
    return String(text[first...last])
  }

  /// The text cut to a number of bytes, between two characters.
  static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }

  /// A comment for one line. What would be a tag of ours gets a second mark, so that it is none.
  static func comment(_ text: String) -> String {
    let line = oneLine(text)
    if line.isEmpty { return "#" }
    return line.utf8.first == UInt8(ascii: "@") ? "# # \(line)" : "# \(line)"
  }

  /// The lines of a text as comments.
  static func comments(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    // Nearly all are one line.
    if text.utf8.allSatisfy({ $0 >= 32 && $0 < 128 }) {
      let line = comment(text)
      return line == "#" ? [] : [line]
    }
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    var comments = lines.map { comment(String($0)) }
    while comments.last == "#" { comments.removeLast() }
    return comments
  }
}

extension String {
  /// Whether a byte occurs in the text.
  func has(_ byte: Unicode.Scalar) -> Bool {
    let byte = UInt8(ascii: byte)
    return utf8.contains(byte)
  }

  /// Whether braces that would be read as a template stand in the text.
  var hasTemplate: Bool {
    var last: UInt8 = 0
    for byte in utf8 {
      if byte == UInt8(ascii: "{"), last == byte { return true }
      last = byte
    }
    return false
  }

  /// Whether braces with backslashes stand in the text, which the language would take away.
  var hasEscapedBraces: Bool {
    var last: UInt8 = 0
    for byte in utf8 {
      if byte == UInt8(ascii: "{"), last == UInt8(ascii: "\\") { return true }
      last = byte
    }
    return false
  }
}
