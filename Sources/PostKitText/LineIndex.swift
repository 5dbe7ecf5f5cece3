// Where lines start: LSP knows LF, CRLF and a lone CR as line ends (LSP 3.18, Text Documents).

/// The line starts of one text.
package struct LineIndex: Sendable, Hashable {
  /// The offset of the first byte of each line; the first is 0.
  package let starts: [UInt32]
  /// The number of bytes of the text.
  package let byteCount: Int
  /// Whether every byte is ASCII, so that columns are the same in every encoding.
  package let isASCII: Bool

  /// Scans a text once.
  package init(_ bytes: [UInt8]) {
    var starts: [UInt32] = [0]
    var high: UInt8 = 0
    bytes.withUnsafeBufferPointer { buffer in
      var at = 0
      let count = buffer.count
      while at < count {
        let byte = buffer[at]
        high |= byte
        at += 1
        if byte == 0x0A {
          starts.append(UInt32(at))
        } else if byte == 0x0D {
          if at < count, buffer[at] == 0x0A { at += 1 }
          starts.append(UInt32(at))
        }
      }
    }
    self.starts = starts
    self.byteCount = bytes.count
    self.isASCII = high < 0x80
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
