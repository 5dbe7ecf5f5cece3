// Reads JSONPath queries (RFC 9535, sections 2.1 to 2.3.4); filters are in an extension.

/// Turns the text of a query into segments.
struct JSONPathParser {
  let bytes: [UInt8]
  let isStrict: Bool
  var at = 0
  /// How deep parentheses and queries in filters are nested; a limit keeps the stack safe.
  var depth = 0
  static let depthLimit = 64
  /// The integers that all implementations know exactly (RFC 9535, section 2.1).
  static let integerLimit = 9_007_199_254_740_991

  init(_ text: String, isStrict: Bool) {
    self.bytes = Array(text.utf8)
    self.isStrict = isStrict
  }

  /// Reads the whole text.
  mutating func parseQuery() throws(JSONPathError)
    -> (segments: [JSONPathSegment], endsInLength: Bool)
  {
    var end = bytes.count
    if !isStrict {
      skipBlanks()
      while end > at, JSONPathParser.isBlank(bytes[end - 1]) { end -= 1 }
    }
    var segments: [JSONPathSegment] = []
    if !take("$") {
      guard !isStrict, at < end else { throw error("a path begins with `$`") }
      if peek() != UInt8(ascii: "["), peek() != UInt8(ascii: ".") {
        segments.append(JSONPathSegment(selectors: [try parseDotSelector()]))
      }
    }
    segments += try parseSegments()
    var endsInLength = false
    if !isStrict, let last = segments.last, last.selectors == [.name("length")], !last.isDescendant
    {
      endsInLength = true
      if take("(") {
        guard take(")") else { throw error("only length() can be called at the end") }
      }
    }
    if !isStrict { skipBlanks() }
    guard at == bytes.count else { throw error("this is not part of a query") }
    return (segments, endsInLength)
  }

  /// Reads segments as long as there are any.
  mutating func parseSegments() throws(JSONPathError) -> [JSONPathSegment] {
    var segments: [JSONPathSegment] = []
    while true {
      let start = at
      skipBlanks()
      if take("..") {
        let selectors =
          peek() == UInt8(ascii: "[") ? try parseBrackets() : [try parseDotSelector()]
        segments.append(JSONPathSegment(isDescendant: true, selectors: selectors))
      } else if take(".") {
        segments.append(JSONPathSegment(selectors: [try parseDotSelector()]))
      } else if peek() == UInt8(ascii: "[") {
        segments.append(JSONPathSegment(selectors: try parseBrackets()))
      } else {
        at = start
        return segments
      }
    }
  }

  /// Reads a name or `*` after a dot.
  private mutating func parseDotSelector() throws(JSONPathError) -> JSONPathSelector {
    if take("*") { return .wildcard }
    if !isStrict, peek() == UInt8(ascii: "'") || peek() == UInt8(ascii: "\"") {
      return .name(try parseString())
    }
    let start = at
    while let byte = peek(), isNameByte(byte, isFirst: at == start) { at += 1 }
    guard at > start else { throw error("expected a name or `*`") }
    let name = String(decoding: bytes[start..<at], as: UTF8.self)
    if (48...57).contains(bytes[start]), let index = Int(name) { return .nameOrIndex(name, index) }
    return .name(name)
  }

