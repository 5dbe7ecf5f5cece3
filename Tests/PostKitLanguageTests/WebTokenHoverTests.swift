// What hovers tell of JSON Web Tokens in a text.

import PostKitHTTP
import PostKitLanguage
import PostKitTestSupport
import Testing

@Suite("Hovers of JSON Web Tokens (AU-53)")
struct WebTokenHoverTests {
  /// `{"alg":"RS256","kid":"a|b"}` and claims that end at 820 s.
  private static let token =
    "eyJhbGciOiJSUzI1NiIsImtpZCI6ImF8YiJ9.eyJzdWIiOiJhbm4iLCJleHAiOjgyMCwiYXVkIjpbImEiXX0.c2ln"

  private func hover(_ marked: String, now: Int64 = 1_000_000) -> Hover? {
    let text = MarkedText(marked)
    return WebTokenHover.hover(in: text.bytes, at: text.offset(), now: now)
  }

  @Test func `A token in a header shows its claims, times in words and its header`() {
    let head = Self.token.prefix(60)
    checkHover(
      "GET https://a.test\nAuthorization: Bearer ⏩\(head)1️⃣\(Self.token.dropFirst(60))⏪\n",
      is: """
        | Claim | Value |
        | --- | --- |
        | `sub` | `ann` |
        | `exp` | `820` 1970-01-01T00:13:40.000Z, «any» |
        | `aud` | `["a"]` |

        | Header | Value |
        | --- | --- |
        | `alg` | `RS256` |
        | `kid` | `a\\|b` |

        The signature was not checked.
        """)
  }

  @Test func `A token is found in JSON, in queries and at both of its ends`() {
    let token = Self.token
    let texts = [
      "{\"t\": \"1️⃣\(token)\"}", "?t=\(token)1️⃣&b=1", "see 1️⃣\(token).", "1️⃣\(token)",
    ]
    for text in texts {
      let marked = MarkedText(text)
      let hover = hover(text)
      #expect(hover?.markdown.contains("expired 3 min ago") == true)
      #expect(hover.map { String(decoding: marked.bytes[$0.range], as: UTF8.self) } == token)
    }
  }

  @Test(
    arguments: [
      "www.exa1️⃣mple.com", "GET1️⃣ /", "", "1️⃣", "a.b1️⃣.c.d.e.f", "eyJh1️⃣.e30.x", "..1️⃣",
      "eyJ0eXAiOiJK1️⃣V1QifQ.e30.AA",
    ])
  func `What is no token has no hover`(text: String) {
    let marked = MarkedText(text)
    let offset = text.contains("1️⃣") ? marked.offset() : 0
    #expect(WebTokenHover.hover(in: marked.bytes, at: offset, now: 0) == nil)
  }

  @Test func `Places outside of the text have no hover`() {
    let bytes = Array(Self.token.utf8)
    #expect(WebTokenHover.hover(in: bytes, at: -1, now: 0) == nil)
    #expect(WebTokenHover.hover(in: bytes, at: bytes.count + 1, now: 0) == nil)
  }

  @Test func `An encrypted token shows its header`() {
    let head = Base64.encode(
      Array(#"{"alg":"RSA-OAEP","enc":"A128GCM"}"#.utf8), alphabet: .url, isPadded: false)
    let hover = hover("1️⃣\(head).AA.AA.AA.AA")
    #expect(hover?.markdown.contains("| `enc` | `A128GCM` |") == true)
    #expect(hover?.markdown.contains("encrypted (JWE)") == true)
  }

  @Test func `What a token says is no mark of Markdown`() {
    let claims = #"{"a":"![x](http://evil.test/p.png)\n<b>`| |","n|":"`"}"#
    let parts = [#"{"alg":"none"}"#, claims].map {
      Base64.encode(Array($0.utf8), alphabet: .url, isPadded: false)
    }
    let hover = hover("1️⃣\(parts[0]).\(parts[1]).")
    let lines = hover?.markdown.split(separator: "\n") ?? []
    #expect(lines.count == 8)
    #expect(lines[2].hasPrefix("| `a` | `` ") && lines[2].hasSuffix(" `` |"))
  }

  @Test func `A text of any length is looked at in a moment`() {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 5 << 20)
    #expect(WebTokenHover.hover(in: long, at: long.count / 2, now: 0) == nil)
  }
}
