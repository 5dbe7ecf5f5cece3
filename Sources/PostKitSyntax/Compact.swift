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
    get { Int(lower)..<Int(upper) }
    set { self = Compact(wrappedValue: newValue) }
  }
}
