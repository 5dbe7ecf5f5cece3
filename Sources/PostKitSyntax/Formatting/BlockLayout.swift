// The layout of one block: first the blanks within its lines, then its lines and blank lines.

import PostKitText

/// Lays out one block. All places are offsets in the block.
struct BlockLayout {
  /// What continues a target or a header's value stands so far in.
  private static let indentation = "    "

  private let bytes: [UInt8]
  private let syntax: BlockSyntax
  private let isFirst: Bool
  private let isLast: Bool
  private let endsFile: Bool
  private let newLine: String
  /// What is left as it is: bodies, fragments, scripts, commands, in-line responses, comments of
  /// more than one line.
  private let verbatim: [Range<Int>]
  private var found: [TextEdit] = []

  /// Makes the layout of a block that is the first or the last of its file or fence.
  init(_ block: ParsedBlock, isFirst: Bool, isLast: Bool, endsFile: Bool, newLine: [UInt8]) {
    bytes = Array(block.bytes[block.range])
    syntax = block.syntax
    self.isFirst = isFirst
    self.isLast = isLast
    self.endsFile = endsFile
    self.newLine = String(decoding: newLine, as: UTF8.self)
    verbatim = BlockLayout.verbatimRanges(bytes, syntax)
  }

  /// The edits of the block, in order.
  mutating func edits() -> [TextEdit] {
    found = []
    layOutPrologue()
    layOutRequest()
    layOutEpilogue()
    layOutLines()
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private static func verbatimRanges(_ bytes: [UInt8], _ syntax: BlockSyntax) -> [Range<Int>] {
    var ranges = syntax.scripts.map(\.range) + blockComments(bytes, syntax)
    ranges += syntax.fragments.map(\.range)
    if let request = syntax.request {
      if let curl = request.curl { ranges.append(request.line.lowerBound..<curl.upperBound) }
      if let body = request.body { ranges.append(body.range) }
    }
    if let response = syntax.inlineResponse { ranges.append(response) }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The comments from a line `/*` to a line `*/`.
  private static func blockComments(_ bytes: [UInt8], _ syntax: BlockSyntax) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    var at = 0
    for token in syntax.tokens {
      let range = at..<at + Int(token.length)
      at = range.upperBound
      guard token.kind == .comment else { continue }
      if let opening = start {
        guard bytes[range].elementsEqual("*/".utf8) else { continue }
        ranges.append(opening..<range.upperBound)
        start = nil
      } else if bytes[range].elementsEqual("/*".utf8) {
        start = range.lowerBound
      }
    }
    return ranges
  }
}

extension BlockLayout {
  // MARK: - Within lines

  /// Puts `text` where nothing but blanks stands between two places of a line.
  private mutating func put(_ text: String, in gap: Range<Int>) {
    guard bytes[gap].allSatisfy(\.isBlank) else { return }
    replace(gap, text)
  }

  private mutating func replace(_ range: Range<Int>, _ text: String) {
    if !bytes[range].elementsEqual(text.utf8) { found.append(TextEdit(range, text)) }
  }

  private mutating func layOutPrologue() {
    if let separator = syntax.separator, let title = separator.title {
      put(" ", in: separator.marker.upperBound..<title.lowerBound)
    }
    for metadata in syntax.metadata where metadata.region != .body { layOut(metadata) }
    let body = syntax.request?.body?.range ?? 0..<0
    for variable in syntax.variables
    where variable.form == .text && !body.contains(variable.line.lowerBound) {
      let name = variable.nameRange.upperBound
      let mark = bytes.skipBlanks(name, variable.line.upperBound)
      put(" ", in: name..<mark)
      // httpYac's definitions may have no operator.
      if mark == variable.value.lowerBound { continue }
      let value = mark + (variable.isLazy ? 2 : 1)
      put(variable.value.isEmpty ? "" : " ", in: value..<variable.value.lowerBound)
    }
    for directive in syntax.directives {
      let word = bytes.skipWord(directive.line.lowerBound, directive.line.upperBound)
      put(" ", in: word..<bytes.skipBlanks(word, directive.line.upperBound))
    }
  }

  /// `# @key value`; keys without a meaning are somebody's remark.
  private mutating func layOut(_ metadata: MetadataSyntax) {
    guard metadata.kind?.isUnmistakable == true else { return }
    let mark = metadata.key.lowerBound - 1
    var at = metadata.line.lowerBound
    let comment = bytes[at]
    while at < mark, bytes[at] == comment { at += 1 }
    if at > metadata.line.lowerBound { put(" ", in: at..<mark) }
    let gap = metadata.key.upperBound..<metadata.value.lowerBound
    if metadata.value.isEmpty {
      replace(gap, "")
    } else if bytes[metadata.value.lowerBound] != Byte.equals {
      replace(gap, " ")
    }
  }

  private mutating func layOutRequest() {
    guard let request = syntax.request, request.curl == nil else { return }
    if let method = request.method, let target = request.target.first {
      put(" ", in: method.upperBound..<target.lowerBound)
    }
    if let version = request.version {
      // Before the version stands `HTTP/`.
      let start = version.lowerBound - 5
      if let target = request.target.last(where: { $0.upperBound <= start }) {
        put(" ", in: target.upperBound..<start)
      }
    }
    for header in request.headers {
      guard let value = header.value.first else { continue }
      let colon = bytes.skipBlanks(header.name.upperBound, header.line.upperBound)
      put("", in: header.name.upperBound..<colon)
      put(value.isEmpty ? "" : " ", in: colon + 1..<value.lowerBound)
    }
  }

