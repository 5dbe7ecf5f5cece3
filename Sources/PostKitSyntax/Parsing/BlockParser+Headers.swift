// The lines between a request line and the blank line (PK-12 to PK-15).

extension BlockParser {
  /// Reads up to the blank line, a line that ends the headers without one, or the block's end.
  mutating func readHeaders() {
    while next < lines.count {
      let content = nextContent
      if content.isEmpty { return }
      if bytes[content.lowerBound].isLetter {
        if splits(at: next) {
          isSplit = true
          return
        }
      } else {
        if readComment(in: .headers) { continue }
        if structure(at: next, allowing: .headers) != nil { return }
      }
      if isTargetPart(content) {
        let line = nextLine
        readTargetPart(content, isContinuation: true)
        endLine(line)
      } else if !readHeader(content) {
        if !rules.needsBlankLine { return }
        if beginsBody(content) {
          problem(.missingBlankLine, content)
          return
        }
        problem(.malformedHeader, content)
        readUnexpectedLine()
      }
    }
  }

  /// Rules 2 to 4 and the first half of 6 of PK-12.
  private mutating func isTargetPart(_ content: Range<Int>) -> Bool {
    let first = bytes[content.lowerBound]
    if first == Byte.question || first == UInt8(ascii: "&") || first == Byte.slash { return true }
    guard isNextIndented, !hasHeaders else { return false }
    guard let colon = headerColon(content) else { return !bytes.starts(content, with: "...") }
    let value = colon + 1..<content.upperBound
    guard let last = record.target.last else { return bytes.starts(value, with: "//") }
    // A header after a target that ends in a slash is far more common than a path with a colon
    // and a blank in it.
    let isPlainHeader = value.isEmpty || bytes[value.lowerBound].isBlank
    switch bytes[last.upperBound - 1] {
    case Byte.question, UInt8(ascii: "&"), Byte.equals: return true
    case Byte.slash, UInt8(ascii: ","): return !isPlainHeader
    default: return false
    }
  }

  private var hasHeaders: Bool {
    mutating get { tables.headers.count > Int(starts.headers) }
  }

  private mutating func readHeader(_ content: Range<Int>) -> Bool {
    let line = nextLine
    if let colon = headerColon(content) {
      let name = bytes.trimmed(content.lowerBound..<colon)
      let value = bytes.trimmed(colon + 1..<content.upperBound)
      emitText(.headerName, name, mustClose: true)
      emit(.blank, to: colon)
      emit(.headerColon, to: colon + 1)
      emitText(.headerValue, value, mustClose: true)
      tables.headers.append(
        HeaderSyntax(line: content, name: name, value: RangeList(value), isSpread: false))
    } else if isNextIndented, hasHeaders, let last = tables.headers.indices.last,
      !tables.headers[last].isSpread, !tables.headers[last].value.isEmpty
    {
      emitText(.headerValue, content, mustClose: true)
      tables.headers[last].value.removeEmpty()
      tables.headers[last].value.append(content)
      let start = tables.headers[last].line.lowerBound
      tables.headers[last].line = start..<content.upperBound
    } else if bytes.starts(content, with: "..."), content.count > 3 {
      emitText(.headerSpread, content, mustClose: true)
      let name = bytes.skipBlanks(content.lowerBound + 3, content.upperBound)..<content.upperBound
      tables.headers.append(
        HeaderSyntax(line: content, name: name, value: RangeList(), isSpread: true))
    } else if isWholeReference(content) {
      emitText(.headerName, content)
      tables.headers.append(
        HeaderSyntax(line: content, name: content, value: RangeList(), isSpread: false))
    } else {
      return false
    }
    endLine(line)
    return true
  }

  /// The colon after a header's name: a token, or one with references (PK-13, PK-14).
  private mutating func headerColon(_ content: Range<Int>) -> Int? {
    var at = content.lowerBound
    let end = content.upperBound
    while true {
      at = bytes.skipTokenCharacters(at, end)
      guard at < end, bytes[at] == Byte.openBrace, bytes.starts(at..<end, with: "{{"),
        let close = bytes.firstPair(Byte.closeBrace, Byte.closeBrace, in: at..<end)
      else { break }
      at = close + 2
    }
    guard at > content.lowerBound else { return nil }
    at = bytes.skipBlanks(at, end)
    return at < end && bytes[at] == Byte.colon ? at : nil
  }

  /// Whether a line is a single reference: its value may be a whole header (PK-45).
  private mutating func isWholeReference(_ content: Range<Int>) -> Bool {
    TemplateParser.isWholeReference(bytes, content)
  }

  /// Whether a line that is no header looks like a body (PK-15).
  private mutating func beginsBody(_ content: Range<Int>) -> Bool {
    switch bytes[content.lowerBound] {
    case Byte.openBrace, UInt8(ascii: "["), Byte.less, Byte.quote: return true
    case Byte.dash: return bytes.starts(content, with: "--")
    case UInt8(ascii: "q"): return isOperation(content, "query")
    case UInt8(ascii: "m"): return isOperation(content, "mutation")
    case UInt8(ascii: "s"): return isOperation(content, "subscription")
    case UInt8(ascii: "f"): return isOperation(content, "fragment")
    default: return false
    }
  }

  /// Whether a line begins with a keyword of GraphQL.
  private mutating func isOperation(_ content: Range<Int>, _ keyword: StaticString) -> Bool {
    guard bytes.starts(content, with: keyword) else { return false }
    let end = content.lowerBound + keyword.utf8CodeUnitCount
    return end == content.upperBound || bytes[end].isBlank || bytes[end] == Byte.openBrace
      || bytes[end] == UInt8(ascii: "(")
  }

  /// The trimmed value of the first header with a name, references unread.
  mutating func headerValue(_ name: StaticString) -> Range<Int>? {
    for place in Int(starts.headers)..<tables.headers.count
    where !tables.headers[place].isSpread
      && bytes.equalsIgnoringCase(tables.headers[place].name, name)
    {
      return tables.headers[place].value.first
    }
    return nil
  }
}
