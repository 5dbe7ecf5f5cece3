// What is known of the blocks of a file between two looks at it.

/// What was found in blocks. Most of it is handed from one look to the next and never touched, so
/// that a copy, of which each look has one, counts no references for each block.
struct KnownFindings: Sendable {
  /// Where the findings of a block are: 0 for nowhere, else a place behind 0 with a bit for whether
  /// there is a diagnostic among them.
  private var places: [UInt32]
  /// The findings of earlier looks, and behind them those of the last ones.
  private var settled: [BlockFindings] = []
  private var recent: [BlockFindings] = []

  /// How many findings a copy may have to copy.
  private static let recentLimit = 256

  /// Makes a list for so many blocks of which nothing is known.
  init(count: Int) { places = Array(repeating: 0, count: count) }

  /// Whether a block is known to have no diagnostics.
  func isClean(_ index: Int) -> Bool { places[index] != 0 && places[index] & 1 == 0 }

  /// What is known of a block.
  subscript(index: Int) -> BlockFindings? {
    get {
      if places[index] == 0 { return nil }
      let place = Int(places[index] >> 1) - 1
      return place < settled.count ? settled[place] : recent[place - settled.count]
    }
    set {
      guard let newValue else {
        places[index] = 0
        return
      }
      if recent.count >= KnownFindings.recentLimit { settle() }
      recent.append(newValue)
      let place = UInt32(truncatingIfNeeded: settled.count + recent.count)
      places[index] = place << 1 | (newValue.diagnostics.isEmpty ? 0 : 1)
    }
  }

  /// Keeps what is known of so many blocks at both ends of a list that has `count` blocks now.
  mutating func keepEnds(front: Int, back: Int, of count: Int) {
    if front + back == places.count, front + back == count { return }
    let unknown = repeatElement(UInt32(0), count: count - front - back)
    places.replaceSubrange(front..<places.count - back, with: unknown)
  }

  /// Moves the last findings to the earlier ones; once most of these are out of date, what is still
  /// known is put together anew.
  private mutating func settle() {
    settled += recent
    recent = []
    guard settled.count > 2 * places.count + KnownFindings.recentLimit else { return }
    var kept: [BlockFindings] = []
    kept.reserveCapacity(places.count)
    for index in places.indices where places[index] != 0 {
      kept.append(settled[Int(places[index] >> 1) - 1])
      places[index] = UInt32(truncatingIfNeeded: kept.count) << 1 | places[index] & 1
    }
    settled = kept
  }
}
