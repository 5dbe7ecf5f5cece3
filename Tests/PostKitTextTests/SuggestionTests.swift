// Names that somebody may have meant.

import PostKitText
import Testing

@Suite struct SuggestionTests {
  /// The distance by its definition: letters that were left out, added, replaced or swapped.
  private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard let one = left.last else { return right.count }
    guard let two = right.last else { return left.count }
    let (before, other) = (Array(left.dropLast()), Array(right.dropLast()))
    var least = min(
      distance(before, right) + 1, distance(left, other) + 1,
      distance(before, other) + (one == two ? 0 : 1))
    if let previous = before.last, let its = other.last, previous == two, its == one {
      least = min(least, distance(Array(before.dropLast()), Array(other.dropLast())) + 1)
    }
    return least
  }

  /// All words of three letters or fewer, of which there are two.
  private static let words = ["", "a", "b"].flatMap { one in
    ["", "a", "b"].flatMap { two in ["", "a", "B"].map { one + two + $0 } }
  }

  @Test func `the nearest of all names is found, of equals the first`() {
    for name in SuggestionTests.words + ["abab", "baabb", "abbaba"] {
      let wanted = Array(name.lowercased().utf8)
      let limit = max(1, wanted.count / 3)
      for start in SuggestionTests.words.indices {
        let known = Array(SuggestionTests.words[start...]) + ["babaab"]
        let distances = known.map { distance(wanted, Array($0.lowercased().utf8)) }
        let least = distances.min().flatMap { $0 <= limit ? $0 : nil }
        let nearest = least.flatMap { distances.firstIndex(of: $0) }.map { known[$0] }
        #expect(Suggestion.nearest(to: name, among: known) == nearest, "\(name) in \(known)")
      }
    }
  }

  @Test func `a name that does not count gives its place to the next one`() {
    let known = ["token", "tokens", "other"]
    #expect(Suggestion.nearest(to: "tokne", among: known) == "token")
    #expect(Suggestion.nearest(to: "tokne", among: known) { $0 != "token" } == nil)
    #expect(Suggestion.nearest(to: "tokn", among: known) { $0 != "token" } == nil)
    #expect(Suggestion.nearest(to: "tokenn", among: known) { $0 != "token" } == "tokens")
  }

  @Test func `of many names that resemble it only the nearest are asked about`() {
    var asked: [String] = []
    let known = (0..<250).map { "name\($0)" }
    let found = Suggestion.nearest(to: "name0", among: known) {
      asked.append($0)
      return true
    }
    #expect(found == "name0")
    #expect(asked == ["name0"])
  }
}
