// Looks at bytes find what looks at characters find.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct TextBytesTests {
  private static let pieces = [
    "a", "bc", "\n", "\r\n", "\r", "\u{B}", "\u{85}", "\u{2028}", "{", "{{", "}}", "\\", "?", "#",
    "&", " ", "\t", "é", "e\u{301}", "😀", "\u{7F}", "\u{0}", "xxxxxxxxxxxxxxxxxxxx",
  ]

  private static func texts() -> [String] {
    var random = RepeatableGenerator(seed: 8)
    return (0..<2_000).map { _ in
      (0..<random.int(in: 0..<9)).map { _ in random.pick(pieces) }.joined()
    }
  }

  @Test func `lines and beginnings are those of characters`() {
    for text in Self.texts() {
      #expect(text.everyLine == text.split(omittingEmptySubsequences: false) { $0.isNewline })
      for count in [0, 1, 3, 8, 40] { #expect(text.first(count) == String(text.prefix(count))) }
      #expect(text.isBlank == text.allSatisfy(\.isWhitespace))
    }
  }

  @Test func `bytes are found where they stand first`() {
    for text in Self.texts() {
      let bytes = Array(text.utf8)
      for byte in [UInt8(ascii: "{"), 10, 0x80, 0] {
        let found = bytes.withUnsafeBufferPointer { $0.place(of: byte) }
        #expect(found == bytes.firstIndex(of: byte))
      }
      let pair = bytes.indices.dropLast().first { bytes[$0] == 123 && bytes[$0 + 1] == 123 }
      let found = text.place(ofText: "{{")?.lowerBound
      #expect(found.map { text.utf8.distance(from: text.startIndex, to: $0) } == pair)
      #expect(text.hasTemplate == (pair != nil))
      #expect(bytes.withUnsafeBufferPointer(\.lineEndCount) == bytes.count { $0 == 10 })
      #expect(bytes.withUnsafeBufferPointer(\.isASCII) == bytes.allSatisfy { $0 < 128 })
      #expect(
        bytes.withUnsafeBufferPointer(\.isOnePlainLine)
          == bytes.allSatisfy { (32...126).contains($0) })
    }
  }

  @Test func `texts are told apart and put in order by their bytes`() {
    let texts = Array(Self.texts().prefix(120))
    for one in texts {
      for other in texts {
        #expect(one.precedesInBytes(other) == one.utf8.lexicographicallyPrecedes(other.utf8))
        #expect(Array(one.utf8)[...].equals(other) == one.utf8.elementsEqual(other.utf8))
      }
    }
  }

  @Test func `a sign in a template is passed over`() {
    let places: [(String, Int?)] = [
      ("a?b", 1), ("{{a?b}}?c", 7), ("{{a?b", 3), ("{{a}}{{?}}", nil), ("{{{?}}}?", 7), ("", nil),
      ("?{{a}}", 0), ("x{{a}}?{{?}}", 6),
    ]
    for (text, place) in places {
      let found = text[...].utf8.first(ASCIISet("?"), skipsTemplates: true)
      #expect(found.map { text.utf8.distance(from: text.startIndex, to: $0) } == place, "\(text)")
    }
  }

  @Test func `texts of other bytes have other hashes, though they are equal`() {
    var known = KnownHashes()
    for text in ["é", "e\u{301}", "a", "a", ""] {
      #expect(known.number(of: text) == PartHash.number(of: text))
      #expect(PartHash.hex(PartHash.number(of: text), digits: 16) == PartHash.of(text))
    }
    #expect(PartHash.of("abc") == "ba7816bf8f01cfea")
    #expect(PartHash.short("abc") == "ba7816bf")
    #expect(PartHash.number(ofDigits: "ba7816bf8f01cfea") == PartHash.number(of: "abc"))
    #expect(PartHash.number(ofDigits: "+a7816bf8f01cfea") == nil)
    let names: NamedHashes = ["b": "1", "a": "2", "c": "3"]
    #expect(["a", "b", "c", "d"].map { names[$0] } == ["2", "1", "3", nil])
  }
}
