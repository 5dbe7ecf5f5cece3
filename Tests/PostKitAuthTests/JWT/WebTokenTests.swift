// What is read of JSON Web Tokens, and what is none.

import PostKitHTTP
import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitAuth

@Suite("JSON Web Tokens are read")
struct WebTokenTests {
  /// A part of a token.
  private static func part(_ text: String) -> String {
    Base64.encode(Array(text.utf8), alphabet: .url, isPadded: false)
  }

  private static func token(_ header: String, _ payload: String) -> String {
    "\(part(header)).\(part(payload)).\(part("x"))"
  }

  private func problem(_ text: String, limit: Int = WebToken.limit) -> WebTokenProblem? {
    do throws(WebTokenProblem) { _ = try WebToken(text, limit: limit) } catch { return error }
    return nil
  }

  @Test func `A token has a header, claims and what is signed`() throws {
    let text = Self.token(#"{"alg":"RS256","kid":"a"}"#, #"{"sub":"7","exp":1.5e9}"#)
    let token = try WebToken(text)
    #expect(token.algorithm == "RS256")
    #expect(token.keyID == "a")
    #expect(token.text("sub") == "7")
    #expect(token.moment("exp") == 1_500_000_000_000)
    #expect(token.moment("sub") == nil)
    #expect(String(decoding: token.signedBytes, as: UTF8.self) + "." + Self.part("x") == text)
    #expect(token.signature == Array("x".utf8))
  }

  @Test func `A signature may be empty and a payload no JSON`() throws {
    let unsigned = try WebToken("\(Self.part(#"{"alg":"none"}"#)).\(Self.part("Payload")).")
    #expect(unsigned.signature == [])
    #expect(try WebToken("\(Self.part(#"{"alg":"RS256"}"#)).e30.!").signature == nil)
    #expect(unsigned.claims == nil)
    #expect(unsigned.payload == Array("Payload".utf8))
  }

  @Test func `A text that is no token says why`() {
    #expect(problem("") == .parts(1))
    #expect(problem("a.b") == .parts(2))
    #expect(problem("a.b.c.d") == .parts(4))
    #expect(problem("www.example.com") == .noObject(.header))
    #expect(problem("api.example.com") == .encoding(.header))
    #expect(problem(Self.token("[]", "{}")) == .noObject(.header))
    #expect(problem(Self.token("{", "{}")) == .noObject(.header))
    #expect(problem(Self.token(#"{"typ":"JWT"}"#, "{}")) == .noAlgorithm)
    #expect(problem(Self.token(#"{"alg":1}"#, "{}")) == .noAlgorithm)
    let head = Self.part(#"{"alg":"RS256"}"#)
    #expect(problem(head + ".!.x") == .encoding(.payload))
    #expect(problem(head + ".e30.AA", limit: 5) == .tooLong(limit: 5))
    let encrypted = problem(Self.part(#"{"alg":"RSA-OAEP","enc":"A128GCM"}"#) + ".a.b.c.d")
    guard case .encrypted(let header) = encrypted else {
      Issue.record("\(String(describing: encrypted))")
      return
    }
    #expect(header.root["enc"]?.string == "A128GCM")
  }

  @Test(arguments: ["9e99", "-9e99", "1700000000000", "true", "\"1700000000\"", "null", "[]"])
  func `What is no time in seconds is none`(value: String) throws {
    let token = try WebToken(Self.token(#"{"alg":"RS256"}"#, "{\"exp\":\(value)}"))
    #expect(token.moment("exp") == nil)
  }

  @Test func `Times are told in words`() throws {
    let claims = try JSONTree(
      parsing: Array(#"{"exp":820,"iat":0,"nbf":2000,"auth_time":900,"n":5}"#.utf8))
    let lines = WebTokenLines.lines(claims, now: 1_000_000) { "at \($0)" }
    let meanings = lines.map { "\($0.name) \($0.value): \($0.meaning ?? "-")" }
    #expect(
      meanings == [
        "exp 820: at 820000, expired 3 min ago", "iat 0: at 0, issued 16 min ago",
        "nbf 2000: at 2000000, not valid for another 16 min",
        "auth_time 900: at 900000, signed in 1 min ago", "n 5: -",
      ])
  }

  @Test func `Lengths of time have one unit`() {
    let spans: [(Int64, String)] = [
      (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_600, "1 h"), (172_800, "2 days"),
      (86_400 * 800, "2 years"),
    ]
    for (seconds, text) in spans {
      #expect(WebTokenTime.span(milliseconds: seconds * 1_000) == text)
    }
  }

  @Test func `Any bytes are read to an end`() {
    var chance = RepeatableGenerator(seed: 19)
    let seed = Array(
      Self.token(#"{"alg":"ES256","kid":"k"}"#, #"{"exp":1,"aud":["a","b"]}"#).utf8)
    let letters = Array("abcXYZ019-_.=+{}\"\\ \u{0}".utf8)
    for _ in 0..<5_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...6, using: &chance) {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: bytes[place] = letters.randomElement(using: &chance) ?? 0
        case 1: bytes.insert(letters.randomElement(using: &chance) ?? 0, at: place)
        default: bytes.removeSubrange(place..<min(bytes.count - 1, place + 3))
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      // What it is doesn't matter: reading it ends, and what is read can be shown.
      if let token = try? WebToken(text) {
        _ = WebTokenLines.lines(token.header, now: 0) { "\($0)" }
        if let claims = token.claims { _ = WebTokenLines.lines(claims, now: 0) { "\($0)" } }
      }
    }
  }
}
