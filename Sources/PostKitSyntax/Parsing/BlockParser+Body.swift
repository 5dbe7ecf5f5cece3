// A body: its lines verbatim, up to the first structural line (PK-16 to PK-19, PK-24 to PK-26).

extension BlockParser {
  /// Reads a body, if one begins after the blank lines.
  mutating func readBody() {
    guard record.requestLine != nil else { return }
    while next < lines.count, readBlankLine() {}
    let type = headerValue("Content-Type")
    guard next < lines.count, beginsBodyText(hasType: type != nil) else { return }
    let isTextType = type.map { startsIgnoringCase($0, "text/") } ?? false
    var multipart: Multipart?
    if let type { multipart = multipartBody(of: type) }
    let first = Int(starts.bodyLines)
    makeRoomForBodyLines()
    while next < lines.count {
      let (content, line) = (nextContent, nextLine)
      let isGuarded = multipart?.takes(next, bytes, line) ?? false
      let isPlain = isPlainText(content)
      if !isGuarded, !isPlain {
        if tables.bodyLines.count > first, endsBody(next) { break }
        if readBodyDefinition(content) { continue }
      }
      var kind = BodyLineSyntax.Kind.text
      if isPlain {
        emitText(.bodyText, line.content)
        endLine(line)
      } else if content.isEmpty {
        endLine(line)
      } else if let file = fileLine(content, isTextType: isTextType) {
        kind = .file(file)
        readFileLine(file, content, line)
      } else {
        let isComment = multipart?.isInPartBody != true && bytes.isComment(content)
        if isComment { kind = .comment }
        readTextLine(line, isComment: isComment, isGuarded: isGuarded)
      }
      tables.bodyLines.append(BodyLineSyntax(kind, line.content, end: line.end))
    }
    while tables.bodyLines.count > first, let last = tables.bodyLines.last,
      bytes.trimmed(last.content).isEmpty
    {
      tables.bodyLines.removeLast()
    }
    guard tables.bodyLines.count > first, let last = tables.bodyLines.last else { return }
    record.body = tables.bodyLines[first].content.lowerBound..<last.content.upperBound
  }

  /// Makes room for the rest of the block, where it is long.
  private mutating func makeRoomForBodyLines() {
    let needed = tables.bodyLines.count + lines.count - next
    guard lines.count - next > 256, needed > tables.bodyLines.capacity else { return }
    tables.bodyLines.reserveCapacity(max(needed, 2 * tables.bodyLines.capacity))
  }

  /// Whether a line begins with a character with which nothing begins that is more than text. Blank
  /// lines are none of these.
  private mutating func isPlainText(_ content: Range<Int>) -> Bool {
    guard !content.isEmpty else { return false }
    switch bytes[content.lowerBound] {
    case Byte.hash, Byte.slash, Byte.at, Byte.less, Byte.greater, Byte.question: return false
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return false
    case Byte.openBrace: return !bytes.starts(content, with: "{{")
    default: return true
    }
  }

  /// Reads a line of a body that is a definition or metadata where a preset has it so.
  private mutating func readBodyDefinition(_ content: Range<Int>) -> Bool {
    guard !content.isEmpty else { return false }
    if bytes.isComment(content) {
      guard rules.metadataInBodies, let parts = metadataParts(content),
        MetadataTag(bytes, parts.key)?.isUnmistakable == true
      else { return false }
      return readComment(in: .epilogue)
    }
    switch rules.bodyDefinitions {
    case .none, .atEnds: return false
    case .all, .allAfterResponse:
      return readVariable(isAfterResponse: rules.bodyDefinitions == .allAfterResponse)
    }
  }

