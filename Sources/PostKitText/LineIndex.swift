// Where lines start: LSP knows LF, CRLF and a lone CR as line ends (LSP 3.18, Text Documents).

/// The line starts of one text.
package struct LineIndex: Sendable, Hashable {
  /// The offset of the first byte of each line; the first is 0.
  package let starts: [UInt32]
  /// The number of bytes of the text.
  package let byteCount: Int
  /// Whether every byte is ASCII, so that columns are the same in every encoding.
  package let isASCII: Bool
  /// Whether a line ends in a CR without LF.
  package let hasLoneReturns: Bool

  /// Scans a text once.
  package init(_ bytes: [UInt8]) {
    var starts: [UInt32] = [0]
    var isASCII = true
    var hasLoneReturns = false
    starts.reserveCapacity(bytes.count / 32 + 1)
    bytes.withUnsafeBytes { buffer in
      let count = buffer.count
      var at = 0
      while at + 8 <= count {
        let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        if word.hasHighBytes { isASCII = false }
        var ends = word.places(of: 0x0A) | word.places(of: 0x0D)
        while ends != 0 {
          let end = at + ends.trailingZeroBitCount / 8
          ends &= ends - 1
          if buffer[end] == 0x0D {
            // The line ends with the LF.
            if end + 1 < count, buffer[end + 1] == 0x0A { continue }
            hasLoneReturns = true
          }
          starts.append(UInt32(truncatingIfNeeded: end + 1))
        }
        at += 8
      }
      while at < count {
        let byte = buffer[at]
        at += 1
        if byte >= 0x80 { isASCII = false }
        let endsWithNext = byte == 0x0D && at < count && buffer[at] == 0x0A
        guard byte == 0x0A || byte == 0x0D, !endsWithNext else { continue }
        if byte == 0x0D { hasLoneReturns = true }
        starts.append(UInt32(truncatingIfNeeded: at))
      }
    }
    self.starts = starts
    self.byteCount = bytes.count
    self.isASCII = isASCII
    self.hasLoneReturns = hasLoneReturns
  }

  /// The number of lines; a text that ends in a line end has an empty last line.
  package var lineCount: Int { starts.count }

  /// The line that holds an offset, counted from 0; offsets past the end are in the last line.
  package func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The bytes of a line with its line end; the line is counted from 0 and must exist.
  package func range(ofLine line: Int) -> Range<Int> {
    let end = line + 1 < starts.count ? Int(starts[line + 1]) : byteCount
    return Int(starts[line])..<end
  }
}
