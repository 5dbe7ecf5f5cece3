// Lines that end a body: handlers, saves, response references, assertions (PK-24, PK-25).

/// A line that is no text of a body.
enum Structure: Sendable, Hashable {
  /// `> {%`, with the place of `{%`.
  case handlerScript(open: Int)
  /// `> file.js`.
  case handlerFile(path: Range<Int>)
  /// `>> path`, `>>! path`, `<> path`.
  case redirect(RedirectSyntax)
  /// `?? …`.
  case assertion(text: Range<Int>, isWellFormed: Bool)
  /// httpYac's `{{` to `}}`.
  case scriptBlock
}

extension BlockParser {
  /// Where a line stands; the further from a body, the more is accepted.
  enum StructureContext: Sendable, Hashable {
    /// In a body; whether a blank or structural line stands before it.
    case body(followsBreak: Bool)
    /// Among the headers, without a blank line before.
    case headers
    /// After a body.
    case epilogue
  }

  /// What a line is, if it is structural.
  mutating func structure(at index: Int, allowing context: StructureContext) -> Structure? {
    let content = content(index)
    guard !content.isEmpty else { return nil }
    var isBody = false
    var allowsAssertion = true
    if case .body(let followsBreak) = context {
      isBody = true
      allowsAssertion = followsBreak
    }
    let isAtStart = content.lowerBound == line(index).start
    switch bytes[content.lowerBound] {
    case Byte.greater where isAtStart || !isBody:
      let found = greaterStructure(content, isBody: isBody)
      if rules.readsHandlers { return found }
      if case .redirect = found { return found }
      return nil
    case Byte.less where isAtStart || !isBody: return responseReference(content)
    case Byte.question where isAtStart || !isBody:
      guard allowsAssertion, rules.readsAssertions, let text = assertionText(content) else {
        return nil
      }
      let isWellFormed = AssertionForm(bytes, text) != nil
      return isWellFormed || context == .epilogue
        ? .assertion(text: text, isWellFormed: isWellFormed) : nil
    case Byte.openBrace:
      guard rules.readsAssertions, isScriptBlockStart(content), endsScript(below: index) else {
        return nil
      }
      return .scriptBlock
    default: return nil
    }
  }

  private mutating func greaterStructure(_ content: Range<Int>, isBody: Bool) -> Structure? {
    let end = content.upperBound
    let start = content.lowerBound
    if start + 1 < end, bytes[start + 1] == Byte.greater {
      let overwrites = start + 2 < end && bytes[start + 2] == UInt8(ascii: "!")
      let markerEnd = start + (overwrites ? 3 : 2)
      return redirect(overwrites ? .saveOverwriting : .save, start..<markerEnd, end)
    }
    let path = bytes.skipBlanks(start + 1, end)..<end
    if bytes.starts(path, with: "{%") { return .handlerScript(open: path.lowerBound) }
    guard path.lowerBound > start + 1, isScriptPath(path, mayHoldBlanks: !isBody) else {
      return nil
    }
    return .handlerFile(path: path)
  }

  private mutating func responseReference(_ content: Range<Int>) -> Structure? {
    guard bytes.starts(content, with: "<>") else { return nil }
    let marker = content.lowerBound..<content.lowerBound + 2
    return redirect(.responseReference, marker, content.upperBound)
  }

  private mutating func redirect(
    _ kind: RedirectSyntax.Marker, _ marker: Range<Int>, _ end: Int
  ) -> Structure? {
    let start = bytes.skipBlanks(marker.upperBound, end)
    guard start > marker.upperBound, start < end else { return nil }
    return .redirect(
      RedirectSyntax(
        marker: kind, markerRange: marker, encoding: nil, path: unquoted(start..<end)))
  }

  private mutating func isScriptPath(_ range: Range<Int>, mayHoldBlanks: Bool) -> Bool {
    let path = unquoted(range)
    let isQuoted = path != range
    if !mayHoldBlanks, !isQuoted, bytes[path].contains(where: \.isBlank) { return false }
    let endings: [StaticString] = [".js", ".mjs", ".cjs", ".ts", ".lua"]
    return endings.contains { ending in
      let count = ending.utf8CodeUnitCount
      return path.count > count
        && bytes.equalsIgnoringCase(path.upperBound - count..<path.upperBound, ending)
    }
  }