  private mutating func readTextLine(_ line: SourceLine, isComment: Bool, isGuarded: Bool) {
    let trimmed = bytes.trimmed(line.content)
    if isComment, let parts = metadataParts(trimmed),
      MetadataTag(bytes, parts.key)?.isUnmistakable == true
    {
      problem(.metadataInBody, trimmed)
    }
    if !isGuarded, looksLikeAssertion(line.content), !followsAssertionText {
      problem(.assertionInBody, trimmed)
    }
    if !isGuarded, looksLikeRequest(next) { problem(.missingSeparator, trimmed) }
    emitText(isComment ? .comment : .bodyText, line.content)
    endLine(line)
  }

  /// Whether the last line of the body would be an assertion, too.
  private var followsAssertionText: Bool {
    tables.bodyLines.last.map { bytes.starts($0.content, with: "??") } ?? false
  }

  private mutating func readFileLine(
    _ file: RedirectSyntax, _ content: Range<Int>, _ line: SourceLine
  ) {
    emit(.blank, to: content.lowerBound)
    emit(.redirectMarker, to: file.markerRange.upperBound)
    let start = bytes.skipBlanks(cursor, content.upperBound)
    emitText(.path, start..<content.upperBound, mustClose: true)
    endLine(line)
  }

  // MARK: - Beginning and end

  /// Whether the next line, the first that isn't blank, is text of a body. A split is noted.
  private mutating func beginsBodyText(hasType: Bool) -> Bool {
    var index = next
    if !hasType {
      // Comments alone are no body: every tool that strips comments sends nothing here, and a
      // remark at the end of a request is far more common than a body of one.
      while index < lines.count {
        let content = content(index)
        guard content.isEmpty || bytes.isComment(content) else { break }
        index += 1
      }
      if index == lines.count { return false }
    }
    if splits(at: index) {
      isSplit = true
      return false
    }
    if isStatusLine(index), hasNoBodyByMethod() { return false }
    if structure(at: index, allowing: .body(followsBreak: true)) != nil { return false }
    return !beginsTrailingRun(index)
  }

  private mutating func hasNoBodyByMethod() -> Bool {
    guard let method = record.method else { return true }
    return bytes.equalsIgnoringCase(method, "GET") || bytes.equalsIgnoringCase(method, "HEAD")
  }

  /// Whether a line after the body's first ends it.
  private mutating func endsBody(_ index: Int) -> Bool {
    if rules.implicitSplit == .anywhere, splits(at: index) {
      isSplit = true
      return true
    }
    let isAfterBlank = isAfterBlankLine(index)
    if structure(at: index, allowing: .body(followsBreak: isAfterBlank)) != nil { return true }
    return isAfterBlank && beginsTrailingRun(index)
  }

  /// Whether only definitions, comments and blank lines stand from here to the body's end, and
  /// at least one definition (PK-26).
  private mutating func beginsTrailingRun(_ index: Int) -> Bool {
    guard index >= noTrailingRunBefore, rules.bodyDefinitions != .none else { return false }
    let first = content(index)
    guard !first.isEmpty, bytes[first.lowerBound] == Byte.at || bytes.isComment(first) else {
      return false
    }
    var hasDefinition = false
    var at = index
    while at < lines.count {
      if bytes[lines[at].start] != Byte.lineFeed {
        let content = content(at)
        if !content.isEmpty, !bytes.isComment(content) {
          guard isDefinition(content) else { break }
          hasDefinition = true
        }
      }
      at += 1
    }
    let endsWell = at == lines.count
      || structure(at: at, allowing: .body(followsBreak: true)) != nil
    if hasDefinition, endsWell { return true }
    noTrailingRunBefore = at
    return false
  }

  // MARK: - Included files

