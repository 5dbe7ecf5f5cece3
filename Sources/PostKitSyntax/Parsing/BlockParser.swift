// Reads the blocks of one segment, line by line, and never fails: what fits nowhere becomes an
// `unexpected` token with a problem.

import PostKitText

/// The state of reading one segment. All places are offsets in the current block.
///
/// What only looks at the parser is `mutating`, too: for the call of another method the compiler
/// copies the whole parser, which takes longer than most looks.
struct BlockParser: ~Copyable {
  let rules: SyntaxRules
  /// Whether the file is ASCII throughout.
  private let isASCII: Bool
  /// Whether the segment is text of a Markdown file.
  private var isProse = false
  /// The segment's bytes from the current block on.
  private(set) var bytes = ByteView()
  /// The lines of these bytes.
  private(set) var lines = SourceLines()
  /// The last line that is exactly `}}`, so that a search for one is never in vain; -1 for none,
  /// `nil` where nobody has asked.
  private var knownScriptEnd: Int?
  /// Whether no line from the next one on ends in `%}`.
  var isBeyondScriptMarkers = false
  /// The value of the block's latest tag with the language of scripts.
  var scriptLanguage: Range<Int>?
  /// The line to be read next.
  var next = 0 { didSet { findNextLine(isLineAfter: next == oldValue + 1) } }
  /// That line; an empty one at the end.
  private(set) var nextLine = SourceLine()
  /// Its text without blanks at its ends; a byte order mark counts as read.
  private(set) var nextContent = 0..<0
  /// Whether the line before is blank.
  private var followsBlankLine = false
  /// Where the tokens made so far end.
  private(set) var cursor = 0
  /// The bytes of the byte order mark at the start.
  private var markLength = 0
  /// The current block so far, but for what is in the tables.
  var record = BlockRecord()
  var extras = BlockExtras()
  /// What the block is looked for by, as far as it was read.
  var traits: BlockTraits = []
  /// The records of the blocks so far.
  var tables = SyntaxTables()
  /// The bytes of the file, until the tables have room for it.
  private var expectedCount: Int
  /// Where the current block begins in the file.
  private var blockStart = 0
  /// Where the current block's records begin.
  private(set) var starts = RecordCounts()
  private var tokens = TokenBuffer()
  /// Whether an implicit split ended the block before its segment.
  var isSplit = false
  /// Lines before this one are known to begin no trailing run of definitions (PK-26).
  var noTrailingRunBefore = 0

  /// Makes a parser for the segments of a file with so many bytes; 0 for a few of them.
  init(_ rules: SyntaxRules, isASCII: Bool, expecting count: Int) {
    self.rules = rules
    self.isASCII = isASCII
    expectedCount = count
  }

  /// Makes ready to read the blocks of a segment.
  mutating func begin(_ bytes: ByteView, _ lines: SourceLines, kind: Segment.Kind, at start: Int) {
    blockStart = start
    self.bytes = bytes
    self.lines = kind == .prose ? SourceLines() : lines
    isProse = kind == .prose
    (cursor, noTrailingRunBefore) = (0, 0)
    (knownScriptEnd, isBeyondScriptMarkers, isSplit) = (nil, false, false)
    markLength = start == 0 && !isProse ? bytes.byteOrderMarkLength : 0
    emit(.blank, to: markLength)
    next = 0
  }

  /// Reads the next block of the segment: its length, of which all add up to the segment's, and the
  /// place of its record, and what it is looked for by.
  mutating func read() -> (length: Int, slot: Int, traits: BlockTraits) {
    if isProse {
      emit(.prose, to: bytes.count)
      record.kind = .prose
    } else {
      readBlock()
    }
    let (length, found) = (cursor, traits)
    traits = []
    finish()
    if hasMore { moveOn() }
    return (length, tables.blocks.count - 1, found)
  }

  /// Whether the segment goes on.
  var hasMore: Bool { mutating get { next < lines.count } }

