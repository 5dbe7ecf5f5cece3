// Short texts looked for in long ones.

import PostKitText
import Testing

@Suite struct ByteSearchTests {
  @Test(arguments: [
    ("a{{b", "{{", true), ("a{b{", "{{", false), ("{{", "{{", true), ("{", "{{", false),
    ("aab", "ab", true), ("", "", true), ("", "a", false), ("a", "", true),
    ("café", "é", true), ("cafe\u{301}", "é", false), ("token ••••••", "••••••", true),
  ])
  func `the bytes decide whether a text stands in another`(text: String, word: String, isThere: Bool) {
    #expect(text.holds(word) == isThere)
    #expect(("…" + text).holds(word) == isThere)
  }
}
