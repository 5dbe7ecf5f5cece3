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

  /// The UUID version 7 of a moment and 74 further bits.
  package static func version7(milliseconds: Int64, random: (UInt64, UInt64)) -> String {
    let high = UInt64(bitPattern: milliseconds) << 16 | 0x7000 | random.0 & 0x0FFF
    let low = random.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = hex(high) + hex(low)
    let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return cuts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }

  private static func hex(_ value: UInt64) -> [UInt8] {
    let letters = Array("0123456789abcdef".utf8)
    return (0..<16).map { letters[Int(value >> UInt64(60 - 4 * $0) & 15)] }
  }
}
