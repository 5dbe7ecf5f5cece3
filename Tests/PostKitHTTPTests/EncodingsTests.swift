// Checks the encodings against published vectors, the rules, and their own inverses.

import Foundation
import PostKitHTTP
import PostKitTestSupport
import Testing

@Suite struct PercentEncodingTests {
  @Test(
    "only what is illegal in a URL is encoded",
    arguments: [
      ("http://h/a b?q=ü&x[]=1#f", "http://h/a%20b?q=%C3%BC&x[]=1#f"),
      ("/100%", "/100%25"), ("/%2", "/%252"), ("/%zz", "/%25zz"), ("/%2F%c3", "/%2F%c3"),
      ("/%%41", "/%25%41"), ("<>\"{}|\\^`", "%3C%3E%22%7B%7D%7C%5C%5E%60"),
      ("\n\u{0}\u{7f}", "%0A%00%7F"), ("😀", "%F0%9F%98%80"), ("", ""),
      ("-._~:/?#[]@!$&'()*+,;=", "-._~:/?#[]@!$&'()*+,;="),
    ])
  func encodeIllegal(text: String, expected: String) {
    #expect(PercentEncoding.encodeIllegal(text) == expected)
    #expect(PercentEncoding.encodeIllegal(expected) == expected)
  }

  @Test func `components and forms leave alone what their standards say`() {
    #expect(
      PercentEncoding.encodeComponent("aZ09-_.!~*'() &+%/é") == "aZ09-_.!~*'()%20%26%2B%25%2F%C3%A9"
    )
    #expect(PercentEncoding.encode("aZ09*-._~&+é", allowing: .form) == "aZ09*-._%7E%26%2B%C3%A9")
    #expect(PercentEncoding.decodeForm("a+b%2Bc%C3%A9%") == "a b+cé%")
  }

  @Test func `decoding undoes encoding of any text`() {
    var generator = RepeatableGenerator(seed: 5)
    for _ in 0..<500 {
      let scalars = (0..<generator.int(in: 0..<12)).map { _ in
        generator.pick(["%", "2", "F", " ", "+", "&", "é", "😀", "\u{0}", "/"])
      }
      let text = scalars.joined()
      let encoded = PercentEncoding.encode(text, allowing: .unreserved)
      #expect(PercentEncoding.decode(encoded) == Array(text.utf8))
      let asForm = encoded.replacing("%20", with: "+")
      #expect(PercentEncoding.decodeForm(asForm) == text)
      #expect(
        text.addingPercentEncoding(withAllowedCharacters: .init())
          == PercentEncoding.encode(text, allowing: ASCIISet("")))
    }
  }
}

@Suite struct Base64Tests {
  @Test(
    "the vectors of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func vectors(text: String, encoded: String) {
    #expect(Base64.encode(text) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
    let bare = encoded.replacing("=", with: "")
    #expect(Base64.encode(Array(text.utf8), isPadded: false) == bare)
    #expect(Base64.decode(bare, requiresPadding: false) == Array(text.utf8))
  }

  @Test(
    "what isn't strictly base64 is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "=", "====", "Zg==Zg==", "Z-9v",
    ])
  func refused(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func `random bytes come back in both alphabets, as Foundation encodes them`() {
    var generator = RepeatableGenerator(seed: 64)
    for length in 0..<100 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
      let url = Base64.encode(bytes, alphabet: .url, isPadded: false)
      #expect(Base64.decode(url, alphabet: .url, requiresPadding: false) == bytes)
      #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    }
    #expect(Hex.decode("abc") == nil && Hex.decode("zz") == nil && Hex.decode("Ff") == [255])
  }
}

@Suite struct StatusTests {
  @Test func `codes have phrases and classes`() {
    #expect(Status.reason(404) == "Not Found" && Status.reason(299) == nil)
    #expect(Status.class(99) == nil && Status.class(600) == nil)
    #expect(Status.class(418) == .clientError && Status.class(101) == .informational)
    #expect(Status.hasNoBody(204) && Status.hasNoBody(304) && !Status.hasNoBody(200))
    #expect(Status.registered.allSatisfy { Status.class($0) != nil })
  }
}