  /// What was read so far, which the parser lets go.
  mutating func takeTables() -> SyntaxTables {
    tokens.move(to: &tables.tokens)
    var taken = SyntaxTables()
    swap(&taken, &tables)
    starts = RecordCounts()
    return taken
  }

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
    guard record.requestLine != nil, next < lines.count, !isSplit else { return }
    if record.curl == nil {
      readHeaders()
      if !isSplit { readBody() }
    }
    if !isSplit { readEpilogue() }
  }

  /// Makes the record of the block that ends at the cursor.
  private mutating func finish() {
    if record.kind == .empty { record.kind = kind() }
    if !isASCII, let range = UTF8Check.firstInvalid(bytes, in: 0..<cursor) {
      problem(.invalidUTF8, range)
    }
    addMissingRequestProblem()
    let problems = Int(starts.problems)
    if !areProblemsInOrder(from: problems) {
      tables.problems[problems...].sort { $0.range.lowerBound < $1.range.lowerBound }
    }
    if !extras.isEmpty {
      record.extras = UInt32(truncatingIfNeeded: tables.extras.count)
      tables.extras.append(extras)
      extras = BlockExtras()
    }
    record.title = record.separatorTitle.flatMap { Self.isName(bytes, $0) ? $0 : nil }
    record.name = firstTag { $0.kind == .name && !$0.value.isEmpty }?.value ?? record.title
    starts = tables.counts
    starts.tokens += UInt32(truncatingIfNeeded: tokens.count)
    record.ends = starts
    var whole = BlockRecord()
    swap(&whole, &record)
    tables.blocks.append(whole)
    (isSplit, scriptLanguage) = (false, nil)
  }

  /// Whether a title is more than punctuation (PK-8).
  private static func isName(_ bytes: ByteView, _ title: Range<Int>) -> Bool {
    bytes[title].contains { $0.isLetter || $0.isDigit }
      || bytes.string(title).contains { $0.isLetter || $0.isNumber }
  }

  private mutating func areProblemsInOrder(from start: Int) -> Bool {
    var end = 0
    for place in start..<tables.problems.count {
      let lower = tables.problems[place].range.lowerBound
      if lower < end { return false }
      end = lower
    }
    return true
  }

  /// Makes the rest of the segment the text of the next block.
  private mutating func moveOn() {
    let rest = bytes.from(cursor)
    lines = lines.from(next, of: rest)
    bytes = rest
    if let known = knownScriptEnd { knownScriptEnd = max(known - next, -1) }
    noTrailingRunBefore = max(noTrailingRunBefore - next, 0)
    blockStart += cursor
    (cursor, markLength) = (0, 0)
    next = 0
  }

  /// The first tag of the block that is as asked for.
  mutating func firstTag(_ isWanted: (MetadataSyntax) -> Bool) -> MetadataSyntax? {
    let start = Int(starts.metadata)
    return tables.metadata.count > start ? tables.metadata[start...].first(where: isWanted) : nil
  }

  private mutating func kind() -> BlockSyntax.Kind {
    if record.requestLine != nil { return record.curl == nil ? .request : .curl }
    if extras.directives.contains(where: { $0.kind != .importFile }) { return .directives }
    let definesNothing = tables.variables.count == Int(starts.variables)
      && extras.scripts.isEmpty && extras.assertions.isEmpty && extras.fragments.isEmpty
      && firstTag { ![.name, .title, .description].contains($0.kind) } == nil
    if !definesNothing { return .global }
    return extras.directives.isEmpty ? .empty : .directives
  }

  /// A request without a target, or a block that is named but holds nothing to be called.
  private mutating func addMissingRequestProblem() {
    if let line = record.requestLine {
      if record.curl == nil, record.target.isEmpty { problem(.missingRequestLine, line) }
    } else if record.kind == .empty, let name = firstTag({ $0.kind == .name }) {
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
    record.marker = marker
    record.separatorTitle = title.isEmpty ? nil : title
    record.isIndented = isIndented
    if isIndented { problem(.indentedSeparator, start..<marker.upperBound) }
    endLine(line)
  }
}

extension BlockParser {
  // MARK: - Tokens

  /// Makes a token from the cursor to `end`; none where that is nothing.
  @inline(__always) mutating func emit(_ kind: TokenKind, to end: Int) {
    guard end > cursor else { return }
    if tokens.isFull || end - cursor > SyntaxToken.greatestLength { makeWay(kind, to: end) }
    tokens.append(SyntaxToken(kind, length: end - cursor))
    cursor = end
  }

  /// Makes room for a token, and makes several of one that is too long for it.
  @inline(never) private mutating func makeWay(_ kind: TokenKind, to end: Int) {
    tokens.move(to: &tables.tokens)
    let read = blockStart + cursor
    if expectedCount > 1 << 14, read > expectedCount / 16 {
      // Once a part of a large file is read, the rest is likely to be like it.
      tables.reserve(read: read, of: expectedCount)
      expectedCount = 0
    }
    while end - cursor > SyntaxToken.greatestLength {
      tables.tokens.append(SyntaxToken(kind, length: SyntaxToken.greatestLength))
      cursor += SyntaxToken.greatestLength
    }
  }

