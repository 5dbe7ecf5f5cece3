// Texts of other tools made harmless for one line of a request file, and as comments.

import PostKitHTTP

/// Makes texts that come from anywhere into parts of a line.
enum LineText {
  /// The bytes of one name that are kept (IO-5).
  static let nameLimit = 1 << 10
  /// The bytes of a description that are kept (IO-9).
  static let descriptionLimit = 4 << 10

  /// The text on one line: what controls or ends lines becomes a blank, and none is at the ends.
  static func oneLine(_ text: String) -> String {
    if text.withBytes(\.isOnePlainLine) { return trimmed(text) }
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
    if let first = bytes.first, first != 32, first != 9, let last = bytes.last, last != 32,
      last != 9
    {
      return text
    }
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
    if text.withBytes(\.isOnePlainLine) {
      let line = comment(text)
      return line == "#" ? [] : [line]
    }
    var comments = text.everyLine.map { comment(String($0)) }
    while comments.last == "#" { comments.removeLast() }
    return comments
  }
}
