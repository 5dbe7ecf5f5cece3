// Which bytes any of many ranges cover.

import PostKitText
import Testing

@Suite struct RangeCoverTests {
  /// All ranges within six bytes, empty ones too.
  static let ranges = (0...6).flatMap { low in (low...6).map { low..<$0 } }

  @Test func `a range overlaps what any of the covered ranges overlaps`() {
    for one in RangeCoverTests.ranges {
      for two in RangeCoverTests.ranges {
        let cover = RangeCover([two, one])
        let wrong = RangeCoverTests.ranges.filter { asked in
          cover.overlaps(asked) != (one.overlaps(asked) || two.overlaps(asked))
        }
        #expect(wrong.isEmpty, "\(one) and \(two)")
      }
    }
  }

  @Test func `nothing overlaps no ranges`() {
    #expect(!RangeCover([]).overlaps(0..<5))
  }
}
