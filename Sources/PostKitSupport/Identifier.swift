// Ids that sort by time (RFC 9562, section 5.7).

/// Makes ids for exchanges and runs.
package enum Identifier {
  /// A new UUID version 7 in small letters.
  package static func next() -> String {
    var generator = SystemRandomNumberGenerator()
    let now = Clock.wallNanoseconds
    // The first 12 of the free bits are a fraction of the millisecond (section 6.2, method 3):
    // requests on the loopback take less than one.
    let fraction = UInt64(now % 1_000_000) * 4_096 / 1_000_000
    return version7(milliseconds: now / 1_000_000, random: (fraction, generator.next()))
  }

  /// Characters of an id.
  package static let length = 36

  /// Whether a text is a UUID in small letters, such as `next()` makes.
  package static func isValid(_ text: String) -> Bool { isValid(Array(text.utf8)[...]) }

  /// The ids that occur in a text, such as the name of a file.
  package static func all(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    var found: [String] = []
    var start = 0
    while start + 36 <= bytes.count {
      let piece = bytes[start..<start + 36]
      let isID = isValid(piece)
      if isID { found.append(String(decoding: piece, as: UTF8.self)) }
      start += isID ? 36 : 1
    }
    return found
  }

  private static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 36
      && bytes.enumerated().allSatisfy { at, byte in
        [8, 13, 18, 23].contains(at)
          ? byte == UInt8(ascii: "-")
          : (48...57).contains(byte) || (97...102).contains(byte)
      }
  }

  /// The UUID version 7 of a moment and 74 further bits.
  package static func version7(milliseconds: Int64, random: (UInt64, UInt64)) -> String {
    let high = UInt64(bitPattern: milliseconds) << 16 | 0x7000 | random.0 & 0x0FFF
    let low = random.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return String(unsafeUninitializedCapacity: 36) { text in
      var (at, digit) = (0, 0)
      while digit < 32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[at] = UInt8(ascii: "-")
          at += 1
        }
        let half = digit < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit & 15))) & 15
        text[at] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        (at, digit) = (at + 1, digit + 1)
      }
      return 36
    }
  }
}
