// Lines of a parsed file, counted from 0.

import PostKitText

extension ParsedDocument {
  /// The line that holds an offset.
  package func line(at offset: Int) -> Int { lines.line(at: offset) }

  /// The offset at which a line starts; `nil` where the file has no such line.
  package func offset(ofLine line: Int) -> Int? {
    line >= 0 && line < lines.lineCount ? lines.range(ofLine: line).lowerBound : nil
  }

  /// The first line, counted from 0, whose end is not like that of the first line, and whether it
  /// is CRLF. A CR alone is no line end here (PK-1).
  package var firstChangeOfLineEnds: (line: Int, isWide: Bool)? {
    guard lines.hasReturns else { return nil }
    var first: Bool?
    for (line, start) in lines.starts.dropFirst().enumerated() {
      let end = Int(start)
      guard bytes[end - 1] == 0x0A else { continue }
      let isWide = end > 1 && bytes[end - 2] == 0x0D
      if let first, first != isWide { return (line, isWide) }
      first = isWide
    }
    return nil
  }

  /// The bytes of the line that holds an offset, without its line end.
  package func lineRange(at offset: Int) -> Range<Int> {
    let range = lines.range(ofLine: lines.line(at: offset))
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return range.lowerBound..<end
  }
}
