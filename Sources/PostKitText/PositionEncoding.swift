// The only place that knows UTF-16: columns to offsets and back (PROMISES.md D1 to D4 and D13).

/// In which units a client counts columns (LSP 3.18, PositionEncodingKind).
package enum PositionEncoding: String, Sendable, Hashable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The number of units of a text.
  package func length(of text: String) -> Int {
    switch self {
    case .utf8: text.utf8.count
    case .utf16: text.utf16.count
    case .utf32: text.unicodeScalars.count
    }
  }

  /// The units of a scalar of that many bytes.
  package func units(ofScalarBytes count: Int) -> Int {
    switch self {
    case .utf8: count
    case .utf16: count == 4 ? 2 : 1
    case .utf32: 1
    }
  }
}

/// A place as clients say it: both numbers count from 0, the column in units of an encoding.
package struct TextPosition: Sendable, Hashable, Comparable {
  /// The line, counted from 0.
  package var line: Int
  /// The column in units of the encoding, counted from 0.
  package var column: Int

  /// Makes a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders positions as they stand in a text.
  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// Where a position inside a scalar goes.
package enum PositionRounding: Sendable, Hashable {
  case down, up
}

/// Converts between offsets in bytes and positions of one text.
///
/// Every position has an offset: lines and columns that don't exist are clamped. No offset lies
/// inside a scalar or between CR and LF. Bytes that are no valid UTF-8 count as one unit each.
package struct PositionConverter: Sendable {
  private let bytes: [UInt8]
  private let lines: LineIndex
  private let encoding: PositionEncoding

  /// Makes a converter; `lines` must be the index of `bytes`.
  package init(bytes: [UInt8], lines: LineIndex, encoding: PositionEncoding) {
    self.bytes = bytes
    self.lines = lines
    self.encoding = encoding
  }

  /// The offset of a position.
  package func offset(of position: TextPosition, rounding: PositionRounding = .down) -> Int {
    if position.line < 0 { return 0 }
    guard position.line < lines.lineCount else { return lines.byteCount }
    let content = lines.contentRange(ofLine: position.line, in: bytes)
    guard position.column > 0 else { return content.lowerBound }
    if lines.isASCII {
      return position.column < content.count
        ? content.lowerBound + position.column : content.upperBound
    }
    var at = content.lowerBound
    var column = 0
    while at < content.upperBound {
      let length = UTF8Scan.scalarLength(bytes, at: at, end: content.upperBound)
      let next = column + encoding.units(ofScalarBytes: length)
      if next > position.column {
        return rounding == .up && column < position.column ? at + length : at
      }
      column = next
      at += length
    }
    return at
  }

  /// The offsets of a range; reversed ends are swapped, and inside a scalar the start is rounded
  /// down and the end up.
  package func range(from start: TextPosition, to end: TextPosition) -> Range<Int> {
    let isReversed = end < start
    let lower = offset(of: isReversed ? end : start, rounding: .down)
    if start == end { return lower..<lower }
    return lower..<max(lower, offset(of: isReversed ? start : end, rounding: .up))
  }

  /// The position of an offset; one inside a scalar or between CR and LF is rounded down.
  package func position(of offset: Int) -> TextPosition {
    var cursor = PositionCursor(bytes: bytes, lines: lines, encoding: encoding)
    return cursor.position(of: offset)
  }

  /// The positions of both ends of a range.
  package func positions(of range: Range<Int>) -> (start: TextPosition, end: TextPosition) {
    (position(of: range.lowerBound), position(of: range.upperBound))
  }
}

extension LineIndex {
  /// The bytes of a line without its line end; `bytes` must be the indexed text.
  package func contentRange(ofLine line: Int, in bytes: [UInt8]) -> Range<Int> {
    let whole = range(ofLine: line)
    var end = whole.upperBound
    if end > whole.lowerBound, bytes[end - 1] == 0x0A { end -= 1 }
    if end > whole.lowerBound, bytes[end - 1] == 0x0D { end -= 1 }
    return whole.lowerBound..<end
  }
}

/// Steps through UTF-8 that may be broken.
package enum UTF8Scan {
  /// The number of bytes of the scalar at an offset; 1 for a byte that begins no valid scalar.
  package static func scalarLength(_ bytes: [UInt8], at: Int, end: Int) -> Int {
    let lead = bytes[at]
    if lead < 0x80 { return 1 }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, at + length <= end else { return 1 }
    let second = bytes[at + 1]
    switch lead {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90,
      0xF4 where second > 0x8F:
      return 1
    default: break
    }
    for offset in 1..<length where bytes[at + offset] & 0xC0 != 0x80 { return 1 }
    return length
  }
}
