// The words, strings and signs of scripts, which are read here and not run.

/// The tokens of a script in JavaScript or Lua, without its comments.
struct ScriptTokens {
  /// What stands in a script; ranges count from its start.
  enum Token: Hashable {
    case word(Range<Int>)
    /// The inside of a string, and whether that is the string's value.
    case string(Range<Int>, Bool)
    /// `=` alone.
    case assignment
    case mark(UInt8)
    case end
  }

  private let bytes: ArraySlice<UInt8>
  private let isLua: Bool
  private var at: Int
  /// How many braces are open in each `${…}` that is open.
  private var braces: [Int] = []
  /// Whether a slash would divide what stands before it.
  private var followsValue = false

  /// Begins at the start of a script.
  init(_ bytes: ArraySlice<UInt8>, isLua: Bool) {
    self.bytes = bytes
    self.isLua = isLua
    at = bytes.startIndex
  }

  /// How many bytes have been read.
  var position: Int { at - bytes.startIndex }

  /// Reads the next token.
  mutating func next() -> Token {
    skipBlanks()
    guard at < bytes.endIndex else { return .end }
    let byte = bytes[at]
    if ScriptTokens.isWord(byte) { return word() }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(until: byte)
    case Byte.backtick where !isLua: return template(from: at + 1)
    case Byte.closeBrace where braces.last == 0:
      braces.removeLast()
      return template(from: at + 1)
    case Byte.slash where !isLua && !followsValue: return pattern()
    case UInt8(ascii: "="): return equals()
    case UInt8(ascii: "?") where follows(Byte.dot):
      at += 2
      return .mark(Byte.dot)
    default: break
    }
    if let depth = braces.last {
      if byte == Byte.openBrace { braces[braces.count - 1] = depth + 1 }
      if byte == Byte.closeBrace { braces[braces.count - 1] = depth - 1 }
    }
    at += 1
    followsValue =
      byte == Byte.closeParenthesis || byte == Byte.closeBracket || byte == Byte.closeBrace
    return .mark(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
      || byte == Byte.dollar || byte >= 0x80
  }

  private func follows(_ byte: UInt8) -> Bool { at + 1 < bytes.endIndex && bytes[at + 1] == byte }

  private func range(_ start: Int, _ end: Int) -> Range<Int> {
    start - bytes.startIndex..<end - bytes.startIndex
  }

  private mutating func skipBlanks() {
    let comment = UInt8(ascii: isLua ? "-" : "/")
    while at < bytes.endIndex {
      if bytes[at] == 32 || (9...13).contains(bytes[at]) {
        at += 1
      } else if bytes[at] == comment, follows(comment) {
        while at < bytes.endIndex, bytes[at] != Byte.lineFeed { at += 1 }
      } else if bytes[at] == Byte.slash, !isLua, follows(UInt8(ascii: "*")) {
        at += 2
        while at < bytes.endIndex, bytes[at] != UInt8(ascii: "*") || !follows(Byte.slash) {
          at += 1
        }
        at = min(at + 2, bytes.endIndex)
      } else {
        return
      }
    }
  }

  private mutating func word() -> Token {
    let start = at
    while at < bytes.endIndex, ScriptTokens.isWord(bytes[at]) { at += 1 }
    let operators = ["return", "typeof", "case", "in", "of", "new", "delete", "void", "await"]
    followsValue = !operators.contains { bytes[start..<at].elementsEqual($0.utf8) }
    return .word(range(start, at))
  }

  private mutating func string(until quote: UInt8) -> Token {
    let start = at + 1
    var isPlain = true
    at = start
    while at < bytes.endIndex, bytes[at] != quote, bytes[at] != Byte.lineFeed {
      if bytes[at] == Byte.backslash {
        isPlain = false
        at += 1
      }
      at += 1
    }
    at = min(at, bytes.endIndex)
    let inside = range(start, at)
    // A line end is left to what follows: the string was not closed.
    if at < bytes.endIndex, bytes[at] == quote { at += 1 }
    followsValue = true
    return .string(inside, isPlain)
  }

  /// Reads a text between backticks up to its end, or to the next expression in it.
  private mutating func template(from start: Int) -> Token {
    var isPlain = start > bytes.startIndex && bytes[start - 1] == Byte.backtick
    at = start
    while at < bytes.endIndex, bytes[at] != Byte.backtick {
      if bytes[at] == Byte.dollar, follows(Byte.openBrace) {
        at += 2
        braces.append(0)
        followsValue = false
        return .mark(Byte.backtick)
      }
      if bytes[at] == Byte.backslash {
        isPlain = false
        at += 1
      }
      at += 1
    }
    let end = min(at, bytes.endIndex)
    at = min(end + 1, bytes.endIndex)
    followsValue = true
    return .string(range(start, end), isPlain)
  }

  /// Reads a regular expression; one that does not end in its line is a slash.
  private mutating func pattern() -> Token {
    var end = at + 1
    var isInClass = false
    while end < bytes.endIndex, bytes[end] != Byte.lineFeed {
      switch bytes[end] {
      case Byte.backslash: end += 1
      case Byte.openBracket: isInClass = true
      case Byte.closeBracket: isInClass = false
      case Byte.slash where !isInClass:
        at = end + 1
        followsValue = true
        return .mark(Byte.slash)
      default: break
      }
      end += 1
    }
    at += 1
    return .mark(Byte.slash)
  }

  private mutating func equals() -> Token {
    let start = at
    while at < bytes.endIndex, bytes[at] == UInt8(ascii: "=") || bytes[at] == UInt8(ascii: ">") {
      at += 1
    }
    followsValue = false
    return at == start + 1 ? .assignment : .mark(UInt8(ascii: "="))
  }
}
