// Names that somebody may have meant: "Did you mean …?".

/// Finds the known name that a mistyped one is nearest to.
package enum Suggestion {
  /// The name at the smallest edit distance, if that is small enough to be a slip of the hand.
  package static func nearest(to name: String, among known: [String]) -> String? {
    guard name.utf8.count <= longestName else { return nil }
    let wanted = Array(name.lowercased().utf8)
    let limit = max(1, wanted.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in known.prefix(mostNames)
    where abs(candidate.utf8.count - wanted.count) <= limit {
      let distance = distance(wanted, Array(candidate.lowercased().utf8), limit: limit)
      if distance <= limit, distance < best?.distance ?? Int.max { best = (distance, candidate) }
    }
    return best?.name
  }

  // The distance of two names takes the product of their lengths, and a file may have megabytes of
  // a name and thousands of names.
  private static let longestName = 100
  private static let mostNames = 250

  /// The edit distance with transpositions; anything above the limit is reported as just above it.
  private static func distance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in 1...left.count {
      var row = [i] + Array(repeating: 0, count: right.count)
      for j in 1...right.count {
        let cost = left[i - 1] == right[j - 1] ? 0 : 1
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      if (row.min() ?? 0) > limit { return limit + 1 }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