  private mutating func layOutEpilogue() {
    for redirect in syntax.saves + syntax.responseReferences {
      let end = redirect.markerRange.upperBound
      put(" ", in: end..<bytes.skipBlanks(end, bytes.count))
    }
    for assertion in syntax.assertions {
      put(" ", in: assertion.line.lowerBound + 2..<assertion.text.lowerBound)
    }
  }

  // MARK: - Lines

  /// A line and what of it may be changed.
  private struct Line {
    var source: SourceLine
    /// What stands between its blanks.
    var content: Range<Int>
    var isVerbatim: Bool
    /// The part of `verbatim` that touches it.
    var part: Range<Int>?

    /// Whether it is empty and may go.
    var isBlank: Bool { content.isEmpty && !isVerbatim }
  }

  /// Blank lines that follow each other, of which there may be millions.
  private struct Blanks {
    var count = 0
    /// The first two.
    var first: Line?
    var second: Line?
    var last: Line?

    mutating func append(_ line: Line) {
      count += 1
      if count == 1 { first = line }
      if count == 2 { second = line }
      last = line
    }
  }

  /// The line that begins at a place; `parts` are the verbatim parts from there on.
  private func line(at start: Int, _ parts: inout ArraySlice<Range<Int>>) -> Line {
    let source = bytes.withView { SourceLine($0, start: start, limit: $0.count) }
    while let part = parts.first, part.upperBound <= source.start { parts.removeFirst() }
    let touching = parts.first.flatMap { $0.lowerBound < source.end ? $0 : nil }
    let isMarked = source.start == 0 && isFirst
    let content = min(source.contentEnd, source.start + (isMarked ? bytes.byteOrderMarkLength : 0))
    return Line(
      source: source, content: bytes.trimmed(content..<source.contentEnd),
      isVerbatim: touching.map { $0.lowerBound < max(source.contentEnd, source.start + 1) }
        ?? false, part: touching)
  }

  private mutating func layOutLines() {
    let continuations = continuationStarts()
    let bodyStart = syntax.request?.body?.range.lowerBound
    var before: Line?
    var blanks = Blanks()
    var parts = verbatim[...]
    var at = 0
    while at < bytes.count {
      let line = line(at: at, &parts)
      at = line.source.end
      if line.isBlank {
        blanks.append(line)
        continue
      }
      let isBody = bodyStart == line.source.start
      layOut(blanks, between: before, and: line, isBeforeBody: isBody)
      blanks = Blanks()
      layOutEnds(of: line, isContinuation: continuations.contains(line.content.lowerBound))
      before = line
    }
    layOut(blanks, between: before, and: nil, isBeforeBody: false)
    if let before, endsFile, before.source.contentEnd == before.source.end {
      found.append(TextEdit(before.source.end..<before.source.end, newLine))
    }
  }

  /// Where the lines begin that continue a target or a value.
  private func continuationStarts() -> Set<Int> {
    guard let request = syntax.request, request.curl == nil else { return [] }
    var starts = request.target.map(\.lowerBound).filter { $0 >= request.line.upperBound }
    if let version = request.version { starts.append(version.lowerBound - 5) }
    for header in request.headers { starts += header.value.map(\.lowerBound) }
    return Set(starts)
  }

  private mutating func layOutEnds(of line: Line, isContinuation: Bool) {
    if line.part.map({ line.content.lowerBound <= $0.lowerBound }) ?? true {
      let mark = line.source.start == 0 && isFirst ? bytes.byteOrderMarkLength : 0
      replace(
        line.source.start + mark..<line.content.lowerBound,
        isContinuation ? BlockLayout.indentation : "")
    }
    if line.part.map({ $0.upperBound <= line.content.upperBound }) ?? true {
      replace(line.content.upperBound..<line.source.contentEnd, "")
    }
  }

  /// Leaves as many of the blank lines between two lines as belong there, or adds the one that
  /// is missing.
  private mutating func layOut(
    _ blanks: Blanks, between before: Line?, and after: Line?, isBeforeBody: Bool
  ) {
    let isSeparator = before?.source.start == 0 && syntax.separator != nil
    let wanted: Int
    if before == nil || isSeparator && after != nil || after == nil && isLast {
      wanted = 0
    } else if isBeforeBody || after == nil && !isSeparator {
      wanted = 1
    } else {
      // Between two separators, or as the author parted the lines.
      wanted = min(blanks.count, 1)
    }
    if blanks.count < wanted, let before {
      found.append(TextEdit(before.source.end..<before.source.end, newLine))
      return
    }
    if wanted == 1, let kept = blanks.first { replace(kept.source.content, "") }
    if let first = wanted == 0 ? blanks.first : blanks.second, let last = blanks.last {
      let mark = first.source.start == 0 && isFirst ? bytes.byteOrderMarkLength : 0
      replace(first.source.start + mark..<last.source.end, "")
    }
  }
}
