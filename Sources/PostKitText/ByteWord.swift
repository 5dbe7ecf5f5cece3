// Eight bytes at a time: most of a text needs no closer look.

extension UInt64 {
  /// The highest bit of each byte that is equal to `byte`; all other bits are 0.
  @inlinable package func places(of byte: UInt8) -> UInt64 {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let difference = self ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    // No byte's sum reaches into the next one, so that each is told exactly.
    return ~(((difference & low) &+ low) | difference | low)
  }

  /// Whether a byte is below `limit`, which is 128 at most.
  @inlinable package func hasByte(below limit: UInt8) -> Bool {
    // Only a byte below the limit borrows from its highest bit, or one above such a byte.
    (self &- UInt64(limit) &* 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080 != 0
  }

  /// Whether a byte is none of ASCII.
  @inlinable package var hasHighBytes: Bool { self & 0x8080_8080_8080_8080 != 0 }
}
