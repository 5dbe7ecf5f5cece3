// Ranges in half the memory: trees hold many of them, and the time to parse a large file is in good
// part the time to write its trees.

/// Keeps a range of offsets below 4 GiB; no text that is parsed is that long.
@propertyWrapper package struct Compact: Sendable, Hashable {
  private var lower: UInt32
  private var upper: UInt32

  /// Keeps a range.
  package init(wrappedValue: Range<Int>) {
    lower = UInt32(truncatingIfNeeded: wrappedValue.lowerBound)
    upper = UInt32(truncatingIfNeeded: wrappedValue.upperBound)
  }

  /// The range.
  package var wrappedValue: Range<Int> {
    get { Range(uncheckedBounds: (Int(lower), Int(upper))) }
    set { self = Compact(wrappedValue: newValue) }
  }
}

/// Keeps a range or none in the memory of one; none is written as a range that ends before it
/// begins.
@propertyWrapper struct CompactIfAny: Sendable, Hashable {
  private var lower: UInt32 = 1
  private var upper: UInt32 = 0

  /// Keeps a range, if there is one.
  init(wrappedValue: Range<Int>?) { self.wrappedValue = wrappedValue }

  /// The range; `nil` where there is none.
  var wrappedValue: Range<Int>? {
    get { lower <= upper ? Range(uncheckedBounds: (Int(lower), Int(upper))) : nil }
    set {
      lower = newValue.map { UInt32(truncatingIfNeeded: $0.lowerBound) } ?? 1
      upper = newValue.map { UInt32(truncatingIfNeeded: $0.upperBound) } ?? 0
    }
  }
}
