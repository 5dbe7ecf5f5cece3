// Which bytes any of many ranges cover.

/// The bytes that ranges cover together, for questions about many other ranges.
package struct RangeCover: Sendable {
  /// What is covered in order, with bytes between that are not.
  private var parts: [Range<Int>] = []

  /// Joins ranges, which come in any order.
  package init(_ ranges: some Sequence<Range<Int>>) {
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = parts.last, range.lowerBound <= last.upperBound {
        parts[parts.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        parts.append(range)
      }
    }
  }

  /// Whether a range has a byte in common with any of them.
  package func overlaps(_ range: Range<Int>) -> Bool {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < parts.count && parts[low].overlaps(range)
  }
}
