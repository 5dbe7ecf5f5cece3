// Positions of many offsets in order: a line of a megabyte is scanned once, not once per token.

/// Converts offsets that mostly grow, such as those of semantic tokens, in linear time together.
package struct PositionCursor: Sendable {
  private let bytes: [UInt8]
  private let lines: LineIndex
  private let encoding: PositionEncoding
  private var line = 0
  private var content = 0..<0
  private var at = 0
  private var column = 0

  /// Makes a cursor at the start; `lines` must be the index of `bytes`.
  package init(bytes: [UInt8], lines: LineIndex, encoding: PositionEncoding) {
    self.bytes = bytes
    self.lines = lines
    self.encoding = encoding
    content = lines.contentRange(ofLine: 0, in: bytes)
  }

  /// The position of an offset, as `PositionConverter` gives it; any order is allowed.
  package mutating func position(of offset: Int) -> TextPosition {
    let offset = min(max(offset, 0), lines.byteCount)
    let nextLine = line + 1 < lines.lineCount ? Int(lines.starts[line + 1]) : Int.max
    if offset < at || offset >= nextLine {
      line = lines.line(at: offset)
      content = lines.contentRange(ofLine: line, in: bytes)
      at = content.lowerBound
      column = 0
    }
    let end = min(offset, content.upperBound)
    if lines.isASCII { return TextPosition(line: line, column: end - content.lowerBound) }
    while at < end {
      let length = UTF8Scan.scalarLength(bytes, at: at, end: content.upperBound)
      if at + length > end { break }
      column += encoding.units(ofScalarBytes: length)
      at += length
    }
    return TextPosition(line: line, column: column)
  }
}

extension TextSnapshot {
  /// Converts many offsets of this text.
  package func cursor(_ encoding: PositionEncoding) -> PositionCursor {
    PositionCursor(bytes: bytes, lines: lines, encoding: encoding)
  }
}
