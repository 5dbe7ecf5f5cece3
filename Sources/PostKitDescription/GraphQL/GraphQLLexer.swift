// GraphQL's words (October 2021, section 2.1), and the `{{templates}}` of request files among them.

/// What a token is.
enum GraphQLTokenKind: UInt8, Sendable, Hashable {
  case end, name, int, float, string, blockString
  /// A word with a `{{template}}` in it, whose text is unknown.
  case template
  case bang, dollar, ampersand, parenOpen, parenClose, spread, colon, equals, at
  case bracketOpen, bracketClose, braceOpen, pipe, braceClose
  /// Bytes that begin no token.
  case bad

  /// Whether a caret at its end may still write it.
  var isWord: Bool {
    self == .name || self == .template || self == .int || self == .float
  }
}

/// One token: what it is, and its bytes.
struct GraphQLToken: Sendable, Hashable {
  var kind: GraphQLTokenKind
  var start: Int
  var end: Int

  var range: Range<Int> { start..<end }
}

/// Reads token after token of a part of a text. It takes time in proportion to the text.
struct GraphQLLexer {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limit: Int
  private let allowsTemplates: Bool
  private(set) var at: Int
  /// Up to where it is known that no template ends.
  private var closedUntil = 0
  /// What is wrong with the last token.
  private(set) var problem: GraphQLSyntaxProblem.Kind?

