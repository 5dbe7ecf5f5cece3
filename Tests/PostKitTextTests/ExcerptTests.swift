// Long sentences keep their ends.

import PostKitText
import Testing

@Suite struct ExcerptTests {
  @Test(arguments: [0, 1, 1_999, 2_000]) func `a short text stays whole`(_ count: Int) {
    let text = String(repeating: "a", count: count)
    #expect(text.excerpt == text)
  }

  @Test(arguments: ["a", "ä", "€", "😀"])
  func `a long text loses its middle, and no character a part`(_ character: String) {
    for shift in 0..<4 {
      let start = String(repeating: "x", count: shift)
      let text = start + String(repeating: character, count: 1_000_000) + "the end."
      let excerpt = text.excerpt
      #expect(excerpt.utf8.count <= 2_003)
      #expect(excerpt.utf8.count > 1_980)
      #expect(excerpt.hasPrefix(start + character))
      #expect(excerpt.hasSuffix(character + "the end."))
      #expect(!excerpt.unicodeScalars.contains("\u{FFFD}"))
    }
  }
}
