// Credentials that stand literally in the text of a request: they don't go into the history with it
// (CONTRACTS.md, section 5).

import PostKitHTTP
package import PostKitSyntax

/// The literal credentials of a block: what its header fields that are always masked say apart from
/// references, what a curl command says in their stead, passwords in URLs, and what the block
/// defines for all of these.
package struct LiteralCredentials {
  private let block: ParsedBlock
  /// Where they stand in the file, and what a display has there.
  private var edits: [(range: Range<Int>, text: String)] = []
  /// The names that credentials are made of.
  private var names: Set<String> = []
  /// Whether what no one keeps secret stays: names of users, and AWS's region and service.
  private var keepsOpenWords = false
  private var open = OpenWords()

  /// Finds the credentials of a block; all that its fields say is one, unless open words are kept.
  package init(_ block: ParsedBlock, keepingOpenWords: Bool = false) {
    self.block = block
    keepsOpenWords = keepingOpenWords
    if let curl = block.curl {
      readCommand(curl)
    } else if let request = block.request {
      for range in request.target { readPassword(of: block.absolute(range)) }
      // Few blocks have such a field, and looking at each line costs more than looking for one.
      if LiteralCredentials.mayHaveField(block.bytes[block.range]) { readFields(request) }
    }
    readDefinitions()
  }

  /// Finds what definitions that stand elsewhere say of credentials, which are made of the names.
  package init(definitions block: ParsedBlock, for names: Set<String>) {
    self.block = block
    self.names = names
    readDefinitions()
  }

  /// The names that credentials are made of, those of definitions in the block included.
  package var usedNames: Set<String> { names }

  /// The block's text with masks in their places; `nil` where there are none.
  package var maskedText: String? {
    guard !edits.isEmpty else { return nil }
    var result: [UInt8] = []
    var at = block.range.lowerBound
    for (range, text) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where range.lowerBound >= at {
      result += block.bytes[at..<range.lowerBound]
      result += text.utf8
      at = range.upperBound
    }
    return String(keeping: result + block.bytes[at..<block.range.upperBound])
  }

  // MARK: - Header fields

  /// Whether there is a colon after what could be the end of the name of a field that is always
  /// masked.
  private static func mayHaveField(_ bytes: ArraySlice<UInt8>) -> Bool {
    // `Cookie` ends in `ie`, `Authorization` in `on`.
    let (cookie, authorization): (UInt16, UInt16) = (0x69_65, 0x6F_6E)
    var ending: UInt16 = 0
    for byte in bytes {
      if byte == UInt8(ascii: ":"), ending == cookie || ending == authorization { return true }
      if byte != 32, byte != 9 { ending = ending << 8 | UInt16(byte.asciiLowercased) }
    }
    return false
  }

  /// Fields with their continuation lines, then all other lines that look like one: in a comment or
  /// a body it is a credential as well.
  private mutating func readFields(_ request: RequestSyntax) {
    var done: [Range<Int>] = []
    for header in request.headers where SecretMask.isAlwaysMasked(block.text(header.name)) {
      for (index, piece) in header.value.enumerated() {
        read(block.absolute(piece), mayNameScheme: index == 0)
      }
      done.append(block.absolute(header.line))
    }
    let bytes = block.bytes[block.range]
    for line in bytes.split(separator: 0x0A) where !done.contains(where: line.indices.overlaps) {
      let start = line.drop { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: "#") || $0 == 0x2F }
      guard let colon = start.firstIndex(of: UInt8(ascii: ":")),
        SecretMask.isAlwaysMasked(
          String(decoding: start[..<colon], as: UTF8.self).trimmingASCIIBlanks())
      else { continue }
      let end = line.last == 0x0D ? line.endIndex - 1 : line.endIndex
      read(colon + 1..<end, mayNameScheme: true)
    }
  }

  /// Takes what stands in a range apart from references; blanks, and what only parts or names
  /// references, stays.
  private mutating func read(_ range: Range<Int>, mayNameScheme: Bool = false) {
    let pieces = TemplateParser.pieces(block.bytes, in: range)
    var mayNameScheme = mayNameScheme
    if mayNameScheme { open = OpenWords() }
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .reference(let reference):
        open.pass()
        if case .path(let name, let rest) = reference.expression {
          names.formUnion([name, name + rest])
        }
      case .escapedReference(let inside):
        edits.append((inside.lowerBound - 4..<inside.upperBound + 4, SecretMask.text))
      case .literal(let literal):
        var isReferenceNext = false
        if index + 1 < pieces.count, case .reference = pieces[index + 1] { isReferenceNext = true }
        for word in block.bytes[literal].split(whereSeparator: LiteralCredentials.parts) {
          // A scheme has something behind it.
          let isScheme =
            mayNameScheme && word.endIndex < range.upperBound && block.bytes[word.endIndex] == 32
            && SecretMask.isScheme(String(decoding: word, as: UTF8.self))
          mayNameScheme = false
          let isName =
            isReferenceNext && word.endIndex == literal.upperBound
            && LiteralCredentials.isName(word)
          if isScheme { open.scheme = String(decoding: word, as: UTF8.self).lowercased() }
          let isOpen = keepsOpenWords && !isScheme && open.take(word, block.bytes, range)
          if !isScheme, !isName, !isOpen { edits.append((word.indices, SecretMask.text)) }
        }
      }
      mayNameScheme = false
    }
  }

  /// Whether a byte parts words of a field's value and says nothing itself.
  private static func parts(_ byte: UInt8) -> Bool { " \t\r\n;,:\"".utf8.contains(byte) }

  /// Whether a word only names what follows it, as in `sid={{session}}`.
  private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
    word.firstIndex(of: UInt8(ascii: "=")) == word.endIndex - 1
  }

  // MARK: - URLs

  /// Takes the password of a URL that stands in a range.
  private mutating func readPassword(of range: Range<Int>) {
    guard block.bytes[range].contains(UInt8(ascii: "@")) else { return }
    // References stay out of sight: they may have any sign in them.
    var text = Array(block.bytes[range])
    for piece in TemplateParser.pieces(block.bytes, in: range) {
      guard case .reference(let reference) = piece else { continue }
      for at in reference.range { text[at - range.lowerBound] = UInt8(ascii: "x") }
    }
    let start = text.firstRange(of: Array("://".utf8))?.upperBound ?? 0
    let end = text[start...].firstIndex { "/?# \t\"'".utf8.contains($0) } ?? text.endIndex
    guard let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")),
      let colon = text[start..<at].firstIndex(of: UInt8(ascii: ":"))
    else { return }
    read(range.lowerBound + colon + 1..<range.lowerBound + at)
  }

  // MARK: - Curl commands

  private mutating func readCommand(_ curl: CurlSyntax) {
    for url in curl.urls { readPassword(of: url.range) }
    for use in curl.uses {
      guard let word = use.value else { continue }
      switch use.option.name {
      case "user", "proxy-user", "cert", "proxy-cert": read(use, word, isAfterColon: true)
      case "header", "proxy-header":
        let name = word.text.split(separator: ":", omittingEmptySubsequences: false)[0]
        guard SecretMask.isAlwaysMasked(String(name).trimmingASCIIBlanks()) else { continue }
        read(use, word, isAfterColon: true)
      case "cookie" where word.bytes.contains(UInt8(ascii: "=")): read(use, word)
      case "oauth2-bearer", "pass", "proxy-pass", "tlspassword", "proxy-tlspassword":
        read(use, word)
      case "proxy", "preproxy": readPassword(of: word.range)
      default: break
      }
    }
  }

  /// Takes the value of an option, or what follows its first colon.
  private mutating func read(_ use: CurlSyntax.Use, _ word: ShellWord, isAfterColon: Bool = false) {
    var range = LiteralCredentials.value(of: use, word, block.bytes)
    if let first = block.bytes[range].first, LiteralCredentials.isQuote(first) {
      range = range.lowerBound + 1..<range.upperBound
    }
    if isAfterColon {
      let literals = TemplateParser.pieces(block.bytes, in: range).compactMap { piece in
        if case .literal(let literal) = piece { literal } else { nil }
      }
      let colons = literals.compactMap { block.bytes[$0].firstIndex(of: UInt8(ascii: ":")) }
      guard let first = colons.first else { return }
      range = first + 1..<range.upperBound
    }
    let quote = LiteralCredentials.openQuote(block.bytes[word.range.lowerBound..<range.lowerBound])
    let isClosed = quote != nil && block.bytes[..<range.upperBound].last == quote
    let inner = range.lowerBound..<(isClosed ? range.upperBound - 1 : range.upperBound)
    guard inner.lowerBound <= inner.upperBound else { return }
    let special: [UInt8] = quote.map { [$0] } ?? Array("'\"\\".utf8)
    if inner.contains(where: { special.contains(block.bytes[$0]) }) {
      // Quotes begin and end inside: only as a whole can it be replaced.
      let end = quote.map { String(decoding: [$0], as: UTF8.self) } ?? ""
      edits.append((range, SecretMask.text + end))
    } else {
      read(inner, mayNameScheme: true)
    }
  }

  /// Where the value of an option stands, its quotes included: `-uann:pw`, `--user=ann:pw` and
  /// `-u ann:pw`.
  private static func value(
    of use: CurlSyntax.Use, _ word: ShellWord, _ bytes: [UInt8]
  ) -> Range<Int> {
    let range = word.range
    guard use.range.lowerBound == range.lowerBound else { return range }
    let text = bytes[range]
    if text.dropFirst().first == UInt8(ascii: "-") {
      let equals = text.firstIndex(of: UInt8(ascii: "="))
      return (equals.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound
    }
    let letter = text.dropFirst().firstIndex { byte in
      CurlOption.letter(Character(Unicode.Scalar(byte)))?.takesValue == true
    }
    return (letter.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound
  }

  /// The quote that is open behind some bytes of a command.
  private static func openQuote(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    var open: UInt8?
    for byte in bytes where isQuote(byte) {
      if open == nil { open = byte } else if open == byte { open = nil }
    }
    return open
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
  }

  // MARK: - Definitions

  /// Takes the values of the block's definitions that credentials are made of.
  private mutating func readDefinitions() {
    var open = block.variables.filter { $0.form == .text && !$0.isAfterResponse }
    while let next = open.firstIndex(where: { names.contains(block.name(of: $0)) }) {
      read(block.absolute(open.remove(at: next).value), mayNameScheme: true)
    }
  }
}

/// Knows which words of a field's value are no secret, by those before them.
private struct OpenWords {
  /// What signs in, such as `aws`.
  var scheme = ""
  private var isAfterScheme = true
  private var isNamed = false

  /// Passes over a reference.
  mutating func pass() { (isAfterScheme, isNamed) = (false, false) }

  /// Whether the next word of a value is open.
  mutating func take(_ word: ArraySlice<UInt8>, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    defer { isAfterScheme = false }
    let hasMore = word.endIndex < range.upperBound
    switch scheme {
    // Where nothing follows a word, it is user and password in Base64.
    case "basic", "digest", "ntlm": return isAfterScheme && hasMore
    case "aws":
      if isNamed {
        isNamed = false
        return true
      }
      guard hasMore, bytes[word.endIndex] == UInt8(ascii: ":") else { return false }
      let name = String(decoding: word, as: UTF8.self).lowercased()
      isNamed = name == "region" || name == "service"
      return isNamed || name == "token"
    default: return false
    }
  }
}