  /// Makes a lexer for the bytes of a range, which must be some of the text. Definitions of schemas
  /// have no templates.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, allowsTemplates: Bool) {
    self.bytes = bytes
    self.allowsTemplates = allowsTemplates
    at = range.lowerBound
    limit = range.upperBound
  }

  /// Whether a name may begin with a byte.
  static func isNameStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (65...90).contains(byte & 0xDF)
  }

  /// Whether a name may go on with a byte.
  static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || (48...57).contains(byte)
  }

  /// The next token; `.end` for ever after the last one.
  mutating func next() -> GraphQLToken {
    problem = nil
    skipIgnored()
    let start = at
    guard at < limit else { return GraphQLToken(kind: .end, start: limit, end: limit) }
    let kind = take(bytes[at])
    return GraphQLToken(kind: kind, start: start, end: at)
  }

  /// Skips blanks, commas, comments and marks of the encoding.
  private mutating func skipIgnored() {
    while at < limit {
      switch bytes[at] {
      case 9, 10, 13, 32, UInt8(ascii: ","):
        at += 1
      case UInt8(ascii: "#"):
        while at < limit, bytes[at] != 10, bytes[at] != 13 { at += 1 }
      case 0xEF where at + 2 < limit && bytes[at + 1] == 0xBB && bytes[at + 2] == 0xBF:
        at += 3
      default:
        return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> GraphQLTokenKind {
    if Self.isNameStart(byte) { return word() }
    if byte == UInt8(ascii: "\"") { return text() }
    if (48...57).contains(byte) || byte == UInt8(ascii: "-") { return number() }
    if byte == UInt8(ascii: "{"), let end = templateEnd() {
      at = end
      return word(isTemplate: true)
    }
    if byte == UInt8(ascii: ".") { return points() }
    at += 1
    if let kind = Self.punctuator(byte) { return kind }
    // All bytes of one character, so that no message ends within it.
    while at < limit, bytes[at] & 0xC0 == 0x80 { at += 1 }
    problem = .character
    return .bad
  }

  private static func punctuator(_ byte: UInt8) -> GraphQLTokenKind? {
    switch byte {
    case UInt8(ascii: "!"): .bang
    case UInt8(ascii: "$"): .dollar
    case UInt8(ascii: "&"): .ampersand
    case UInt8(ascii: "("): .parenOpen
    case UInt8(ascii: ")"): .parenClose
    case UInt8(ascii: ":"): .colon
    case UInt8(ascii: "="): .equals
    case UInt8(ascii: "@"): .at
    case UInt8(ascii: "["): .bracketOpen
    case UInt8(ascii: "]"): .bracketClose
    case UInt8(ascii: "{"): .braceOpen
    case UInt8(ascii: "|"): .pipe
    case UInt8(ascii: "}"): .braceClose
    default: nil
    }
  }

  private mutating func points() -> GraphQLTokenKind {
    let start = at
    while at < limit, at < start + 3, bytes[at] == UInt8(ascii: ".") { at += 1 }
    if at == start + 3 { return .spread }
    problem = .points
    return .bad
  }

  /// Takes the rest of a name, and templates that stand in it.
  private mutating func word(isTemplate: Bool = false) -> GraphQLTokenKind {
    var isTemplate = isTemplate
    while at < limit {
      if Self.isNamePart(bytes[at]) {
        at += 1
      } else if bytes[at] == UInt8(ascii: "{"), let end = templateEnd() {
        isTemplate = true
        at = end
      } else {
        break
      }
    }
    return isTemplate ? .template : .name
  }

  /// The end of the template that begins here; it stands in one line.
  private mutating func templateEnd() -> Int? {
    guard allowsTemplates, at + 3 < limit, bytes[at + 1] == UInt8(ascii: "{"), at >= closedUntil
    else { return nil }
    var end = at + 2
    while end + 1 < limit, bytes[end] != 10 {
      if bytes[end] == UInt8(ascii: "}"), bytes[end + 1] == bytes[end] { return end + 2 }
      end += 1
    }
    closedUntil = end
    return nil
  }

  private mutating func number() -> GraphQLTokenKind {
    let start = at
    var isFloat = false
    if bytes[at] == UInt8(ascii: "-") { at += 1 }
    let first = at
    skipDigits()
    var isFine = at > first && (at == first + 1 || bytes[first] != UInt8(ascii: "0"))
    if at + 1 < limit, bytes[at] == UInt8(ascii: "."), bytes[at + 1] != UInt8(ascii: ".") {
      isFloat = true
      at += 1
      isFine = skipDigits() && isFine
    }
    if at < limit, bytes[at] | 0x20 == UInt8(ascii: "e") {
      isFloat = true
      at += 1
      if at < limit, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
      isFine = skipDigits() && isFine
    }
    // Nothing that could belong to it may follow: `1a`, `1{{x}}`, `1.2.3`.
    let end = at
    let kind = word()
    if kind == .template { return .template }
    if at < limit, bytes[at] == UInt8(ascii: "."), at + 1 >= limit || bytes[at + 1] != bytes[at] {
      at += 1
      isFine = false
    }
    if at > end || at == start { isFine = false }
    if !isFine { problem = .number }
    return isFloat ? .float : .int
  }

  @discardableResult
  private mutating func skipDigits() -> Bool {
    let start = at
    while at < limit, (48...57).contains(bytes[at]) { at += 1 }
    return at > start
  }

  private mutating func text() -> GraphQLTokenKind {
    if at + 2 < limit, bytes[at + 1] == bytes[at], bytes[at + 2] == bytes[at] {
      at += 3
      return blockText()
    }
    at += 1
    while at < limit, bytes[at] != 10, bytes[at] != 13 {
      if bytes[at] == UInt8(ascii: "\"") {
        at += 1
        return .string
      }
      if bytes[at] == UInt8(ascii: "{"), let end = templateEnd() {
        at = end
      } else if bytes[at] == UInt8(ascii: "\\") {
        skipEscape()
      } else {
        at += 1
      }
    }
    problem = .unterminatedString
    return .string
  }

  private mutating func skipEscape() {
    guard at + 1 < limit else {
      at += 1
      return
    }
    at += 1
    if bytes[at] == UInt8(ascii: "u") {
      let (_, end) = GraphQLString.scalarValue(bytes, at + 1..<limit)
      if end == at + 1 { problem = .escape }
      at = end
    } else if bytes[at] != 10, bytes[at] != 13 {
      if !#""\/bfnrt"#.utf8.contains(bytes[at]) { problem = .escape }
      at += 1
    }
  }

  private mutating func blockText() -> GraphQLTokenKind {
    while at + 2 < limit {
      if bytes[at] == UInt8(ascii: "\""), bytes[at + 1] == bytes[at], bytes[at + 2] == bytes[at] {
        if bytes[at - 1] != UInt8(ascii: "\\") {
          at += 3
          return .blockString
        }
        at += 2
      }
      at += 1
    }
    at = limit
    problem = .unterminatedString
    return .blockString
  }
}
