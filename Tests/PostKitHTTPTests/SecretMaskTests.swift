// Checks that a secret is found in every spelling in which it travels, and nothing else is touched.

import PostKitHTTP
import PostKitTestSupport
import Testing

@Suite struct SecretMaskTests {
  let mask = SecretMask(secrets: ["s3cr3t/key +\"é", "pin", "", "  padded-secret "])
  let dots = SecretMask.text

  @Test func `a long secret is masked anywhere in every spelling`() {
    let secret = "s3cr3t/key +\"é"
    let spellings = [
      secret, PercentEncoding.encodeComponent(secret), "s3cr3t%2Fkey+%2B%22%C3%A9",
      PercentEncoding.encodeIllegal(secret), PercentEncoding.encode(secret, allowing: ASCIISet("")),
      PercentEncoding.encodeComponent(secret).lowercased(), Base64.encode(secret),
      Base64.encode(Array(secret.utf8), isPadded: false),
      Base64.encode(Array(secret.utf8), alphabet: .url), "s3cr3t\\/key +\\\"\\u00e9",
      "s3cr3t/key +\\\"é", "padded-secret", "s3cr3t/key +&quot;é",
      "s3cr3t&#47;key&#32;&#x2b;&#34;&#xE9;", "&#115;3cr3t/key +&#X22;é",
    ]
    for spelling in spellings {
      let result = mask.mask("a \(spelling) b \(spelling)")
      #expect(result.text == "a \(dots) b \(dots)", "\(spelling)")
      #expect(result.didMask)
    }
  }

  @Test func `a mask that grows masks what one of all secrets does`() {
    let secrets = (0..<60).flatMap { number in
      // Of all lengths, parts of each other, with the marks of escapes in front.
      [
        "secret-\(number)", "secret-\(number)-and-more", "%5C\(number)/+\(number)", "\\q&\(number)x",
        "+\(number)é-token", "p\(number)", " padded-\(number) ", "",
      ]
    }
    let whole = SecretMask(secrets: secrets)
    var grown = SecretMask(secrets: [])
    for secret in secrets.reversed() { grown.add([secret, secret]) }
    for secret in secrets + ["nothing", "secret-61", "p60"] {
      let texts = [
        secret, "a \(secret)b", PercentEncoding.encodeComponent("x\(secret)"), "\"\(secret)\"",
        Base64.encode("user:\(secret)"), "Basic " + Base64.encode("user:\(secret)"),
        "a=\(secret)&b=\(PercentEncoding.encodeComponent(secret))",
      ]
      for text in texts {
        for format in [SecretMask.Format.plain, .form, .json] {
          #expect(grown.mask(text, as: format) == whole.mask(text, as: format), "\(text)")
        }
      }
    }
    #expect(!grown.isEmpty && grown.mask("a secret-59").text == "a \(dots)")
  }

  @Test func `what a page writes for a secret is masked, and other references are left`() {
    let mask = SecretMask(secrets: ["a&b<c>'d'"])
    for spelling in ["a&amp;b&lt;c&gt;&#39;d&apos;", "a&b&lt;c>'d'", "a&amp;b<c&#62;&#x27;d'"] {
      #expect(mask.mask("<p>\(spelling)</p>").text == "<p>\(dots)</p>", "\(spelling)")
    }
    let others = [
      "a&amp;b&lt;c", "a&amp;amp;b&lt;c&gt;'d'", "&; &# &#; &#x; &#1114112; &nope; &amp",
    ]
    for other in others {
      #expect(mask.mask(other) == (other, false), "\(other)")
    }
  }

  @Test func `a secret that is no UTF-8 is masked as it is sent and as it is shown`() {
    let bytes = Array("s3cr3t-".utf8) + [0xE9, 0xFF]
    let mask = SecretMask(secrets: [String(keeping: bytes), String(keeping: [0xFF])])
    let spellings: [[UInt8]] = [
      bytes, Array("s3cr3t-\u{E9}\u{FF}".utf8), Array("s3cr3t-\u{FFFD}\u{FFFD}".utf8),
      Array("s3cr3t-%E9%FF".utf8), Array(Base64.encode(bytes).utf8),
    ]
    for spelling in spellings {
      let masked = mask.mask([0xFE] + spelling + [0xFE])
      #expect(masked.bytes == [0xFE] + Array(dots.utf8) + [0xFE], "\(spelling)")
    }
    #expect(mask.mask("a " + String(keeping: bytes)).text == "a \(dots)")
    #expect(mask.mask([0xFF]).bytes == Array(dots.utf8))
    #expect(mask.mask([0xFF, 0xFE]).bytes == [0xFF, 0xFE])
    #expect(mask.mask("a=%FF", as: .form).text == "a=\(dots)")
    let plain = SecretMask(secrets: ["pässword"])
    #expect(plain.mask("pÃ¤ssword é").text == "\(dots) é")
  }

  @Test func `credentials of Basic are masked when the password is in them`() {
    let token = Base64.encode("user:s3cr3t/key +\"é")
    #expect(mask.mask("{\"authorization\":\"Basic \(token)\"}").text.contains("\"Basic \(dots)\""))
    let other = "Basic \(Base64.encode("user:other"))"
    #expect(mask.mask(other) == (other, false))
  }

