// Reads the blocks of one segment, line by line, and never fails: what fits nowhere becomes an
// `unexpected` token with a problem (dialects.md, 1.19).

/// The state of reading one segment. All places are offsets in the segment until `finish`.
struct BlockParser {
  let rules: SyntaxRules
  /// Whether the file is ASCII throughout.
  private let isASCII: Bool
  /// Whether the segment is text of a Markdown file.
  private var isProse = false
  /// The segment's bytes.
  private(set) var bytes = ByteView()
  /// The segment's lines.
  private(set) var lines = SourceLines()
  /// The last line that is exactly `}}`, so that a search for one is never in vain; -1 for none,
  /// `nil` where nobody has asked.
  private var knownScriptEnd: Int?
  /// Where the current block begins.
  var blockStart = 0
  /// The line to be read next.
  var next = 0 { didSet { findNextLine(isLineAfter: next == oldValue + 1) } }
  /// That line; an empty one at the end.
  private(set) var nextLine = SourceLine()
  /// Its text without blanks at its ends; a byte order mark counts as read.
  private var nextContent = 0..<0
  /// Whether the line before is blank.
  private var followsBlankLine = false
  /// Where the tokens made so far end.
  var cursor = 0
  /// The bytes of the byte order mark at the start.
  private var markLength = 0
  /// The tree of the current block so far, but for what the next fields hold.
  var syntax = BlockSyntax()
  private var tokens: [SyntaxToken] = []
  private var references: [ReferenceSyntax] = []
  var headers: [HeaderSyntax] = []
  var bodyLines: [BodyLineSyntax] = []
  var extras = BlockExtras()
  private var hasExtras: Bool { extras != BlockExtras() }
  /// Whether an implicit split ended the block before its segment.
  var isSplit = false
  /// Lines before this one are known to begin no trailing run of definitions (PK-26).
  var noTrailingRunBefore = 0

  /// Makes a parser for the segments of one file.
  init(_ rules: SyntaxRules, isASCII: Bool) {
    self.rules = rules
    self.isASCII = isASCII
  }

  /// Makes ready to read the blocks of a segment.
  mutating func begin(
    _ bytes: ByteView, _ lines: SourceLines, kind: Segment.Kind, isStartOfFile: Bool
  ) {
    self.bytes = bytes
    self.lines = kind == .prose ? SourceLines() : lines
    isProse = kind == .prose
    (blockStart, cursor, noTrailingRunBefore) = (0, 0, 0)
    (knownScriptEnd, isSplit) = (nil, false)
    markLength = isStartOfFile && !isProse ? bytes.markLength : 0
    emit(.blank, to: markLength)
    next = 0
  }

  /// Reads the next block of the segment; the lengths of all add up to its bytes.
  mutating func read() -> (length: Int, box: SyntaxBox) {
    if isProse {
      emit(.prose, to: bytes.count)
      syntax.kind = .prose
    } else {
      readBlock()
    }
    let length = cursor - blockStart
    return (length, finish())
  }

  /// Whether the segment goes on.
  var hasMore: Bool { next < lines.count }

  /// The last line that is exactly `}}`; -1 for none.
  private mutating func lastScriptEnd() -> Int {
    if let knownScriptEnd { return knownScriptEnd }
    let last = lines.lastIndex { line in
      let content = bytes.trimmed(line.content)
      return content.count == 2 && bytes.starts(content, with: "}}")
    }
    knownScriptEnd = last ?? -1
    return last ?? -1
  }