  private mutating func assertionText(_ content: Range<Int>) -> Range<Int>? {
    guard bytes.starts(content, with: "??") else { return nil }
    let start = content.lowerBound + 2
    guard start == content.upperBound || bytes[start].isBlank else { return nil }
    return bytes.skipBlanks(start, content.upperBound)..<content.upperBound
  }

  /// Whether a line would be an assertion below a blank line.
  mutating func looksLikeAssertion(_ content: Range<Int>) -> Bool {
    guard rules.readsAssertions, let text = assertionText(content) else { return false }
    return AssertionForm(bytes, text) != nil
  }

  /// Reads a line that `structure` found.
  mutating func read(_ structure: Structure) {
    let content = nextContent
    let line = nextLine
    switch structure {
    case .handlerScript(let open):
      readScript(.responseHandler, marker: content.lowerBound, open: open)
    case .handlerFile(let path): readScriptFile(.responseHandler, content, path: path)
    case .redirect(let redirect):
      emit(.blank, to: content.lowerBound)
      emit(.redirectMarker, to: redirect.markerRange.upperBound)
      let start = bytes.skipBlanks(cursor, content.upperBound)
      emitText(.path, start..<content.upperBound, mustClose: true)
      if redirect.marker == .responseReference {
        extras.responseReferences.append(redirect)
      } else {
        extras.saves.append(redirect)
      }
      endLine(line)
    case .assertion(let text, let isWellFormed):
      emitText(.assertion, content)
      extras.assertions.append(AssertionSyntax(line: content, text: text))
      traits.insert(.checks)
      if case .expression? = AssertionForm(bytes, text)?.subject { traits.insert(.expressions) }
      if !isWellFormed { problem(.assertionSyntax, content) }
      endLine(line)
    case .scriptBlock: readScriptBlock()
    }
  }

  // MARK: - Epilogue

  /// Reads what follows a body: only structural lines are at home here.
  mutating func readEpilogue() {
    var wasUnexpected = false
    while next < lines.count {
      if readBlankLine() { continue }
      if readVariable(isAfterResponse: rules.bodyDefinitions != .all) {
        wasUnexpected = false
        continue
      }
      if readComment(in: .epilogue) { continue }
      if isStatusLine(next), isAfterBlankLine(next) {
        _ = readResponse(isWholeBlock: false)
        return
      }
      if let structure = structure(at: next, allowing: .epilogue) {
        read(structure)
        wasUnexpected = false
      } else {
        if !wasUnexpected { problem(.textAfterHandler, nextContent) }
        wasUnexpected = true
        readUnexpectedLine()
      }
    }
  }

  // MARK: - Responses

  /// Whether a line at column 0 is a status line, `HTTP/1.1 200 OK` (RFC 9112, 4).
  mutating func isStatusLine(_ index: Int) -> Bool {
    let content = content(index)
    guard bytes.starts(content, with: "HTTP/"), isColumnZero(index) else { return false }
    var at = content.lowerBound + 5
    let end = content.upperBound
    let digits = at
    while at < end, bytes[at].isDigit || bytes[at] == Byte.dot { at += 1 }
    guard at > digits, at < end, bytes[at].isBlank else { return false }
    at = bytes.skipBlanks(at, end)
    guard at + 3 <= end, bytes[at..<at + 3].allSatisfy(\.isDigit) else { return false }
    return at + 3 == end || bytes[at + 3].isBlank
  }

  /// Whether a line's text begins where the line does, a byte order mark aside.
  mutating func isColumnZero(_ index: Int) -> Bool {
    content(index).lowerBound == max(line(index).start, index == next ? cursor : 0)
  }

  /// Reads a response up to the block's end.
  mutating func readResponse(isWholeBlock: Bool) -> Bool {
    guard isStatusLine(next) else { return false }
    let start = lines[next].start
    var end = cursor
    while next < lines.count {
      let line = nextLine
      let content = nextContent
      emit(.blank, to: content.lowerBound)
      emit(.response, to: content.upperBound)
      if !content.isEmpty { end = line.contentEnd }
      endLine(line)
    }
    extras.inlineResponse = start..<end
    if isWholeBlock { record.kind = .response }
    return true
  }
}
