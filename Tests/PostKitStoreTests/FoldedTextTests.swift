// Texts are compared without case and accents.

import Testing

@testable import PostKitStore

@Suite struct FoldedTextTests {
  @Test(arguments: [
    ("Straße", "strasse"), ("STRASSE", "strasse"), ("Ärger", "arger"), ("A\u{308}rger", "arger"),
    ("Łódź", "lodz"), ("Ørsted", "orsted"), ("Æsir", "aesir"), ("ΆΛΦΑ", "αλφα"), ("ΟΔΟΣ", "οδοσ"),
    ("Ёлка", "елка"), ("İstanbul", "istanbul"), ("ﬁn", "fin"), ("がく", "かく"), ("漢字", "漢字"),
    ("ẞ", "ss"), ("", ""), ("GET /a?b=C", "get /a?b=c"), ("e\u{301}\u{327}", "e"),
    ("ủ", "u"), ("😀", "😀"),
  ])
  func `a text is folded`(text: String, folded: String) {
    #expect(Array(FoldedText.fold(text).utf8) == Array(folded.utf8))
  }

  @Test func `what is folded stays as it is`() {
    for value in 0x20..<0x2100 {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      let once = FoldedText.fold(String(scalar))
      #expect(FoldedText.fold(once) == once, "U+\(String(value, radix: 16))")
    }
  }
}
