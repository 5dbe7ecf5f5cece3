// Whether a `??` line has the form of an assertion; what it means is decided elsewhere (PK-78).

/// The form of httpYac's assertions (dialects.md, 3.5).
enum AssertionForm {
  private static let symbols: [StaticString] = ["===", "!==", "==", "!=", ">=", "<=", ">", "<"]
  private static let words: [StaticString] = [
    "equals", "startsWith", "endsWith", "contains", "includes", "exists", "isTrue", "isFalse",
    "isNumber", "isString", "isBoolean", "isArray", "matches", "sha256", "sha512", "md5",
  ]

  /// Whether a trimmed text is a left side, a predicate among blanks, and perhaps a value.
  static func matches(_ bytes: [UInt8], _ text: Range<Int>) -> Bool {
    var at = bytes.skipWord(text.lowerBound, text.upperBound)
    while at < text.upperBound {
      let start = bytes.skipBlanks(at, text.upperBound)
      let end = bytes.skipWord(start, text.upperBound)
      if isPredicate(bytes, start..<end) { return true }
      at = end
    }
    return false
  }

  private static func isPredicate(_ bytes: [UInt8], _ word: Range<Int>) -> Bool {
    guard !word.isEmpty else { return false }
    return symbols.contains { bytes.equalsIgnoringCase(word, $0) }
      || words.contains { bytes.equalsIgnoringCase(word, $0) }
  }
}
