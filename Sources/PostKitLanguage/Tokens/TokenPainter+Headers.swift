// Headers and their values, and the lines of in-line responses.

import PostKitSyntax

/// What the value of a header is made of.
enum HeaderKind: Sendable, Hashable {
  /// A scheme, then credentials.
  case credentials
  /// Words of a fixed set, with commas between.
  case words
  case other

  /// The kind of a header, and whether nobody should send it any more.
  static func read(_ name: ArraySlice<UInt8>) -> (kind: HeaderKind, isDeprecated: Bool) {
    let key = String(decoding: name, as: UTF8.self).lowercased()
    if deprecated.contains(key) { return (.other, true) }
    if key == "authorization" || key == "proxy-authorization" { return (.credentials, false) }
    return (worded.contains(key) ? .words : .other, false)
  }

  /// Obsoleted by RFC 9110, RFC 9111, RFC 9112, RFC 9530 and the W3C.
  private static let deprecated: Set<String> = [
    "pragma", "warning", "accept-charset", "content-md5", "digest", "want-digest", "dnt",
    "proxy-connection",
  ]

  /// The same as bytes.
  static let deprecatedNames = deprecated.sorted().map { Array($0.utf8) }

  private static let worded: Set<String> = [
    "accept-encoding", "content-encoding", "transfer-encoding", "te", "connection",
    "cache-control", "upgrade", "expect",
  ]

  /// The schemes of credentials that can be sent, in small letters.
  static let schemes: Set<String> = [
    "bearer", "basic", "digest", "aws", "ntlm", "negotiate", "oauth2", "apikey", "token",
  ]

  /// The words of the headers of words, in small letters.
  static let known: Set<String> = [
    "gzip", "deflate", "br", "zstd", "compress", "identity", "chunked", "trailers", "keep-alive",
    "close", "upgrade", "websocket", "h2c", "100-continue", "no-cache", "no-store", "max-age",
    "max-stale", "min-fresh", "no-transform", "only-if-cached", "must-revalidate", "private",
    "public",
  ]
}

/// How far the lines of a response have been read.
enum ResponsePart: Sendable, Hashable { case statusLine, headers, body }

/// A piece of a line with its type.
struct TokenPiece: Sendable, Hashable {
  var range: Range<Int>
  var type: SemanticTokenType
}

extension TokenPainter {
  /// A piece of a header's name; a reference may stand beside it.
  mutating func paintHeaderName(_ range: Range<Int>) {
    let read = HeaderKind.read(block.slice(range))
    header = read.kind
    add(range, .property, read.isDeprecated ? .deprecated : [])
  }

  /// A piece of a header's value.
  mutating func paintHeaderValue(_ range: Range<Int>) {
    switch header {
    case .other: add(range, isNumber(range) ? .number : .string)
    case .words: paintWords(range)
    case .credentials:
      // Only the first word is a scheme.
      header = .other
      let first = skipBlanks(range.lowerBound, range.upperBound)
      let end = wordEnd(first..<range.upperBound)
      guard HeaderKind.schemes.contains(block.text(first..<end).lowercased()) else {
        return add(range, .string)
      }
      add(first..<end, .keyword)
      add(skipBlanks(end, range.upperBound)..<range.upperBound, .string)
    }
  }

  private mutating func paintWords(_ range: Range<Int>) {
    var at = range.lowerBound
    while at < range.upperBound {
      let first = at
      while at < range.upperBound, !byte(at).partsWords { at += 1 }
      let word = first..<at
      if isNumber(word) {
        add(word, .number)
      } else if !word.isEmpty {
        let isKnown = HeaderKind.known.contains(block.text(word).lowercased())
        add(word, isKnown ? .keyword : .string)
      }
      at += 1
    }
  }

  /// `...name`: the headers that a variable holds.
  mutating func paintSpread(_ range: Range<Int>) {
    guard block.slice(range).starts(with: "...".utf8) else { return add(range, .variable) }
    let dots = range.lowerBound..<range.lowerBound + 3
    add(dots, .operator)
    let name = skipBlanks(dots.upperBound, range.upperBound)..<range.upperBound
    let text = block.text(name)
    note(text)
    let meaning = meanings?.meaning(text, "", at: start + name.lowerBound, own: nil)
    add(name, .variable, meaning?.modifiers ?? [])
  }

  // MARK: - Responses

  /// A line of an in-line response; of a body nothing is painted.
  mutating func paintResponse(_ range: Range<Int>) {
    switch response {
    case .statusLine:
      let version = range.lowerBound..<wordEnd(range)
      add(version, .keyword)
      let first = skipBlanks(version.upperBound, range.upperBound)
      let status = first..<wordEnd(first..<range.upperBound)
      add(status, isNumber(status) ? .number : .string)
      add(skipBlanks(status.upperBound, range.upperBound)..<range.upperBound, .string)
      response = .headers
    case .headers:
      guard let colon = range.first(where: { byte($0) == UInt8(ascii: ":") }) else { return }
      add(range.lowerBound..<colon, .property)
      let value = skipBlanks(colon + 1, range.upperBound)..<range.upperBound
      add(value, isNumber(value) ? .number : .string)
    case .body: break
    }
  }

