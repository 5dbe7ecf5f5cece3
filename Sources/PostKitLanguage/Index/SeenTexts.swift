// Which of many texts a user means most likely: the one that is there most often.

/// Counts texts; what was seen more often comes first, then what was seen earlier.
struct SeenTexts {
  private var counts: [String: Int] = [:]
  private var order: [String] = []

  /// Counts a text.
  mutating func add(_ text: String) {
    if counts[text] == nil { order.append(text) }
    counts[text, default: 0] += 1
  }

  /// The texts, the most frequent first.
  var sorted: [String] {
    order.enumerated().sorted {
      (-(counts[$0.element] ?? 0), $0.offset) < (-(counts[$1.element] ?? 0), $1.offset)
    }.map(\.element)
  }
}
