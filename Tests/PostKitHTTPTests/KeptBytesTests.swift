// Text that keeps bytes which are no UTF-8.

import PostKitHTTP
import PostKitTestSupport
import Testing

@Suite struct KeptBytesTests {
  @Test func `no byte is lost, wherever texts are cut and joined`() {
    var generator = RepeatableGenerator(seed: 233)
    let pieces: [[UInt8]] = [
      [0x61], [0xE9], [0xC3], [0xA9], [0xC3, 0xA9], [0xE2, 0x82], [0xF4, 0x8F], [0xBF, 0xA9],
      Array("\u{10FFE9}€👍".utf8), [0xED, 0xA0, 0x80], [0xFF], [0],
    ]
    for _ in 0..<2_000 {
      let bytes = (0..<generator.int(in: 0..<12)).flatMap { _ in
        generator.oneIn(2) ? generator.pick(pieces) : [UInt8(truncatingIfNeeded: generator.next())]
      }
      let text = String(keeping: bytes)
      let cut = generator.int(in: 0..<bytes.count + 1)
      let joined = String(keeping: bytes[..<cut]) + String(keeping: bytes[cut...])
      #expect(text.keptBytes == bytes)
      #expect(joined.keptBytes == bytes)
      #expect(text.shown == String(decoding: bytes, as: UTF8.self))
      #expect(text.keepsBytes == (text.shown != text))
      #expect(PercentEncoding.decode(PercentEncoding.encode(text, allowing: .form)) == bytes)
    }
  }

  @Test(arguments: ["", "plain", "häh €", "👍", "\u{F4}\u{10FF7F}"])
  func `text that is UTF-8 is a text like any other`(_ text: String) {
    #expect(String(keeping: Array(text.utf8)) == text)
    #expect(text.keptBytes == Array(text.utf8))
    #expect(text.keepingOwn == text)
    #expect(!text.keepsBytes)
    #expect(text.shown == text)
  }

  @Test func `an author's own characters of the last ones are none that keep bytes`() {
    let own = "a\u{10FFE9}"
    #expect(String(keeping: Array(own.utf8)).keptBytes == Array(own.utf8))
    #expect(own.keepingOwn.keptBytes == Array(own.utf8))
    #expect(own.keepingOwn.shown == own)
  }

  @Test func `a field is shown as those of responses are`() {
    #expect(String(keeping: [0x63, 0xE9]).shownInField == "cé")
    #expect((String(keeping: [0xC3]) + String(keeping: [0xA9])).shownInField == "é")
    let fields: HeaderFields = [("A", String(keeping: [0xE9])), ("B", "é")]
    #expect(fields.shown == [("A", "é"), ("B", "é")])
  }

  @Test func `URLs have bytes as percent escapes`() {
    let text = "/é" + String(keeping: [0xE9, 0x25])
    #expect(PercentEncoding.encodeIllegal(text) == "/%C3%A9%E9%25")
    #expect(PercentEncoding.encodeComponent(text) == "%2F%C3%A9%E9%25")
    #expect(text.percentEncodingKept == "/é%E9%")
  }
}
