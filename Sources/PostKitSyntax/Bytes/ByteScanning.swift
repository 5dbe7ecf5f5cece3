// Small questions about bytes that every part of the parser asks.

/// The bytes the grammar speaks of, by name; computed, so that each use is a constant.
enum Byte {
  static var tab: UInt8 { UInt8(ascii: "\t") }
  static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
  static var space: UInt8 { UInt8(ascii: " ") }
  static var hash: UInt8 { UInt8(ascii: "#") }
  static var slash: UInt8 { UInt8(ascii: "/") }
  static var backslash: UInt8 { UInt8(ascii: "\\") }
  static var openBrace: UInt8 { UInt8(ascii: "{") }
  static var closeBrace: UInt8 { UInt8(ascii: "}") }
  static var percent: UInt8 { UInt8(ascii: "%") }
  static var at: UInt8 { UInt8(ascii: "@") }
  static var equals: UInt8 { UInt8(ascii: "=") }
  static var colon: UInt8 { UInt8(ascii: ":") }
  static var less: UInt8 { UInt8(ascii: "<") }
  static var greater: UInt8 { UInt8(ascii: ">") }
  static var question: UInt8 { UInt8(ascii: "?") }
  static var dot: UInt8 { UInt8(ascii: ".") }
  static var dash: UInt8 { UInt8(ascii: "-") }
  static var quote: UInt8 { UInt8(ascii: "\"") }
  static var comma: UInt8 { UInt8(ascii: ",") }
  static var openParenthesis: UInt8 { UInt8(ascii: "(") }
  static var closeParenthesis: UInt8 { UInt8(ascii: ")") }
  static var openBracket: UInt8 { UInt8(ascii: "[") }
  static var closeBracket: UInt8 { UInt8(ascii: "]") }
  static var dollar: UInt8 { UInt8(ascii: "$") }
  static var backtick: UInt8 { UInt8(ascii: "`") }
}

extension UInt8 {
  /// Blank, tab, or a CR that ends no line (PK-1).
  var isBlank: Bool { self <= Byte.space && 0x1_0000_2200 >> UInt64(self) & 1 == 1 }

  /// `A` to `Z`.
  var isUpper: Bool { self >= 0x41 && self <= 0x5A }

  /// `A` to `Z` and `a` to `z`.
  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  /// `0` to `9`.
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// A character of a name: letter, digit, `_`, or any byte of a non-ASCII character.
  var isWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || self >= 0x80 }

  /// A character of a token (RFC 9110, 5.6.2).
  var isTokenCharacter: Bool {
    // A bit for each character: letters, digits and !#$%&'*+-.^_`|~
    let set: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return self < 128 && set >> UInt64(self & 63) & 1 == 1
  }

  /// The letter in small case; other bytes unchanged.
  var lowercased: UInt8 { isUpper ? self | 0x20 : self }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// The first place from `start` on that is no blank; `end` where there is none.
  func skipBlanks(_ start: Int, _ end: Int) -> Int {
    var at = start
    while at < end, self[at].isBlank { at += 1 }
    return at
  }

  /// The first blank from `start` on; `end` where there is none.
  func skipWord(_ start: Int, _ end: Int) -> Int {
    var at = start
    while at < end, !self[at].isBlank { at += 1 }
    return at
  }

  /// The range without blanks at its ends; an empty one stands at the range's end.
  @inline(__always) func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start].isBlank { start += 1 }
    while end > start, self[end - 1].isBlank { end -= 1 }
    return start..<end
  }

  /// Whether the range begins with an ASCII text.
  @inline(__always) func starts(_ range: Range<Int>, with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard range.count >= count else { return false }
    let wanted = text.utf8Start
    for place in 0..<count where self[range.lowerBound + place] != wanted[place] { return false }
    return true
  }

  /// Whether a range ends with a text.
  func ends(_ range: Range<Int>, with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return range.count >= count
      && starts(range.upperBound - count..<range.upperBound, with: text)
  }

  /// Whether the range is an ASCII text.
  func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    range.count == text.utf8CodeUnitCount && starts(range, with: text)
  }

  /// Whether the range is an ASCII text, in any letter case.
  @inline(__always)  // Nearly always the length tells, which is asked of each line.
  func equalsIgnoringCase(_ range: Range<Int>, _ text: StaticString) -> Bool {
    range.count == text.utf8CodeUnitCount && hasLetters(of: text, at: range.lowerBound)
  }

  private func hasLetters(of text: StaticString, at start: Int) -> Bool {
    let wanted = text.utf8Start
    for place in 0..<text.utf8CodeUnitCount {
      let (byte, other) = (self[start + place], wanted[place])
      if byte != other, byte.lowercased != other.lowercased { return false }
    }
    return true
  }

  /// Whether a trimmed line begins with `#` or `//`.
  func isComment(_ line: Range<Int>) -> Bool {
    !line.isEmpty && (self[line.lowerBound] == Byte.hash || starts(line, with: "//"))
  }

  /// The text of a range; bytes that are no UTF-8 become U+FFFD.
  func string(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
}