  /// `< path`, `<@ path`, `<@encoding path` (PK-18); in text the path must look like one (PK-99).
  private mutating func fileLine(_ content: Range<Int>, isTextType: Bool) -> RedirectSyntax? {
    let start = content.lowerBound
    let end = content.upperBound
    guard bytes[start] == Byte.less, start + 1 < end else { return nil }
    var markerEnd = start + 1
    var encoding: Range<Int>?
    if bytes[markerEnd] == Byte.at {
      markerEnd = bytes.skipWord(markerEnd, end)
      if markerEnd > start + 2 { encoding = start + 2..<markerEnd }
      if let encoding, !bytes[encoding].allSatisfy({ $0.isTokenCharacter }) { return nil }
    }
    let written = bytes.skipBlanks(markerEnd, end)..<end
    guard written.lowerBound > markerEnd, !written.isEmpty,
      !bytes.starts(written, with: "{%")
    else { return nil }
    let path = unquoted(written)
    if isTextType, !looksLikePath(path) { return nil }
    return RedirectSyntax(
      marker: markerEnd > start + 1 ? .includeSubstituted : .includeRaw,
      markerRange: start..<markerEnd, encoding: encoding, path: path)
  }

  private mutating func looksLikePath(_ path: Range<Int>) -> Bool {
    if bytes[path].contains(where: { $0 == Byte.slash || $0 == Byte.backslash }) { return true }
    if TemplateParser.hasOpenBraces(bytes, in: path) { return true }
    guard let dot = bytes[path].lastIndex(of: Byte.dot), dot > path.lowerBound,
      !bytes[dot - 1].isBlank
    else { return false }
    let ending = bytes[dot + 1..<path.upperBound]
    return (1...8).contains(ending.count) && ending.allSatisfy { $0.isLetter || $0.isDigit }
      && ending.contains { $0.isLetter }
  }

  // MARK: - Multipart

  /// Where a multipart body stands: nothing is structural up to its closing delimiter (PK-24).
  private struct Multipart {
    let boundary: [UInt8]
    let closingLine: Int
    var isInPart = false
    var isInPartBody = false

    /// Notes the line; tells whether it lies before the closing delimiter.
    mutating func takes(_ index: Int, _ bytes: ByteView, _ line: SourceLine) -> Bool {
      guard index <= closingLine else { return false }
      let content = bytes.trimmed(line.content)
      if index == closingLine {
        isInPartBody = false
      } else if bytes[content].elementsEqual(boundary) {
        isInPart = true
        isInPartBody = false
      } else if content.isEmpty, isInPart {
        isInPartBody = true
      }
      return true
    }
  }

  private mutating func startsIgnoringCase(_ value: Range<Int>, _ start: StaticString) -> Bool {
    let count = start.utf8CodeUnitCount
    guard value.count >= count else { return false }
    return bytes.equalsIgnoringCase(value.lowerBound..<value.lowerBound + count, start)
  }

  /// The multipart body of a type that begins at the next line, if it is closed at all.
  private mutating func multipartBody(of value: Range<Int>) -> Multipart? {
    guard startsIgnoringCase(value, "multipart/") else { return nil }
    let dashes = [Byte.dash, Byte.dash]
    let first = content(next)
    var boundary: [UInt8]
    if let name = boundaryName(value) {
      boundary = dashes + bytes[name]
    } else if bytes.starts(first, with: "--"), first.count > 2 {
      boundary = Array(bytes[first])
    } else {
      return nil
    }
    let closing = boundary + dashes
    let found = (next..<lines.count).first { index in
      bytes[bytes.trimmed(lines[index].content)].elementsEqual(closing)
    }
    guard let found else { return nil }
    return Multipart(boundary: boundary, closingLine: found)
  }

  private mutating func boundaryName(_ value: Range<Int>) -> Range<Int>? {
    var at = value.lowerBound
    while at + 9 < value.upperBound {
      if bytes.equalsIgnoringCase(at..<at + 9, "boundary=") {
        var end = at + 9
        while end < value.upperBound, bytes[end] != UInt8(ascii: ";") { end += 1 }
        let name = unquoted(bytes.trimmed(at + 9..<end))
        return name.isEmpty ? nil : name
      }
      at += 1
    }
    return nil
  }
}