  /// Whether a line that is exactly `}}` stands below a line.
  mutating func endsScript(below index: Int) -> Bool { index < lastScriptEnd() }

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
  private mutating func finish() -> SyntaxBox {
    syntax.tokens = tokens.takeAll()
    syntax.references = references.takeAll()
    if syntax.kind == .empty { syntax.kind = kind() }
    if !isASCII, let range = UTF8Check.firstInvalid(bytes, in: blockStart..<cursor) {
      problem(.invalidUTF8, range)
    }
    addMissingRequestProblem()
    if syntax.problems.count > 1 {
      syntax.problems.sort { $0.range.lowerBound < $1.range.lowerBound }
    }
    if hasExtras {
      syntax.extras = extras
      extras = BlockExtras()
    }
    let title = syntax.separator?.title.flatMap { ParsedDocument.isName(bytes, $0) ? $0 : nil }
    let tag = syntax.metadata.first { $0.foldedKey == "name" && !$0.value.isEmpty }?.value
    if blockStart > 0 { syntax.move(by: -blockStart) }
    let (start, name) = (blockStart, tag ?? title)
    func moved(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound - start..<range.upperBound - start
    }
    isSplit = false
    blockStart = cursor
    var finished = BlockSyntax()
    swap(&finished, &syntax)
    return SyntaxBox(consume finished, name: name.map(moved), title: title.map(moved))
  }

  private func kind() -> BlockSyntax.Kind {
    if syntax.request != nil { return syntax.request?.curl == nil ? .request : .curl }
    if extras.directives.contains(where: { $0.kind != .importFile }) { return .directives }
    let definesNothing =
      syntax.variables.isEmpty && extras.scripts.isEmpty && extras.assertions.isEmpty
      && extras.fragments.isEmpty
      && syntax.metadata.allSatisfy { ["name", "title", "description"].contains($0.foldedKey) }
    if !definesNothing { return .global }
    return extras.directives.isEmpty ? .empty : .directives
  }

  /// A request without a target, or a block that is named but holds nothing to be called.
  private mutating func addMissingRequestProblem() {
    if let line = syntax.request?.line, syntax.request?.curl == nil,
      syntax.request?.target.isEmpty == true
    {
      problem(.missingRequestLine, line)
    }
    guard syntax.kind == .empty else { return }
    if let name = syntax.metadata.first(where: { $0.foldedKey == "name" }) {
      problem(.missingRequestLine, name.line)
    }
  }

  private mutating func readSeparator() {
    guard next < lines.count else { return }
    let line = nextLine
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
    tokens.append(SyntaxToken(kind, length: end - cursor))
    cursor = end
  }

  /// Makes tokens for a text with references; what lies between cursor and text is blank.
  mutating func emitText(_ kind: TokenKind, _ range: Range<Int>, mustClose: Bool = false) {
    emit(.blank, to: range.lowerBound)
    guard TemplateParser.hasOpenBraces(bytes, in: range) else {
      return emit(kind, to: range.upperBound)
    }
    TemplateParser.read(bytes, in: range) { piece in
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
        references.append(reference)
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

  /// A line by its number.
  func line(_ index: Int) -> SourceLine { index == next ? nextLine : lines[index] }

  /// The text of a line without blanks at its ends; a byte order mark counts as read.
  func content(_ index: Int) -> Range<Int> { index == next ? nextContent : trimmed(lines[index]) }

  private mutating func findNextLine(isLineAfter: Bool) {
    followsBlankLine = isLineAfter ? nextContent.isEmpty : isBlank(next - 1)
    nextLine = next < lines.count ? lines[next] : SourceLine()
    nextContent = trimmed(nextLine)
  }

  private func isBlank(_ index: Int) -> Bool {
    lines.indices.contains(index) && trimmed(lines[index]).isEmpty
  }

  private func trimmed(_ line: SourceLine) -> Range<Int> {
    bytes.trimmed(min(line.contentEnd, max(line.start, markLength))..<line.contentEnd)
  }

  /// Whether the line before a line is blank.
  func isAfterBlankLine(_ index: Int) -> Bool {
    index == next ? followsBlankLine : isBlank(index - 1)
  }

  /// Whether a line begins with a blank or tab.
  func isIndented(_ index: Int) -> Bool {
    content(index).lowerBound > line(index).start
  }

  /// Reads a line of nothing but blanks, if the next is one.
  mutating func readBlankLine() -> Bool {
    guard content(next).isEmpty else { return false }
    endLine(nextLine)
    return true
  }
}
