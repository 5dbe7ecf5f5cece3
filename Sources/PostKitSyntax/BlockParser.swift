// Reads the blocks of one segment, line by line, and never fails: what fits nowhere becomes an
// `unexpected` token with a problem (dialects.md, 1.19).

/// A block and how many bytes of its segment it takes.
struct ParsedPiece: Sendable {
  /// In bytes.
  var length: Int
  /// The block's tree.
  var syntax: BlockSyntax
}

/// The state of reading one segment. All places are offsets in the segment until `finish`.
struct BlockParser {
  /// The segment's bytes.
  let bytes: [UInt8]
  let rules: SyntaxRules
  /// The segment's lines.
  let lines: [SourceLine]
  /// The last line that is exactly `}}`, so that a search for one is never in vain; -1 for none.
  let lastScriptEnd: Int
  /// Where the current block begins.
  var blockStart = 0
  /// The line to be read next.
  var next = 0
  /// Where the tokens made so far end.
  var cursor = 0
  /// The tree of the current block so far.
  var syntax = BlockSyntax()
  /// Whether an implicit split ended the block before its segment.
  var isSplit = false
  /// Lines before this one are known to begin no trailing run of definitions (PK-26).
  var noTrailingRunBefore = 0

  /// Reads all blocks of a segment; their lengths add up to its bytes.
  static func pieces(
    of bytes: [UInt8], kind: Segment.Kind, isStartOfFile: Bool, _ rules: SyntaxRules
  ) -> [ParsedPiece] {
    if kind == .prose { return [ParsedPiece(length: bytes.count, syntax: prose(bytes))] }
    var parser = BlockParser(bytes, rules)
    var pieces: [ParsedPiece] = []
    if isStartOfFile { parser.emit(.blank, to: bytes.markLength) }
    repeat {
      parser.readBlock()
      pieces.append(parser.finish())
    } while parser.next < parser.lines.count
    return pieces
  }

  private init(_ bytes: [UInt8], _ rules: SyntaxRules) {
    self.bytes = bytes
    self.rules = rules
    lines = SourceLine.all(in: bytes)
    syntax.tokens.reserveCapacity(lines.count * 4)
    var last = lines.count - 1
    while last >= 0 {
      let content = bytes.trimmed(lines[last].content)
      if content.count == 2, bytes[content.lowerBound] == Byte.closeBrace,
        bytes[content.lowerBound + 1] == Byte.closeBrace
      {
        break
      }
      last -= 1
    }
    lastScriptEnd = last
  }

  private static func prose(_ bytes: [UInt8]) -> BlockSyntax {
    var syntax = BlockSyntax(
      kind: .prose, tokens: bytes.isEmpty ? [] : [SyntaxToken(.prose, length: bytes.count)])
    if let range = UTF8Check.firstInvalid(bytes, in: 0..<bytes.count) {
      syntax.problems.append(SyntaxProblem(.invalidUTF8, range))
    }
    return syntax
  }

  private mutating func readBlock() {
    readSeparator()
    readPrologue()
    guard syntax.request != nil, next < lines.count, !isSplit else { return }
    if syntax.request?.curl == nil {
      readHeaders()
      if !isSplit { readBody() }
    }
    if !isSplit { readEpilogue() }
  }

  /// Ends the block at the cursor and makes the parser ready for the next one.
  private mutating func finish() -> ParsedPiece {
    var result = syntax
    if result.kind == .empty { result.kind = kind(of: result) }
    let whole = blockStart..<cursor
    if let range = UTF8Check.firstInvalid(bytes, in: whole) {
      result.problems.append(SyntaxProblem(.invalidUTF8, range))
    }
    addMissingRequestProblem(&result)
    result.problems.sort { $0.range.lowerBound < $1.range.lowerBound }
    if blockStart > 0 { result.move(by: -blockStart) }
    syntax = BlockSyntax()
    isSplit = false
    blockStart = cursor
    return ParsedPiece(length: whole.count, syntax: result)
  }

  private func kind(of block: BlockSyntax) -> BlockSyntax.Kind {
    if let request = block.request { return request.curl == nil ? .request : .curl }
    if block.directives.contains(where: { $0.kind != .importFile }) { return .directives }
    let definesNothing =
      block.variables.isEmpty && block.scripts.isEmpty && block.assertions.isEmpty
      && block.metadata.allSatisfy { ["name", "title", "description"].contains($0.foldedKey) }
    if !definesNothing { return .global }
    return block.directives.isEmpty ? .empty : .directives
  }

