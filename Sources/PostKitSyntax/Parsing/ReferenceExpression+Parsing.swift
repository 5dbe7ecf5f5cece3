// Tells the three kinds of expression in a reference apart (PK-43).

extension ReferenceExpression {
  /// Reads the trimmed text between the braces, without a leading `%`.
  init(parsing bytes: ByteView, in range: Range<Int>) {
    if range.isEmpty {
      self = .empty
    } else if let dynamic = Self.dynamic(bytes, range) {
      self = dynamic
    } else if let path = Self.path(bytes, range) {
      self = path
    } else {
      self = .script(bytes.string(range))
    }
  }

  /// Reads a whole text, such as the value of `@disabled`.
  package init(parsing text: String) {
    self = Array(text.utf8).withView {
      ReferenceExpression(parsing: $0, in: $0.trimmed(0..<$0.count))
    }
  }

  /// `"$" word { "." word } [ "(" args ")" ] | "$" word blanks rest`.
  private static func dynamic(_ bytes: ByteView, _ range: Range<Int>) -> ReferenceExpression? {
    let start = range.lowerBound + 1
    guard bytes[range.lowerBound] == UInt8(ascii: "$"), start < range.upperBound,
      bytes[start].isLetter || bytes[start] == UInt8(ascii: "_")
    else { return nil }
    var end = start
    while end < range.upperBound,
      bytes[end].isWord || bytes[end] == Byte.dot || bytes[end] == Byte.dash
        || bytes[end] == Byte.colon
    {
      end += 1
    }
    let written = bytes.string(start..<end)
    // Visual Studio writes `$dotEnv`, too.
    let name = written == "dotEnv" ? "dotenv" : written
    if end == range.upperBound { return .dynamic(name: name, arguments: "") }
    let last = range.upperBound - 1
    if bytes[end] == UInt8(ascii: "("), bytes[last] == UInt8(ascii: ")") {
      let inside = bytes.trimmed(end + 1..<last)
      return .dynamic(name: name, arguments: bytes.string(inside))
    }
    // The number of a turn has no arguments: `$index + 1` is JavaScript.
    guard bytes[end].isBlank, name != "index" else { return nil }
    let rest = bytes.skipBlanks(end, range.upperBound)
    return .dynamic(name: name, arguments: bytes.string(rest..<range.upperBound))
  }

  /// `name { "." name | "[" ( int | "*" | quoted ) "]" | ".." name }`, or a name followed by
  /// `.request` or `.response` and any text (PK-55).
  private static func path(_ bytes: ByteView, _ range: Range<Int>) -> ReferenceExpression? {
    let end = range.upperBound
    let nameEnd = skipName(bytes, range.lowerBound, end)
    guard nameEnd > range.lowerBound else { return nil }
    let rest = nameEnd..<end
    let isPath = isExchangePath(bytes, rest) || isMemberPath(bytes, rest)
    guard isPath else { return nil }
    return .path(name: bytes.string(range.lowerBound..<nameEnd), rest: bytes.string(rest))
  }

  private static func skipName(_ bytes: ByteView, _ start: Int, _ end: Int) -> Int {
    var at = start
    while at < end, bytes[at].isWord || bytes[at] == Byte.dash || bytes[at] == UInt8(ascii: "$") {
      at += 1
    }
    return at
  }

  private static func isExchangePath(_ bytes: ByteView, _ rest: Range<Int>) -> Bool {
    let length: Int
    if bytes.starts(rest, with: ".response") {
      length = 9
    } else if bytes.starts(rest, with: ".request") {
      length = 8
    } else {
      return false
    }
    let at = rest.lowerBound + length
    return at == rest.upperBound || bytes[at] == Byte.dot || bytes[at] == UInt8(ascii: "[")
  }

  private static func isMemberPath(_ bytes: ByteView, _ rest: Range<Int>) -> Bool {
    var at = rest.lowerBound
    let end = rest.upperBound
    while at < end {
      if bytes[at] == Byte.dot {
        at += 1
        if at < end, bytes[at] == Byte.dot { at += 1 }
        if at < end, bytes[at] == UInt8(ascii: "*") {
          at += 1
          continue
        }
        let next = skipName(bytes, at, end)
        if next == at { return false }
        at = next
      } else if let next = skipIndex(bytes, at, end) {
        at = next
      } else {
        return false
      }
    }
    return true
  }

  private static func skipIndex(_ bytes: ByteView, _ start: Int, _ end: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "["), start + 2 < end else { return nil }
    var at = start + 1
    switch bytes[at] {
    case UInt8(ascii: "*"): at += 1
    case Byte.quote, UInt8(ascii: "'"):
      let quote = bytes[at]
      at += 1
      while at < end, bytes[at] != quote { at += bytes[at] == Byte.backslash ? 2 : 1 }
      at += 1
    default:
      if bytes[at] == Byte.dash { at += 1 }
      let digits = at
      while at < end, bytes[at].isDigit { at += 1 }
      if at == digits { return nil }
    }
    return at < end && bytes[at] == UInt8(ascii: "]") ? at + 1 : nil
  }
}
