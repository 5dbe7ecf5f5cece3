// What two versions of a text have in common, found at each stroke of a key.

/// How many bytes two texts have in common at their ends.
package struct CommonEnds: Sendable, Hashable {
  /// How many bytes are equal from the start.
  package let prefix: Int
  /// How many are equal from the end; may overlap the prefix.
  package let suffix: Int
  /// The bytes of the old text.
  package let oldCount: Int
  /// The bytes of the new text.
  package let newCount: Int

  /// Compares whole texts.
  package init(_ old: [UInt8], _ new: [UInt8]) { self.init(old[...], new[...]) }

  /// Compares eight bytes at a time.
  package init(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) {
    let shorter = min(old.count, new.count)
    var front = 0
    var back = 0
    old.withUnsafeBytes { left in
      new.withUnsafeBytes { right in
        while front + 8 <= shorter,
          left.loadUnaligned(fromByteOffset: front, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: front, as: UInt64.self)
        {
          front += 8
        }
        while front < shorter, left[front] == right[front] { front += 1 }
        while back + 8 <= shorter,
          left.loadUnaligned(fromByteOffset: left.count - back - 8, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: right.count - back - 8, as: UInt64.self)
        {
          back += 8
        }
        while back < shorter, left[left.count - 1 - back] == right[right.count - 1 - back] {
          back += 1
        }
      }
    }
    prefix = front
    suffix = back
    (oldCount, newCount) = (old.count, new.count)
  }
}