  /// A request without a target, or a block that is named but holds nothing to be called.
  private func addMissingRequestProblem(_ block: inout BlockSyntax) {
    if let request = block.request, request.curl == nil, request.target.isEmpty {
      block.problems.append(SyntaxProblem(.missingRequestLine, request.line))
    }
    guard block.kind == .empty else { return }
    if let name = block.metadata.first(where: { $0.foldedKey == "name" }) {
      block.problems.append(SyntaxProblem(.missingRequestLine, name.line))
    }
  }

  private mutating func readSeparator() {
    guard next < lines.count else { return }
    let line = lines[next]
    let start = cursor
    guard
      let marker = Segmenter.separator(in: bytes, lineStart: start, end: line.contentEnd)
    else { return }
    emit(.blank, to: marker.lowerBound)
    emit(.separatorMarker, to: marker.upperBound)
    let title = bytes.trimmed(marker.upperBound..<line.contentEnd)
    emit(.blank, to: title.lowerBound)
    emit(.separatorTitle, to: title.upperBound)
    let isIndented = marker.lowerBound > start
    syntax.separator = SeparatorSyntax(
      marker: marker, title: title.isEmpty ? nil : title, isIndented: isIndented)
    if isIndented { problem(.indentedSeparator, start..<marker.upperBound) }
    endLine(line)
  }
}

extension BlockParser {
  // MARK: - Tokens

  /// Makes a token from the cursor to `end`; none where that is nothing.
  mutating func emit(_ kind: TokenKind, to end: Int) {
    guard end > cursor else { return }
    syntax.tokens.append(SyntaxToken(kind, length: end - cursor))
    cursor = end
  }

  /// Makes tokens for a text with references; what lies between cursor and text is blank.
  mutating func emitText(_ kind: TokenKind, _ range: Range<Int>, mustClose: Bool = false) {
    emit(.blank, to: range.lowerBound)
    guard TemplateParser.hasOpenBraces(bytes, in: range) else {
      return emit(kind, to: range.upperBound)
    }
    for piece in TemplateParser.pieces(bytes, in: range) {
      switch piece {
      case .literal(let literal):
        emit(kind, to: literal.upperBound)
        if mustClose,
          let open = bytes.firstPair(Byte.openBrace, Byte.openBrace, in: literal)
        {
          problem(.unclosedReference, open..<range.upperBound)
        }
      case .escapedReference(let inside): emit(kind, to: inside.upperBound + 4)
      case .reference(let reference):
        emit(kind, to: reference.range.lowerBound)
        emit(.referenceOpen, to: reference.range.lowerBound + 2)
        emit(.referenceText, to: reference.range.upperBound - 2)
        emit(.referenceClose, to: reference.range.upperBound)
        syntax.references.append(reference)
      }
    }
  }

  /// Ends the line that is read: its last blanks, its line end, and on to the next line.
  mutating func endLine(_ line: SourceLine) {
    emit(.blank, to: line.contentEnd)
    emit(.lineEnd, to: line.end)
    next += 1
  }

  /// Takes the rest of the line as text that is none of the expected.
  mutating func endLineUnexpectedly(_ line: SourceLine) {
    let rest = bytes.trimmed(cursor..<line.contentEnd)
    emit(.blank, to: rest.lowerBound)
    emit(.unexpected, to: rest.upperBound)
    endLine(line)
  }

  /// Notes a mistake.
  mutating func problem(_ kind: SyntaxProblem.Kind, _ range: Range<Int>) {
    syntax.problems.append(SyntaxProblem(kind, range))
  }

  // MARK: - Lines

  /// The text of a line without blanks at its ends; a byte order mark counts as read.
  func content(_ index: Int) -> Range<Int> {
    let line = lines[index]
    return bytes.trimmed(max(line.start, index == next ? cursor : line.start)..<line.contentEnd)
  }

  /// Whether a line begins with a blank or tab.
  func isIndented(_ index: Int) -> Bool {
    content(index).lowerBound > lines[index].start
  }

  /// Reads a line of nothing but blanks, if the next is one.
  mutating func readBlankLine() -> Bool {
    guard content(next).isEmpty else { return false }
    endLine(lines[next])
    return true
  }
}
