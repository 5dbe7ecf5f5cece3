// Names that somebody may have meant: "Did you mean …?".

/// Finds the known name that a mistyped one is nearest to.
package enum Suggestion {
  /// The name at the smallest edit distance, if that is small enough to be a slip of the hand;
  /// only those count of which `holds` says so, which is asked about few.
  package static func nearest(
    to name: String, among known: [String], where holds: (String) -> Bool = { _ in true }
  ) -> String? {
    guard name.utf8.count <= longestName else { return nil }
    var distance = EditDistance(to: name)
    var limit = max(1, distance.length / 3)
    var best: String?
    for candidate in known.prefix(mostNames) {
      guard limit >= 0, let found = distance.measure(candidate, limit: limit), holds(candidate)
      else { continue }
      (best, limit) = (candidate, found - 1)
    }
    return best
  }

  // The distance of two names takes the product of their lengths, and a file may have megabytes of
  // a name and thousands of names.
  private static let longestName = 100
  private static let mostNames = 250
}

/// The edit distances of names from one name, with transpositions; capitals count as small letters.
private struct EditDistance {
  private let wanted: [UInt8]
  // The rows of the table, the last one first; they serve one name after the other.
  private var row: [Int] = []
  private var last: [Int] = []
  private var beforeLast: [Int] = []

  init(to name: String) { wanted = Array(name.lowercased().utf8) }

  /// How many bytes the name has.
  var length: Int { wanted.count }

  /// The distance of a name; `nil` where it is above the limit.
  mutating func measure(_ name: String, limit: Int) -> Int? {
    guard abs(name.utf8.count - wanted.count) <= limit else { return nil }
    let other = Array(name.lowercased().utf8)
    if wanted.isEmpty || other.isEmpty {
      let distance = max(wanted.count, other.count)
      return distance <= limit ? distance : nil
    }
    last = Array(0...other.count)
    row = last
    beforeLast = last
    for i in 1...wanted.count {
      row[0] = i
      var least = i
      for j in 1...other.count {
        let cost = wanted[i - 1] == other[j - 1] ? 0 : 1
        var distance = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
        if i > 1, j > 1, wanted[i - 1] == other[j - 2], wanted[i - 2] == other[j - 1] {
          distance = min(distance, beforeLast[j - 2] + 1)
        }
        row[j] = distance
        least = min(least, distance)
      }
      if least > limit { return nil }
      (row, last, beforeLast) = (beforeLast, row, last)
    }
    return last[other.count] <= limit ? last[other.count] : nil
  }
}