  // MARK: - Lines that are read as a whole

  /// A piece of a `??` line.
  mutating func paintAssertion(_ range: Range<Int>) {
    if pieces.last.map({ $0.range.upperBound <= range.lowerBound }) ?? true {
      pieces = assertionPieces(range)
      nextPiece = 0
    }
    paintPieces(in: range)
  }

  private mutating func assertionPieces(_ range: Range<Int>) -> [TokenPiece] {
    let assertions = syntax.assertions
    while nextAssertion < assertions.count,
      assertions[nextAssertion].line.upperBound <= range.lowerBound
    {
      nextAssertion += 1
    }
    guard nextAssertion < assertions.count,
      assertions[nextAssertion].line.contains(range.lowerBound)
    else { return [] }
    let assertion = assertions[nextAssertion]
    let line = assertion.line
    let mark = TokenPiece(range: line.lowerBound..<line.lowerBound + 2, type: .operator)
    let text = block.absolute(assertion.text)
    guard let form = AssertionForm(block.bytes, text) else { return [mark] }
    func inBlock(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound - start..<range.upperBound - start
    }
    let predicate = inBlock(form.predicateRange)
    let isWord = byte(predicate.lowerBound).isLetterOrMark
    let expected = inBlock(form.expected)
    let subject = assertion.text.lowerBound..<max(assertion.text.lowerBound, predicate.lowerBound)
    return [
      mark, TokenPiece(range: trimmed(subject), type: .property),
      TokenPiece(range: predicate, type: isWord ? .keyword : .operator),
      TokenPiece(range: expected, type: isNumber(expected) ? .number : .string),
      TokenPiece(range: line.upperBound..<line.upperBound, type: .string),
    ]
  }

  /// A piece of a curl command.
  mutating func paintCurl(_ range: Range<Int>) {
    if pieces.isEmpty { pieces = curlPieces() }
    paintPieces(in: range)
  }

  /// The words of a curl command: the program, its options, and the rest.
  private func curlPieces() -> [TokenPiece] {
    guard let command = syntax.request?.curl else { return [] }
    var result: [TokenPiece] = []
    var at = command.lowerBound
    while at < command.upperBound {
      if byte(at).isShellBlank {
        at += 1
        continue
      }
      let word = at..<shellWordEnd(at, command.upperBound)
      let isOption = byte(at) == UInt8(ascii: "-") && word.count > 1
      let type: SemanticTokenType = result.isEmpty ? .function : isOption ? .parameter : .string
      // A backslash alone goes on with the next line.
      if word.count > 1 || byte(at) != UInt8(ascii: "\\") {
        result.append(TokenPiece(range: word, type: type))
      }
      at = max(word.upperBound, at + 1)
    }
    return result
  }

  private func shellWordEnd(_ first: Int, _ end: Int) -> Int {
    var quote: UInt8 = 0
    var at = first
    while at < end {
      let byte = byte(at)
      if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'"), at + 1 < end {
        // One before a line end belongs to no word.
        if at > first, quote == 0, self.byte(at + 1).isShellBlank { return at }
        if at == first, self.byte(at + 1).isShellBlank { return at + 1 }
        at += 1
      } else if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte.isShellBlank {
        return at
      }
      at += 1
    }
    return min(at, end)
  }

  private mutating func paintPieces(in range: Range<Int>) {
    while nextPiece < pieces.count, pieces[nextPiece].range.upperBound <= range.lowerBound {
      nextPiece += 1
    }
    for piece in pieces[nextPiece...] {
      if piece.range.lowerBound >= range.upperBound { break }
      let part = piece.range.clamped(to: range)
      add(part, piece.type)
    }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, byte(end - 1).isShellBlank { end -= 1 }
    return range.lowerBound..<end
  }
}

extension UInt8 {
  fileprivate var partsWords: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: " "),
      UInt8(ascii: "\t"):
      true
    default: false
    }
  }

  fileprivate var isShellBlank: Bool { self == 32 || (9...13).contains(self) }

  fileprivate var isLetterOrMark: Bool { (97...122).contains(self | 0x20) }
}

extension ParsedBlock {
  /// Whether a method is a registered one, in any case.
  func isRegisteredMethod(_ range: Range<Int>) -> Bool {
    MethodCatalog.isKnown(text(range).uppercased())
  }

  /// Whether the body is a form.
  func hasFormBody(_ request: RequestSyntax) -> Bool {
    guard request.body != nil else { return false }
    return request.headers.contains { header in
      guard let value = header.value.first, header.name.count == 12,
        text(header.name).lowercased() == "content-type"
      else { return false }
      return text(value).lowercased().hasPrefix("application/x-www-form-urlencoded")
    }
  }
}
