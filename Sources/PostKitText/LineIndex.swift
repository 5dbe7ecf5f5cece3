// Where lines start: LSP knows LF, CRLF and a lone CR as line ends (LSP 3.18, Text Documents).

/// The line starts of one text.
package struct LineIndex: Sendable, Hashable {
  /// The offset of the first byte of each line; the first is 0.
  package let starts: [UInt32]
  /// The number of bytes of the text.
  package let byteCount: Int
  /// Whether every byte is ASCII, so that columns are the same in every encoding.
  package let isASCII: Bool
  /// Whether a CR stands anywhere.
  package let hasReturns: Bool
  /// Whether a line ends in a CR without LF.
  package let hasLoneReturns: Bool

  /// Scans a text once.
  package init(_ bytes: [UInt8]) {
    var scan = Scan()
    scan.starts.reserveCapacity(bytes.count / 32 + 1)
    bytes.withUnsafeBytes { text in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 128) { scan.read(text, by: $0) }
    }
    starts = scan.starts
    byteCount = bytes.count
    isASCII = scan.isASCII
    hasReturns = scan.hasReturns
    hasLoneReturns = scan.hasLoneReturns
  }

  /// The index of a text that came of an indexed one by putting so many bytes in the place of
  /// others, found by a look at these alone; `nil` where that is not enough.
  init?(
    _ bytes: [UInt8], from old: LineIndex, replacing removed: ArraySlice<UInt8>, by count: Int
  ) {
    // What is gone may have been the only one of its kind.
    guard !old.hasLoneReturns, old.isASCII || removed.allSatisfy({ $0 < 0x80 }),
      !old.hasReturns || !removed.contains(0x0D)
    else { return nil }
    // Whether a CR ends a line depends on the byte after it, so the one before is looked at anew.
    let first = max(removed.startIndex - 1, 0)
    let atBack = old.starts[(old.line(at: removed.endIndex) + 1)...]
    var scan = Scan()
    scan.starts = []
    scan.starts.reserveCapacity(old.starts.count + count / 16 + 1)
    scan.starts.append(contentsOf: old.starts[...old.line(at: first)])
    bytes.withUnsafeBytes { scan.read($0, from: first, to: removed.startIndex + count) }
    let moved = scan.starts.count
    scan.starts.append(contentsOf: atBack)
    let distance = UInt32(truncatingIfNeeded: bytes.count - old.byteCount)
    scan.starts.withUnsafeMutableBufferPointer { starts in
      for place in moved..<starts.count { starts[place] &+= distance }
    }
    starts = scan.starts
    byteCount = bytes.count
    isASCII = old.isASCII && scan.isASCII
    hasReturns = old.hasReturns || scan.hasReturns
    hasLoneReturns = scan.hasLoneReturns
  }

  /// What is found while a text is read.
  private struct Scan {
    var starts: [UInt32] = [0]
    var isASCII = true
    var hasReturns = false
    var hasLoneReturns = false

    /// Reads eight bytes at a time, and the last ones alone. Starts are noted in `room` and
    /// appended when it is full: to append each would take longer than to find it.
    mutating func read(
      _ text: UnsafeRawBufferPointer, by room: UnsafeMutableBufferPointer<UInt32>
    ) {
      var noted = 0
      var at = 0
      var allBytes: UInt64 = 0
      while at + 8 <= text.count {
        let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        allBytes |= word
        // Most words have no line end, nor anything else that is as low.
        if word.hasByte(below: 0x0E) {
          if noted + 8 > room.count {
            if starts.count + noted > starts.capacity {
              // The rest is likely to be like what was read.
              starts.reserveCapacity((starts.count + noted) * text.count / at * 17 / 16)
            }
            starts.append(contentsOf: room[..<noted])
            noted = 0
          }
          let returns = word.places(of: 0x0D)
          if returns != 0 { hasReturns = true }
          var ends = word.places(of: 0x0A) | returns
          while ends != 0 {
            let end = at + ends.trailingZeroBitCount / 8
            ends &= ends - 1
            guard endsLine(text, end) else { continue }
            room[noted] = UInt32(truncatingIfNeeded: end + 1)
            noted += 1
          }
        }
        at += 8
      }
      starts.append(contentsOf: room[..<noted])
      if allBytes.hasHighBytes { isASCII = false }
      read(text, from: at, to: text.count)
    }

    /// Reads a part of the text byte for byte.
    mutating func read(_ text: UnsafeRawBufferPointer, from start: Int, to end: Int) {
      for at in start..<max(start, end) {
        if text[at] >= 0x80 { isASCII = false }
        if text[at] == 0x0D { hasReturns = true }
        if text[at] == 0x0A || text[at] == 0x0D, endsLine(text, at) {
          starts.append(UInt32(truncatingIfNeeded: at + 1))
        }
      }
    }

    /// Whether an LF or a CR ends a line: one before an LF does not.
    private mutating func endsLine(_ text: UnsafeRawBufferPointer, _ at: Int) -> Bool {
      if text[at] == 0x0A { return true }
      if at + 1 < text.count, text[at + 1] == 0x0A { return false }
      hasLoneReturns = true
      return true
    }
  }

  /// The number of lines; a text that ends in a line end has an empty last line.
  package var lineCount: Int { starts.count }

  /// The line that holds an offset, counted from 0; offsets past the end are in the last line.
  package func line(at offset: Int) -> Int {
    starts.withUnsafeBufferPointer { starts in
      var low = 0
      var high = starts.count
      while high - low > 1 {
        let middle = (low + high) / 2
        if Int(starts[middle]) <= offset { low = middle } else { high = middle }
      }
      return low
    }
  }

  /// The bytes of a line with its line end; the line is counted from 0 and must exist.
  package func range(ofLine line: Int) -> Range<Int> {
    let end = line + 1 < starts.count ? Int(starts[line + 1]) : byteCount
    return Int(starts[line])..<end
  }
}
