// Cuts a file at its separators. What a line means never depends on the lines before it, so that
// an edit can't change the cuts elsewhere.

import PostKitText

/// A piece of a file between two cuts. It holds one block, or several after implicit splits (PK-3).
struct Segment: Sendable, Hashable {
  /// How the piece is to be read.
  enum Kind: Sendable, Hashable {
    /// Requests, and text of a Markdown file.
    case requests, prose
  }
  /// Its bytes in the file.
  @Compact var range: Range<Int>
  /// What it holds.
  var kind: Kind
}

/// Finds the segments of a file; together they hold every byte of it once.
enum Segmenter {
  /// How many blanks may stand before the hashes of a separator (PK-2).
  static let greatestIndentation = 3

  /// Cuts a whole file. A file without bytes has no segments.
  static func segments(
    of bytes: ByteView, _ lines: LineStarts, format: DocumentFormat
  ) -> [Segment] {
    var result: [Segment] = []
    switch format {
    case .http: cut(bytes, lines, 0..<bytes.count, into: &result)
    case .markdown: cutMarkdown(bytes, lines, into: &result)
    }
    return result
  }

  /// The hashes of a separator that stands on the line from `start`, or `nil`.
  static func separator(in bytes: ByteView, lineStart: Int, end: Int) -> Range<Int>? {
    var at = lineStart
    let furthest = min(end, lineStart + greatestIndentation)
    while at < furthest, bytes[at] == Byte.space || bytes[at] == Byte.tab { at += 1 }
    let start = at
    while at < end, bytes[at] == Byte.hash { at += 1 }
    return at - start >= 3 ? start..<at : nil
  }

  /// Whether a look at the first bytes of a line does not tell that it is no separator.
  private static func mayBeginSeparator(_ bytes: ByteView, _ at: Int) -> Bool {
    switch bytes[at] {
    case Byte.hash: at + 1 < bytes.count && bytes[at + 1] == Byte.hash
    case Byte.space, Byte.tab: true
    default: false
    }
  }

  /// The segments of an `.http` file of which an older version is known. A cut depends on its
  /// line alone, so those in the bytes that both have in common are taken over.
  static func segments(
    of bytes: ByteView, _ lines: LineStarts, old: [Segment], _ equal: CommonEnds
  ) -> [Segment] {
    let lookahead = greatestIndentation + 3
    var result: [Segment] = []
    result.reserveCapacity(old.count + 1)
    for segment in old.dropLast() {
      if segment.range.upperBound + lookahead > equal.prefix { break }
      result.append(segment)
    }
    let start = result.last?.range.upperBound ?? 0
    // The line feed before a cut must be common too.
    let commonStart = max(start, equal.newCount - equal.suffix + 1)
    let distance = equal.newCount - equal.oldCount
    let later = old.drop { $0.range.lowerBound + distance < commonStart }
    let scanEnd = later.first.map { $0.range.lowerBound + distance } ?? bytes.count
    cut(bytes, lines, start..<scanEnd, into: &result)
    for segment in later {
      let moved = segment.range.lowerBound + distance..<segment.range.upperBound + distance
      result.append(Segment(range: moved, kind: segment.kind))
    }
    return result
  }

  /// Cuts a range that begins and ends where a cut or an end of the text is.
  private static func cut(
    _ bytes: ByteView, _ lines: LineStarts, _ range: Range<Int>, into result: inout [Segment]
  ) {
    guard !range.isEmpty else { return }
    var start = range.lowerBound
    var line = lines.firstLine(after: start)
    while line < lines.count, lines[line] < range.upperBound {
      let at = lines[line]
      if mayBeginSeparator(bytes, at),
        separator(in: bytes, lineStart: at, end: range.upperBound) != nil
      {
        result.append(Segment(range: start..<at, kind: .requests))
        start = at
      }
      line += 1
    }
    result.append(Segment(range: start..<range.upperBound, kind: .requests))
  }

  /// The fence that a line opens or closes: its character, its length and what follows it.
  private struct Fence {
    var character: UInt8
    var length: Int
    var isIndented: Bool
    var information: Range<Int>

    init?(_ bytes: ByteView, line: SourceLine) {
      let indented = line.start..<min(line.contentEnd, line.start + 4)
      let start = bytes.skipBlanks(indented.lowerBound, indented.upperBound)
      guard start < line.contentEnd, start - line.start <= 3 else { return nil }
      character = bytes[start]
      guard character == UInt8(ascii: "`") || character == UInt8(ascii: "~") else { return nil }
      var end = start
      while end < line.contentEnd, bytes[end] == character { end += 1 }
      length = end - start
      guard length >= 3 else { return nil }
      isIndented = start > line.start
      information = bytes.trimmed(end..<line.contentEnd)
      let isInlineCode = character == UInt8(ascii: "`")
        && bytes[information].contains(UInt8(ascii: "`"))
      if isInlineCode { return nil }
    }

    /// Whether requests stand inside (PK-102).
    func isRunnable(_ bytes: ByteView) -> Bool {
      !isIndented
        && (bytes[information].elementsEqual("http".utf8)
          || bytes[information].elementsEqual("rest".utf8))
    }

    /// Whether this fence ends one that `opening` began (CommonMark 0.31, 4.5).
    func closes(_ opening: Fence) -> Bool {
      character == opening.character && length >= opening.length && information.isEmpty
    }
  }

  private static func cutMarkdown(
    _ bytes: ByteView, _ lines: LineStarts, into result: inout [Segment]
  ) {
    var opening: Fence?
    var proseStart = 0
    var contentStart: Int?
    var at = bytes.byteOrderMarkLength
    func endContent(_ start: Int, at end: Int) {
      guard end > start else { return }
      if start > proseStart { result.append(Segment(range: proseStart..<start, kind: .prose)) }
      cut(bytes, lines, start..<end, into: &result)
      proseStart = end
    }
    while at < bytes.count {
      let line = SourceLine(bytes, start: at, limit: bytes.count)
      at = line.end
      guard let fence = Fence(bytes, line: line) else { continue }
      if let open = opening {
        guard fence.closes(open) else { continue }
        if let start = contentStart { endContent(start, at: line.start) }
        opening = nil
        contentStart = nil
      } else {
        opening = fence
        contentStart = fence.isRunnable(bytes) ? line.end : nil
      }
    }
    if let start = contentStart { endContent(start, at: bytes.count) }
    if proseStart < bytes.count {
      result.append(Segment(range: proseStart..<bytes.count, kind: .prose))
    }
  }
}
