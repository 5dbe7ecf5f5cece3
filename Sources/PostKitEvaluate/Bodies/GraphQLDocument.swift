// A first look at GraphQL: where the query ends, which operation it names (PK-21, PK-104).

/// A line of a GraphQL body.
enum GraphQLLine: Sendable, Hashable {
  case text([UInt8])
  /// A line that includes a file.
  case file
}

/// Questions about the text of a GraphQL body.
package enum GraphQLDocument {
  private static let operations: Set<String> = ["query", "mutation", "subscription"]

  /// Whether a body without a type is GraphQL: its first word is a keyword and what follows can't
  /// be a form or JSON.
  static func isBegun(by lines: [GraphQLLine]) -> Bool {
    var texts = lines.lazy.compactMap { line -> [UInt8]? in
      guard case .text(let bytes) = line else { return nil }
      return bytes
    }.makeIterator()
    while let line = texts.next() {
      var scanner = GraphQLScanner(line)
      scanner.skipIgnored()
      guard let word = scanner.name() else {
        if scanner.isAtEnd { continue }
        return false
      }
      guard operations.contains(word) || word == "fragment" else { return false }
      scanner.skipIgnored()
      guard let next = scanner.byte else {
        // The selection may begin on the next line.
        var rest = GraphQLScanner(texts.next() ?? [])
        rest.skipIgnored()
        return rest.byte == UInt8(ascii: "{")
      }
      return GraphQLScanner.isNameStart(next) || "(@{".utf8.contains(next)
    }
    return false
  }

  /// Whether a body is the JSON of a request already: no selection begins with a quote.
  static func isJSONPayload(_ lines: [GraphQLLine]) -> Bool {
    var bytes: [UInt8] = []
    for line in lines {
      guard case .text(let line) = line else { break }
      bytes += line.filter { $0 > 32 }
      if bytes.count > 1 { break }
    }
    return bytes.first == UInt8(ascii: "[") || bytes.starts(with: Array("{\"".utf8))
  }

  /// The line at which the variables begin: after the last `}` of the query and a blank line, or
  /// after an included query.
  static func variablesLine(_ lines: [GraphQLLine]) -> Int? {
    var scanner = GraphQLScanner([])
    var result: Int?
    var wasBlank = false
    var isAfterFile = false
    for (index, line) in lines.enumerated() {
      let mayBegin = scanner.isOutside && index > 0
        && (isAfterFile || wasBlank && scanner.last == UInt8(ascii: "}"))
      switch line {
      case .file:
        if mayBegin, wasBlank { result = index }
        isAfterFile = true
        wasBlank = false
      case .text(let bytes):
        let first = bytes.first { $0 != 32 && $0 != 9 }
        if mayBegin, first == UInt8(ascii: "{") { result = index }
        wasBlank = first == nil
        if first != nil { isAfterFile = false }
        scanner.takeLine(bytes)
      }
    }
    return result
  }

  /// The fragments that a text uses, `...Name`, and those that it defines.
  static func fragments(_ text: [UInt8]) -> (used: Set<String>, defined: Set<String>) {
    var (used, defined): (Set<String>, Set<String>) = ([], [])
    var scanner = GraphQLScanner(text)
    var points = 0
    while !scanner.isAtEnd {
      scanner.skipIgnored()
      if let word = scanner.name() {
        if points == 3, word != "on" { used.insert(word) }
        points = 0
        guard word == "fragment", scanner.isOutside else { continue }
        scanner.skipIgnored()
        if let name = scanner.name() { defined.insert(name) }
      } else {
        points = scanner.byte == UInt8(ascii: ".") ? points + 1 : 0
        scanner.takeByte()
      }
    }
    return (used, defined)
  }

  /// The name of the first operation that has one.
  package static func operationName(_ query: [UInt8]) -> String? {
    var scanner = GraphQLScanner(query)
    while !scanner.isAtEnd {
      scanner.skipIgnored()
      guard let word = scanner.name() else {
        scanner.takeByte()
        continue
      }
      guard scanner.isOutside else { continue }
      scanner.skipIgnored()
      if operations.contains(word), let name = scanner.name() { return name }
      if word == "fragment" { _ = scanner.name() }
    }
    return nil
  }
}

/// Reads GraphQL byte by byte, aware of texts, comments and brackets.
struct GraphQLScanner {
  private var bytes: [UInt8]
  private var at = 0
  private var depth = 0
  /// The length of the quotes that are open: 0, 1 or 3.
  private var openQuotes = 0
  /// The last byte that is neither blank nor part of a comment.
  private(set) var last: UInt8 = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether no bracket and no text is open.
  var isOutside: Bool { depth == 0 && openQuotes == 0 }
  var isAtEnd: Bool { at >= bytes.count }
  /// The byte to be read next.
  var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// Whether a name may begin with a byte.
  static func isNameStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (65...90).contains(byte & 0xDF)
  }

  /// Whether a first word of GraphQL, or what may stand before it, can begin with a byte.
  static func mayBegin(with byte: UInt8) -> Bool {
    isNameStart(byte) || byte <= 32 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "#")
  }

  /// Goes on with another line; a text in single quotes ends with its line.
  mutating func takeLine(_ line: [UInt8]) {
    bytes = line
    at = 0
    if openQuotes == 1 { openQuotes = 0 }
    while !isAtEnd { takeByte() }
  }

  /// Skips blanks, commas and comments.
  mutating func skipIgnored() {
    guard openQuotes == 0 else { return }
    while let byte {
      if byte == UInt8(ascii: "#") {
        while at < bytes.count, bytes[at] != 10 { at += 1 }
      } else if byte <= 32 || byte == UInt8(ascii: ",") {
        at += 1
      } else {
        return
      }
    }
  }

  /// The name that begins here.
  mutating func name() -> String? {
    guard openQuotes == 0, let first = byte, GraphQLScanner.isNameStart(first) else { return nil }
    let start = at
    while let next = byte, GraphQLScanner.isNameStart(next) || (48...57).contains(next) { at += 1 }
    last = bytes[at - 1]
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// Takes one byte, or as many as belong together.
  mutating func takeByte() {
    guard let byte else { return }
    if byte == UInt8(ascii: "\"") {
      takeQuote()
    } else if openQuotes > 0 {
      at += byte == UInt8(ascii: "\\") ? 2 : 1
    } else {
      if byte == UInt8(ascii: "#") { return skipIgnored() }
      if "{([".utf8.contains(byte) { depth += 1 }
      if "})]".utf8.contains(byte) { depth = max(0, depth - 1) }
      if byte > 32 { last = byte }
      at += 1
    }
  }

  private mutating func takeQuote() {
    last = UInt8(ascii: "\"")
    var count = 0
    while count < 3, at + count < bytes.count, bytes[at + count] == last { count += 1 }
    if openQuotes == 0 {
      // Two quotes are an empty text.
      if count != 2 { openQuotes = count }
      at += count
    } else if openQuotes == 3 {
      if count == 3 { openQuotes = 0 }
      at += count
    } else {
      openQuotes = 0
      at += 1
    }
  }
}
