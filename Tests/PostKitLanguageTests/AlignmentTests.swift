// The alignment of sequences: what it leaves out is equal, and it leaves out as much as it can.

import PostKitTestSupport
import Testing

@testable import PostKitLanguage

@Suite struct AlignmentTests {
  /// The gaps as text: what is only in the old sequence, `>`, what is only in the new one.
  private func gaps(_ old: String, _ new: String) -> [String] {
    let (old, new) = (Array(old.utf8), Array(new.utf8))
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    return Alignment.gaps(old, new).map { "\(text(old[$0.old]))>\(text(new[$0.new]))" }
  }

  @Test(arguments: [
    ("", "", []), ("abc", "abc", []), ("", "abc", [">abc"]), ("abc", "", ["abc>"]),
    ("abc", "xyz", ["abc>xyz"]), ("abcd", "abxd", ["c>x"]), ("abcd", "bcde", ["a>", ">e"]),
    ("aaaa", "aa", ["aa>"]), ("abcabba", "cbabac", ["ab>", ">b", "b>", ">c"]),
  ])
  func `equal elements are found`(old: String, new: String, expected: [String]) {
    #expect(gaps(old, new) == expected)
  }

  @Test func `the gaps are as small as the longest common subsequence allows`() {
    var random = RepeatableGenerator(seed: 20)
    for _ in 0..<2_000 {
      let old = (0..<random.int(in: 0..<12)).map { _ in random.int(in: 0..<4) }
      let new = (0..<random.int(in: 0..<12)).map { _ in random.int(in: 0..<4) }
      let gaps = Alignment.gaps(old, new)
      var (x, y) = (0, 0)
      for gap in gaps {
        #expect(!gap.old.isEmpty || !gap.new.isEmpty)
        #expect(Array(old[x..<gap.old.lowerBound]) == Array(new[y..<gap.new.lowerBound]))
        (x, y) = (gap.old.upperBound, gap.new.upperBound)
      }
      #expect(Array(old[x...]) == Array(new[y...]))
      let kept = old.count - gaps.map(\.old.count).reduce(0, +)
      #expect(kept == longest(old, new), "\(old) \(new)")
    }
  }

  @Test func `sequences without anything in common cost little and give one gap`() {
    let gaps = Alignment.gaps(Array(0..<200_000), Array(200_000..<400_000))
    #expect(gaps == [Gap(old: 0..<200_000, new: 0..<200_000)])
  }

  /// The length of the longest common subsequence, by the table of all pairs.
  private func longest(_ old: [Int], _ new: [Int]) -> Int {
    var row = [Int](repeating: 0, count: new.count + 1)
    for element in old {
      let above = row
      for (place, other) in new.enumerated() {
        row[place + 1] = element == other ? above[place] + 1 : max(above[place + 1], row[place])
      }
    }
    return row[new.count]
  }
}