  @Test(arguments: ["hunter2-s3cret", "pässwörd?>~1", "aaaaaa", "0123456789abcdef0"])
  func `in base64 and in hexadecimal no character that a secret decides is left`(secret: String) {
    let mask = SecretMask(secrets: [secret])
    let bytes = Array(secret.utf8)
    for before in 0..<7 {
      for after in 0..<4 {
        for alphabet in [Base64.Alphabet.standard, .url] {
          let text = [UInt8](repeating: 0x78, count: before) + bytes
            + [UInt8](repeating: 0x79, count: after)
          let encoded = Base64.encode(text, alphabet: alphabet)
          let left = before * 8 / 6
          let right = after == 0 ? 0 : encoded.utf8.count - ((before + bytes.count) * 8 + 5) / 6
          let masked = mask.mask("{\"a\":\"\(encoded)\"}").text
          #expect(
            masked.hasPrefix("{\"a\":\"\(encoded.prefix(left))\(dots)"), "\(before) \(after)")
          let ending = masked.dropLast(2).reversed().prefix { $0 != "•" }
          #expect(ending.count <= right, "\(before) \(after)")
        }
      }
    }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    for spelling in [digits, digits.uppercased()] {
      #expect(mask.mask("-\(spelling)-").text == "-\(dots)-")
    }
    #expect(!mask.mask("-\(digits.dropLast())-").didMask)
  }

  @Test func `secrets that overlap leave nothing behind`() {
    let mask = SecretMask(secrets: ["abcdefgh", "efghijkl", "abcdef"])
    #expect(mask.mask("-abcdefghijkl-abcdefx").text == "-\(dots)-\(dots)x")
  }

  @Test func `a short secret is masked only as a whole value`() {
    #expect(mask.mask("a spinning pin") == ("a spinning pin", false))
    #expect(mask.mask("pin") == (dots, true))
    #expect(
      mask.mask("a=pin&pin=b&c=p%69n&d=pins", as: .form).text == "a=\(dots)&pin=b&c=\(dots)&d=pins")
    let json = "{\"pin\": \"pin\", \"a\": [\"p\\u0069n\", \"pins\"], \"n\": 1}"
    #expect(
      mask.mask(json, as: .json).text
        == "{\"pin\": \"\(dots)\", \"a\": [\"\(dots)\", \"pins\"], \"n\": 1}")
  }

  @Test func `a short number in JSON is masked and the JSON stays JSON`() {
    let mask = SecretMask(secrets: ["1234"])
    #expect(
      mask.mask("{\"a\":1234,\"b\":12345,\"1234\":0}", as: .json).text
        == "{\"a\":\"\(dots)\",\"b\":12345,\"1234\":0}")
    #expect(mask.mask("{\"a\":\"12", as: .json).didMask == false)
    #expect(mask.mask("{\"a\":\"1234", as: .json).didMask)
  }

  @Test func `credentials and cookies are always masked, other fields by value`() {
    let headers: HeaderFields = [
      ("AUTHORIZATION", "Bearer x"), ("Cookie", "a=b"), ("set-cookie", "c=d"),
      ("Proxy-Authorization", ""), ("X-Pin", "pin"), ("X-Note", "a pin"),
    ]
    let (masked, didMask) = mask.maskHeaders(headers)
    #expect(masked.fields.map(\.value) == [dots, dots, dots, dots, dots, "a pin"] && didMask)
    #expect(SecretMask(secrets: []).maskHeaders([("cookie", "x")]).didMask == false)
  }

  @Test func `URLs lose passwords, secret values and nothing else`() {
    let cases = [
      ("http://u:any@h/p?a=pin&b=1#f", "http://u:\(dots)@h/p?a=\(dots)&b=1#f"),
      ("http://pin@h/", "http://\(dots)@h/"), ("http://h/pin?pin", "http://h/pin?pin"),
      ("http://h/a@b:c", "http://h/a@b:c"),
      ("http://h/padded-secret/x", "http://h/\(dots)/x"),
    ]
    for (url, expected) in cases { #expect(mask.maskURL(url).text == expected) }
    #expect(mask.maskURL("http://h/?a=b") == ("http://h/?a=b", false))
  }

  @Test func `bodies are masked in the form of their media type`() {
    #expect(
      mask.maskBody(Array("a=pin".utf8), contentType: "application/x-www-form-urlencoded").didMask)
    #expect(mask.maskBody(Array("[\"pin\"]".utf8), contentType: "application/problem+json").didMask)
    #expect(!mask.maskBody(Array("[\"pin\"]".utf8), contentType: nil).didMask)
    let binary: [UInt8] = [0xFF, 0xFE] + Array("padded-secret".utf8) + [0x00]
    let result = mask.maskBody(binary, contentType: "application/octet-stream")
    #expect(result.bytes == [0xFF, 0xFE] + Array(dots.utf8) + [0x00])
  }

  @Test func `without secrets nothing changes, and no input traps`() {
    let none = SecretMask(secrets: [])
    #expect(none.isEmpty && none.mask("secret") == ("secret", false))
    var generator = RepeatableGenerator(seed: 8)
    let pieces = [
      "%", "\\", "\"", "s3cr3t", "/key", "pin", "\\u", "00e9", "+", "Basic ", "=", ":", "&", "é",
      "{", "@", "://", "?",
    ]
    for _ in 0..<3_000 {
      let text = (0..<generator.int(in: 0..<14)).map { _ in generator.pick(pieces) }.joined()
      for format in [SecretMask.Format.plain, .form, .json] {
        let result = mask.mask(text, as: format)
        #expect(result.didMask == (result.text != text))
        #expect(!result.text.contains("s3cr3t/key +\"é"))
      }
      _ = mask.maskURL(text)
    }
  }
}
