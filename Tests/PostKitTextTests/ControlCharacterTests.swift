// What is shown of texts that others wrote.

import PostKitText
import Testing

@Suite struct ControlCharacterTests {
  static let cases: [(String, lines: String, one: String)] = [
    ("plain ü 😀", "plain ü 😀", "plain ü 😀"),
    ("a\nb\tc", "a\nb\tc", "a\\x0Ab\tc"),
    ("a\r\nb", "a\\x0D\nb", "a\\x0D\\x0Ab"),
    ("\u{1B}[2J\u{7F}\u{0}", "\\x1B[2J\\x7F\\x00", "\\x1B[2J\\x7F\\x00"),
    ("c1 \u{85}\u{9B}, \u{A0} is none", "c1 \\x85\\x9B, \u{A0} is none",
      "c1 \\x85\\x9B, \u{A0} is none"),
  ]

  @Test(arguments: cases)
  func `control characters are shown, not obeyed`(
    text: String, lines: String, one: String
  ) {
    #expect(text.withoutControls == lines)
    #expect(text.oneLine == one)
  }
}
