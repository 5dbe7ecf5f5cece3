// The caret's line as bytes: text that is not UTF-8 must not shift the ranges that are replaced.

import PostKitSyntax

/// A line with the caret in it.
struct CaretLine {
  let bytes: [UInt8]
  /// The line without its line end.
  let range: Range<Int>
  /// The caret; at most the end of the line.
  let caret: Int

  /// Finds the line of an offset; an offset past the end is the end.
  init(_ document: ParsedDocument, at position: Int) {
    let offset = max(0, min(position, document.bytes.count))
    bytes = document.bytes
    range = document.lineRange(at: offset)
    caret = min(offset, range.upperBound)
  }

  /// The text of a range of the file.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Where the line's text begins; at most the caret.
  var contentStart: Int { skipBlanks(from: range.lowerBound) }

  /// The first place from `start` to the caret whose byte is none of those.
  func skip(from start: Int, while matches: (UInt8) -> Bool) -> Int {
    var at = start
    while at < caret, matches(bytes[at]) { at += 1 }
    return at
  }

  /// The first place from `start` to the caret that is no blank.
  func skipBlanks(from start: Int) -> Int { skip(from: start) { $0 == 32 || $0 == 9 } }

  /// Whether a text stands at a place before the caret.
  func has(_ text: String, at place: Int) -> Bool {
    place < caret && bytes[place..<range.upperBound].starts(with: text.utf8)
  }

  /// The last place of a byte between `start` and the caret.
  func last(_ byte: UInt8, from start: Int) -> Int? { bytes[start..<caret].lastIndex(of: byte) }

  /// The end of the word that the caret stands in.
  var wordEnd: Int {
    var at = caret
    while at < range.upperBound, bytes[at].isWord { at += 1 }
    return at
  }

  /// The end of the list element or of the line's text, whichever comes first behind the caret.
  var elementEnd: Int {
    var end = caret
    while end < range.upperBound, bytes[end] != UInt8(ascii: ",") { end += 1 }
    while end > caret, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
    return end
  }

  /// The end of the line's text, blanks at its end left out; at least the caret.
  var textEnd: Int {
    var end = range.upperBound
    while end > caret, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
    return end
  }

  /// The first blank behind the caret that stands in no reference, else the end of the line.
  var blankEnd: Int {
    var at = caret
    var depth = 0
    while at < range.upperBound {
      if bytes[at] == UInt8(ascii: "{") { depth += 1 }
      if bytes[at] == UInt8(ascii: "}") { depth = max(0, depth - 1) }
      if depth == 0, bytes[at] == 32 || bytes[at] == 9 { return at }
      at += 1
    }
    return at
  }

  /// Whether the word that the caret stands in is the scheme of a URL.
  var isBeforeScheme: Bool { bytes[wordEnd...].starts(with: "://".utf8) }

  /// Whether a colon follows the word that the caret stands in.
  var hasColonAfterWord: Bool {
    var at = wordEnd
    while at < range.upperBound, bytes[at] == 32 || bytes[at] == 9 { at += 1 }
    return at < range.upperBound && bytes[at] == UInt8(ascii: ":")
  }

  /// The words before the caret, blanks inside of references not counted; the last may be empty.
  var words: [Range<Int>] {
    var words: [Range<Int>] = []
    var start = contentStart
    var depth = 0
    var at = start
    while at < caret {
      let byte = bytes[at]
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth = max(0, depth - 1) }
      if depth == 0, byte == 32 || byte == 9 {
        words.append(start..<at)
        at = skipBlanks(from: at)
        start = at
      } else {
        at += 1
      }
    }
    return words + [start..<caret]
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter.
  var isLetter: Bool { (65...90).contains(self & 0xDF) }

  /// Whether it belongs to a name: letters, digits, `_`, `-`, `$` and whatever is not ASCII.
  var isWord: Bool {
    isLetter || (48...57).contains(self) || self == 95 || self == 45 || self == 36 || self >= 128
  }
}
