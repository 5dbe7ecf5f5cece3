// From the bytes of a script to its tokens. Nothing is run, and nothing need be right.

/// Reads the tokens of a script one after the other.
struct ScriptScanner {
  private let bytes: ArraySlice<UInt8>
  private let isLua: Bool
  private var at: Int
  /// The comments that were passed.
  private(set) var comments: [Range<Int>] = []
  /// How many braces are open in each `${…}` that is open.
  private var braces: [Int] = []
  /// The token that was read last.
  private(set) var last: ScriptToken?

  /// Begins at the start of a script, or behind a token that no text with expressions holds.
  init(_ bytes: ArraySlice<UInt8>, isLua: Bool, behind last: ScriptToken? = nil) {
    self.bytes = bytes
    self.isLua = isLua
    self.last = last
    at = bytes.startIndex + (last?.range.upperBound ?? 0)
  }

  /// Whether no text with expressions is open.
  var isOutsideOfTexts: Bool { braces.isEmpty }

  /// Reads the next token; `nil` at the end.
  mutating func next() -> ScriptToken? {
    guard let token = read() else { return nil }
    last = token
    return token
  }

  private mutating func read() -> ScriptToken? {
    skipBlanks()
    guard at < bytes.endIndex else { return nil }
    let byte = bytes[at]
    if byte.isDigit { return number() }
    if byte.isOfScriptWord { return word() }
    switch byte {
    case Byte.quote, UInt8(ascii: "'"): return string(until: byte)
    case Byte.backtick where !isLua: return template()
    case Byte.closeBrace where braces.last == 0:
      braces.removeLast()
      return template()
    case Byte.slash where !isLua && !ScriptScanner.isValue(last, in: bytes): return pattern()
    default: return mark()
    }
  }

  private func follows(_ byte: UInt8) -> Bool { at + 1 < bytes.endIndex && bytes[at + 1] == byte }

  private func range(_ start: Int, _ end: Int) -> Range<Int> {
    start - bytes.startIndex..<end - bytes.startIndex
  }

  private mutating func skipBlanks() {
    let comment = isLua ? Byte.dash : Byte.slash
    while at < bytes.endIndex {
      let start = at
      if bytes[at] == Byte.space || (9...13).contains(bytes[at]) {
        at += 1
        continue
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
      comments.append(range(start, at))
    }
  }

  private mutating func number() -> ScriptToken {
    let start = at
    while at < bytes.endIndex, bytes[at].isOfScriptWord || bytes[at] == Byte.dot { at += 1 }
    return ScriptToken(.number, range(start, at))
  }

  private mutating func word() -> ScriptToken {
    let start = at
    while at < bytes.endIndex, bytes[at].isOfScriptWord { at += 1 }
    return ScriptToken(
      .word, range(start, at), sign: ScriptToken.number(ofWord: bytes[start..<at]))
  }

  private mutating func string(until quote: UInt8) -> ScriptToken {
    let start = at
    var isPlain = true
    at += 1
    while at < bytes.endIndex, bytes[at] != quote, bytes[at] != Byte.lineFeed {
      if bytes[at] == Byte.backslash {
        isPlain = false
        at += 1
      }
      at += 1
    }
    at = min(at, bytes.endIndex)
    let inside = range(start + 1, at)
    // A line end is left to what follows: the string was not closed.
    let isClosed = at < bytes.endIndex && bytes[at] == quote
    if isClosed { at += 1 }
    return ScriptToken(.string, range(start, at), inside: inside, isPlain: isPlain && isClosed)
  }

  /// Reads a text between backticks up to its end, or to the next expression in it.
  private mutating func template() -> ScriptToken {
    let start = at
    let isWhole = bytes[at] == Byte.backtick
    var isPlain = true
    at += 1
    while at < bytes.endIndex, bytes[at] != Byte.backtick {
      if bytes[at] == Byte.dollar, follows(Byte.openBrace) {
        let inside = range(start + 1, at)
        at += 2
        braces.append(0)
        return ScriptToken(.template, range(start, at), inside: inside)
      }
      if bytes[at] == Byte.backslash {
        isPlain = false
        at += 1
      }
      at += 1
    }
    let end = min(at, bytes.endIndex)
    let isClosed = end < bytes.endIndex
    at = min(end + 1, bytes.endIndex)
    return ScriptToken(
      isWhole ? .string : .template, range(start, at), inside: range(start + 1, end),
      isPlain: isWhole && isPlain && isClosed)
  }

  /// Reads a regular expression; one that does not end in its line is a slash.
  private mutating func pattern() -> ScriptToken {
    let start = at
    var end = at + 1
    var isInClass = false
    while end < bytes.endIndex, bytes[end] != Byte.lineFeed {
      switch bytes[end] {
      // No line end belongs to it, whatever stands before.
      case Byte.backslash where end + 1 < bytes.endIndex && bytes[end + 1] != Byte.lineFeed:
        end += 1
      case Byte.openBracket: isInClass = true
      case Byte.closeBracket: isInClass = false
      case Byte.slash where !isInClass:
        at = end + 1
        while at < bytes.endIndex, bytes[at].isOfScriptWord { at += 1 }
        return ScriptToken(.pattern, range(start, at))
      default: break
      }
      end += 1
    }
    return mark()
  }

  private mutating func mark() -> ScriptToken {
    let start = at
    if let depth = braces.last {
      if bytes[at] == Byte.openBrace { braces[braces.count - 1] = depth + 1 }
      if bytes[at] == Byte.closeBrace { braces[braces.count - 1] = depth - 1 }
    }
    at += 1
    if at < bytes.endIndex, ScriptScanner.isOfOperator(bytes[start]),
      ScriptScanner.isOfOperator(bytes[at])
    {
      let rest = bytes[start...].prefix(4)
      let found = ScriptScanner.operators.first { rest.starts(with: $0.utf8) }
      at = start + (found?.utf8.count ?? 1)
    }
    return ScriptToken(.mark, range(start, at), sign: ScriptToken.sign(bytes[start..<at]))
  }

  /// Whether a token ends a value, which a slash behind it divides.
  static func isValue(_ token: ScriptToken?, in bytes: ArraySlice<UInt8>) -> Bool {
    guard let token else { return false }
    switch token.kind {
    case .number, .string, .pattern: return true
    case .template: return !token.opensExpression
    case .word:
      let count = token.range.count
      if !(2...6).contains(count) { return true }
      let start = bytes.startIndex + token.range.lowerBound
      return !wordOperators.contains {
        $0.utf8.count == count && bytes[start..<start + count].elementsEqual($0.utf8)
      }
    case .mark: return valueSigns.contains(token.sign)
    }
  }

  /// The signs that end a value.
  private static let valueSigns = [")", "]", "}", "++", "--"].map { ScriptToken.sign($0.utf8) }

  private static func isOfOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.equals, Byte.less, Byte.greater, Byte.question, Byte.dot, Byte.dash, Byte.slash,
      Byte.percent, UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "+"),
      UInt8(ascii: "*"), UInt8(ascii: "^"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The words behind which a value begins.
  private static let wordOperators = [
    "return", "typeof", "case", "in", "of", "new", "delete", "void", "await",
  ]

  /// The signs of more than one byte, the longest first.
  private static let operators = [
    ">>>=", "===", "!==", "**=", "...", ">>>", "<<=", ">>=", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "**", "<<", ">>", "~=", "..",
  ]
}

extension UInt8 {
  /// Whether it belongs to a name in a script.
  fileprivate var isOfScriptWord: Bool { isWord || self == Byte.dollar }
}