  private func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case 65...90, 97...122, UInt8(ascii: "_"), 0x80...0xFF: true
    case 48...57: !isFirst || !isStrict
    case UInt8(ascii: "-"): !isFirst && !isStrict
    default: false
    }
  }

  private mutating func parseBrackets() throws(JSONPathError) -> [JSONPathSelector] {
    at += 1
    var selectors: [JSONPathSelector] = []
    while true {
      skipBlanks()
      selectors.append(try parseSelector())
      skipBlanks()
      if take("]") { return selectors }
      guard take(",") else { throw error("expected `,` or `]`") }
    }
  }

  private mutating func parseSelector() throws(JSONPathError) -> JSONPathSelector {
    guard let byte = peek() else { throw error("a selector is missing") }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(try parseString())
    case UInt8(ascii: "*"):
      at += 1
      return .wildcard
    case UInt8(ascii: "?"):
      at += 1
      return .filter(try parseCondition())
    case UInt8(ascii: ":"), UInt8(ascii: "-"), 48...57: return try parseIndexOrSlice()
    default: throw error("expected a name in quotes, a number, `*` or `?`")
    }
  }

  private mutating func parseIndexOrSlice() throws(JSONPathError) -> JSONPathSelector {
    let start = try parseIntegerIfAny()
    let afterStart = at
    skipBlanks()
    guard take(":") else {
      at = afterStart
      guard let start else { throw error("expected a number") }
      return .index(start)
    }
    skipBlanks()
    let end = try parseIntegerIfAny()
    skipBlanks()
    guard take(":") else { return .slice(start: start, end: end, step: 1) }
    skipBlanks()
    return .slice(start: start, end: end, step: try parseIntegerIfAny() ?? 1)
  }

  private mutating func parseIntegerIfAny() throws(JSONPathError) -> Int? {
    let start = at
    let isNegative = take("-")
    let digits = at
    while let byte = peek(), (48...57).contains(byte) { at += 1 }
    if at == digits {
      if isNegative { throw error("expected digits") }
      return nil
    }
    let isOdd = bytes[digits] == 48 && (at - digits > 1 || isNegative)
    guard !isOdd, let value = Int(String(decoding: bytes[start..<at], as: UTF8.self)),
      abs(value) <= JSONPathParser.integerLimit
    else {
      at = start
      throw error("this is not an integer that JSONPath allows")
    }
    return value
  }

  /// Reads a string in either kind of quotes.
  mutating func parseString() throws(JSONPathError) -> String {
    let quote = bytes[at]
    var output: [UInt8] = []
    at += 1
    while let byte = peek() {
      if byte == quote {
        at += 1
        return String(decoding: output, as: UTF8.self)
      }
      guard byte >= 0x20 else { throw error("a control character must be written as an escape") }
      at += 1
      if byte == UInt8(ascii: "\\") {
        output += try parseEscape(in: quote)
      } else {
        output.append(byte)
      }
    }
    throw error("the closing quote is missing")
  }

  private mutating func parseEscape(in quote: UInt8) throws(JSONPathError) -> [UInt8] {
    guard let letter = peek() else { throw error("the escape is incomplete") }
    at += 1
    switch letter {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var value = try parseUnit()
      if value & 0xFC00 == 0xD800, take("\\u") {
        let low = try parseUnit()
        guard low & 0xFC00 == 0xDC00 else { throw error("this is half of a surrogate pair") }
        value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
      }
      guard let scalar = Unicode.Scalar(value) else {
        throw error("this is half of a surrogate pair")
      }
      return Array(String(scalar).utf8)
    default:
      at -= 1
      throw error("this is not an escape that JSONPath knows")
    }
  }

  private mutating func parseUnit() throws(JSONPathError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek().flatMap(JSONEscapes.hexValue) else {
        throw error("expected four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      at += 1
    }
    return value
  }

  /// The byte that comes next; `nil` at the end.
  func peek() -> UInt8? { at < bytes.count ? bytes[at] : nil }

  /// Steps over a text if it comes next.
  mutating func take(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at + length <= bytes.count else { return false }
    for offset in 0..<length where bytes[at + offset] != text.utf8Start[offset] { return false }
    at += length
    return true
  }

  /// Goes past blanks (RFC 9535, section 2.1.1).
  mutating func skipBlanks() {
    while let byte = peek(), JSONPathParser.isBlank(byte) { at += 1 }
  }

  /// Whether a byte is a blank (RFC 9535, section 2.1.1).
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 9 || byte == 10 || byte == 13
  }

  /// An error at the place that has been reached.
  func error(_ explanation: String) -> JSONPathError {
    JSONPathError(offset: at, explanation: explanation)
  }
}