  /// Makes tokens for a text with references; what lies between cursor and text is blank.
  mutating func emitText(_ kind: TokenKind, _ range: Range<Int>, mustClose: Bool = false) {
    emit(.blank, to: range.lowerBound)
    guard let open = bytes.firstPair(Byte.openBrace, Byte.openBrace, in: range) else {
      return emit(kind, to: range.upperBound)
    }
    emitTemplate(kind, range, open, mustClose)
  }

  private mutating func emitTemplate(
    _ kind: TokenKind, _ range: Range<Int>, _ open: Int, _ mustClose: Bool
  ) {
    TemplateParser.cut(bytes, in: range, open: open) { cut, piece in
      switch cut {
      case .literal:
        emit(kind, to: piece.upperBound)
        if mustClose { checkIsClosed(piece, range) }
      case .escapedReference: emit(kind, to: piece.upperBound + 4)
      case .reference:
        emit(kind, to: piece.lowerBound)
        emit(.referenceOpen, to: piece.lowerBound + 2)
        emit(.referenceText, to: piece.upperBound - 2)
        emit(.referenceClose, to: piece.upperBound)
        let reference = TemplateParser.reference(bytes, piece)
        if reference.expression.readsExchange { traits.insert(.readsExchanges) }
        if case .script = reference.expression { traits.insert(.expressions) }
        tables.references.append(reference)
      }
    }
  }

  /// Notes that a piece of a text has open braces that nothing closes, where it has.
  private mutating func checkIsClosed(_ piece: Range<Int>, _ text: Range<Int>) {
    if let open = bytes.firstPair(Byte.openBrace, Byte.openBrace, in: piece) {
      problem(.unclosedReference, open..<text.upperBound)
    }
  }

  /// Ends the line that is read: its last blanks, its line end, and on to the next line.
  mutating func endLine(_ line: SourceLine) {
    emit(.blank, to: line.contentEnd)
    emit(.lineEnd, to: line.end)
    next += 1
  }

  /// Takes the next line as text that is none of the expected.
  mutating func readUnexpectedLine() {
    emit(.blank, to: nextContent.lowerBound)
    emit(.unexpected, to: nextContent.upperBound)
    endLine(nextLine)
  }

  /// Notes a mistake.
  mutating func problem(_ kind: SyntaxProblem.Kind, _ range: Range<Int>) {
    tables.problems.append(SyntaxProblem(kind, range))
  }

  // MARK: - Lines

  /// A line by its number.
  mutating func line(_ index: Int) -> SourceLine { index == next ? nextLine : lines[index] }

  /// The text of a line without blanks at its ends; a byte order mark counts as read.
  mutating func content(_ index: Int) -> Range<Int> {
    index == next ? nextContent : trimmed(lines[index])
  }

  @inline(__always) private mutating func findNextLine(isLineAfter: Bool) {
    followsBlankLine = isLineAfter ? nextContent.isEmpty : isBlank(next - 1)
    let line = next < lines.count ? lines[next] : SourceLine()
    nextLine = line
    nextContent = trimmed(line)
  }

  private mutating func isBlank(_ index: Int) -> Bool {
    lines.indices.contains(index) && trimmed(lines[index]).isEmpty
  }

  @inline(__always) private mutating func trimmed(_ line: SourceLine) -> Range<Int> {
    bytes.trimmed(min(line.contentEnd, max(line.start, markLength))..<line.contentEnd)
  }

  /// Whether the line before a line is blank.
  mutating func isAfterBlankLine(_ index: Int) -> Bool {
    index == next ? followsBlankLine : isBlank(index - 1)
  }

  /// Whether the next line begins with a blank or tab.
  var isNextIndented: Bool { mutating get { nextContent.lowerBound > nextLine.start } }

  /// Reads a line of nothing but blanks, if the next is one; with it the empty lines that follow.
  mutating func readBlankLine() -> Bool {
    guard nextContent.isEmpty else { return false }
    emit(.blank, to: nextLine.contentEnd)
    emit(.lineEnd, to: nextLine.end)
    var read = 1
    while cursor < bytes.count, bytes[cursor] == Byte.lineFeed {
      emit(.lineEnd, to: cursor + 1)
      read += 1
    }
    next += read
    return true
  }
}
