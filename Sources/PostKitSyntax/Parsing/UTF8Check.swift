// Finds bytes that are no UTF-8: a file is read whatever it holds, but says so.

/// Checks UTF-8 (RFC 3629, section 4).
enum UTF8Check {
  /// The first bytes that are no UTF-8, or `nil`.
  static func firstInvalid(_ bytes: ByteView, in range: Range<Int>) -> Range<Int>? {
    var at = range.lowerBound
    let end = range.upperBound
    while at < end {
      if bytes[at] < 0x80 {
        at += 1
        continue
      }
      let length = sequenceLength(bytes, at, end)
      if length == 0 { return at..<at + 1 }
      at += length
    }
    return nil
  }

  /// The length of the character at `at`, which isn't ASCII; 0 where it is none.
  private static func sequenceLength(_ bytes: ByteView, _ at: Int, _ end: Int) -> Int {
    let lead = bytes[at]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return 0
    }
    guard at + length <= end, second.contains(bytes[at + 1]) else { return 0 }
    for place in at + 2..<max(at + 2, at + length) where bytes[place] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
