// The first of many names, in their order.

import PostKitSyntax
import Testing

@Suite struct FirstNamesTests {
  @Test(arguments: [0, 1, 249, 250, 251, 2_000])
  func `the first names are those of the sorted list, each once`(count: Int) {
    // Neither in order nor each once: 7 and the counts have no factor in common.
    let names = (0..<count).map { "v\($0 * 7 % max(count, 1))" }
    let first = Array(names.sorted().prefix(250))
    #expect(FirstNames.pick(names + names) == first)
    #expect(FirstNames.pick(names.reversed()) == first)
    let kept = FirstNames()
    #expect(kept.names(of: names) == first)
    #expect(kept.names(of: names) == first)
  }
}
