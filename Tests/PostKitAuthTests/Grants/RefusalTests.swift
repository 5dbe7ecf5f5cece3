// Every grant against every answer that is no token.

import PostKitAuth
import PostKitHTTP
import Testing

@Suite("What a provider's no means")
struct RefusalTests {
  /// The grants that send a request, each with the answers that come before the one in question.
  private static let grants = Grant.allCases.filter { $0 != .mock && $0 != .implicit }

  private func steps(_ grant: Grant, _ answer: GrantEvent) -> [GrantStep] {
    var shop = PlanWorld.shop(grant)
    if grant == .hybrid { shop.responseType = "code" }
    let plan = GrantPlan(shop, PlanWorld.context())
    return grant == .deviceCode
      ? PlanWorld.steps(plan, PlanWorld.deviceCode, answer) : PlanWorld.steps(plan, answer)
  }

  @Test("Every grant succeeds with the same answer", arguments: grants)
  func succeeds(_ grant: Grant) throws {
    let tokens = try PlanWorld.tokens(steps(grant, PlanWorld.tokens))
    #expect(tokens.accessToken == "T0K")
    #expect(tokens.clientAuthentication == .body)
  }

  @Test("Each error has its word, the server's sentence and a remedy (AU-56)", arguments: grants)
  func errors(_ grant: Grant) throws {
    let words: [(word: String, remedy: String)] = [
      ("invalid_client", "Check `Client ID` and `Client Secret`"), ("invalid_grant", ""),
      ("unauthorized_client", "does not allow the grant \(grant.title) for this client."),
      ("unsupported_grant_type", "does not allow the grant \(grant.title) for this client."),
      ("invalid_scope", "Asked: orders read."), ("invalid_request", "The parameters sent were: "),
      ("access_denied", "said no"), ("interaction_required", "`prompt=none`"),
      ("login_required", "`prompt=none`"), ("consent_required", "`prompt=none`"),
      ("temporarily_unavailable", "Try again later."), ("invalid_target", ""),
      ("server-made_up9", ""),
    ]
    for (word, remedy) in words {
      let body = #"{"error": "\#(word)", "error_description": "Because I say so"}"#
      let failure = try PlanWorld.failure(
        steps(grant, PlanWorld.json(body, status: word == "invalid_client" ? 401 : 400)))
      #expect(failure.code.rawValue == "auth-" + word)
      #expect(failure.message.hasPrefix("`shop`: id.example answers `\(word)` (status 4"))
      #expect(failure.message.contains("Because I say so. ") || remedy.isEmpty)
      #expect(failure.message.contains(remedy))
      #expect(!failure.message.contains("s3cret"))
      #expect(failure.failure.code.exitCode == 3)
    }
  }

  @Test("Secrets that a server says again are told nowhere (AU-48)")
  func repeatedSecrets() throws {
    for body in [
      #"{"error": "s3cret"}"#, #"{"error": {"code": "s3cret"}}"#,
      #"{"error": "odd", "access_token": "issued-token", "error_description": "issued-token"}"#,
    ] {
      let failure = try PlanWorld.failure(
        steps(.clientCredentials, PlanWorld.json(body, status: 400)))
      let told = failure.code.rawValue + failure.message
      #expect(!told.contains("s3cret") && !told.contains("issued-token"), "\(told)")
    }
  }

  @Test("What a code, a password and an assertion were refused for")
  func grantRemedies() throws {
    let refused = PlanWorld.json(#"{"error": "invalid_grant"}"#, status: 400)
    for (grant, words) in [
      (Grant.authorizationCode, "The code was used or is too old; sign in again."),
      (.password, "The user name or the password is wrong."),
      (.jwtBearer, "Check the assertion"),
    ] {
      #expect(try PlanWorld.failure(steps(grant, refused)).message.contains(words))
    }
  }

  @Test("Answers that can't be read say what came (AU-28)", arguments: grants)
  func unreadable(_ grant: Grant) throws {
    let long = String(repeating: "x", count: 65_537)
    let cases: [(body: String, words: String)] = [
      ("<html>Not &amp; here</html>", "It begins: <html>Not &amp; here</html>"),
      ("", "it is no JSON object"), ("[]", "it is no JSON object"), (#""T0K""#, "no JSON object"),
      ("{}", "it has no `access_token` that is a text"),
      (#"{"access_token": 7}"#, "it has no `access_token`"),
      (#"{"access_token": null}"#, "it has no `access_token`"),
      (#"{"access_token": ""}"#, "it has no `access_token`"),
      (#"{"access_token": "\#(long)"}"#, "longer than 64 KiB"),
      (#"{"access_token": "a\r\nX: y"}"#, "characters that no header may have"),
      (String(repeating: " ", count: 1_048_577), "more than 1 MiB"),
    ]
    for (body, words) in cases {
      let failure = try PlanWorld.failure(steps(grant, PlanWorld.json(body)))
      #expect(failure.code == .authAnswerUnreadable)
      #expect(failure.message.contains(words), "\(failure.message)")
    }
  }

  @Test("A beginning that may hold a token, and a secret that a server repeats, are not shown")
  func secrets() throws {
    let cut = try PlanWorld.failure(
      steps(.clientCredentials, PlanWorld.json(#"{"access_token": "T0K-that-is-cut"#)))
    #expect(!cut.message.contains("T0K"))
    let page = try PlanWorld.failure(steps(.password, PlanWorld.json("<p>pw-of-ann is wrong")))
    #expect(page.message.contains("<p>••••••"))
    let echo = #"{"error": "invalid_grant", "error_description": "pw-of-ann is wrong for ann"}"#
    let refused = try PlanWorld.failure(steps(.password, PlanWorld.json(echo, status: 400)))
    #expect(!refused.message.contains("pw-of-ann"))
  }

  @Test("A status alone says something, too")
  func statuses() throws {
    let headers: HeaderFields = [("Retry-After", "120")]
    for (status, code, words) in [
      (401, "auth-invalid_client", "Check `Client ID`"), (418, "auth-other", "(status 418)"),
      (503, "auth-temporarily_unavailable", "Try again in 2 min 0 s."),
      (429, "auth-temporarily_unavailable", "Try again in 2 min 0 s."),
    ] {
      let reply = TokenReply(status: status, headers: headers)
      let failure = try PlanWorld.failure(steps(.clientCredentials, .reply(reply)))
      #expect(failure.code.rawValue == code)
      #expect(failure.message.contains(words), "\(failure.message)")
    }
  }

  @Test("A yes with an error in it is a no (AU-28)")
  func errorWith200() throws {
    let failure = try PlanWorld.failure(
      steps(
        .clientCredentials,
        PlanWorld.json(#"{"error": "bad_code", "access_token": "x", "error_uri": "js:alert"}"#)))
    #expect(failure.code.rawValue == "auth-bad_code")
    #expect(!failure.message.contains("js:alert"))
    let nested = try PlanWorld.failure(
      steps(
        .clientCredentials,
        PlanWorld.json(#"{"error": {"message": "No such client", "code": 7}}"#, status: 400)))
    #expect(nested.code.rawValue == "auth-other")
    #expect(nested.message.contains("No such client."))
  }

  @Test("Words that are none become one (README, section 4)")
  func strangeWords() throws {
    for word in ["Invalid Client", String(repeating: "x", count: 41), "a\\u0007b", "ü"] {
      let failure = try PlanWorld.failure(
        steps(.clientCredentials, PlanWorld.json(#"{"error": "\#(word)"}"#, status: 400)))
      #expect(failure.code.rawValue == "auth-other")
      #expect(!failure.message.unicodeScalars.contains("\u{7}"))
    }
    let long = String(repeating: "y ", count: 1_000)
    let failure = try PlanWorld.failure(
      steps(
        .clientCredentials,
        PlanWorld.json(#"{"error": "e", "error_description": "\#(long)"}"#, status: 400)))
    #expect(failure.message.utf8.count < 700)
  }

  @Test("A provider that is not there is named, with the transport's word", arguments: grants)
  func unreachable(_ grant: Grant) throws {
    guard grant != .deviceCode else { return }
    for code in [FailureCode.connection, .tls, .timeout] {
      let failure = try PlanWorld.failure(
        steps(grant, .unreachable(Failure(code, "Nobody listens."))))
      #expect(failure.code == code)
      #expect(failure.code.exitCode == 4)
      #expect(
        failure.message
          == "The token endpoint https://id.example/token of `shop` can't be reached: "
          + "Nobody listens.")
    }
  }

  @Test("Somebody who closes the question ends every grant", arguments: Grant.allCases)
  func declined(_ grant: Grant) throws {
    guard grant != .mock else { return }
    var plan = GrantPlan(PlanWorld.shop(grant), PlanWorld.context())
    _ = plan.next(.begin)
    guard case .failed(let failure) = plan.next(.declined) else {
      Issue.record("It goes on.")
      return
    }
    #expect(failure.wasDeclined)
  }

  @Test("An endpoint that moves is followed once, on its own server, with the method (AU-2)")
  func redirects() throws {
    func moved(_ status: Int, _ location: String) -> GrantEvent {
      .reply(TokenReply(status: status, headers: [("Location", location)]))
    }
    let plan = GrantPlan(PlanWorld.shop(.clientCredentials), PlanWorld.context())
    for status in [307, 308] {
      let steps = PlanWorld.steps(plan, moved(status, "/v2/token"), PlanWorld.tokens)
      #expect(steps.requests[1].url == "https://id.example/v2/token")
      #expect(steps.bodies[0] == steps.bodies[1])
      #expect(try PlanWorld.tokens(steps).accessToken == "T0K")
    }
    for answer in [
      moved(302, "/v2/token"), moved(307, "https://other.example/token"),
      moved(308, "http://id.example/token"), moved(307, ""),
    ] {
      let steps = PlanWorld.steps(plan, answer)
      #expect(steps.requests.count == 1)
      #expect(try PlanWorld.failure(steps).code == .authEndpointRedirect)
    }
    let twice = PlanWorld.steps(plan, moved(307, "/a"), moved(307, "/b"))
    #expect(try PlanWorld.failure(twice).code == .authEndpointRedirect)
  }

  // MARK: - What is taken from an answer

  private func read(_ members: String, _ change: (inout AuthConfiguration) -> Void = { _ in })
    throws -> TokenSet
  {
    var shop = PlanWorld.shop(.clientCredentials)
    change(&shop)
    return try PlanWorld.tokens(
      PlanWorld.steps(
        GrantPlan(shop, PlanWorld.context()),
        PlanWorld.json(#"{"access_token": "T0K"\#(members)}"#)))
  }

  @Test("A lifetime is a number or digits; what makes no sense is unknown (AU-28)")
  func lifetimes() throws {
    for (text, seconds) in [
      ("60", 60), (#""60""#, 60), ("60.0", 60), ("0", 0), ("-1", nil), ("1.5", nil),
      ("315360001", nil), (#""1h""#, nil), (#""""#, nil), ("true", nil),
      ("99999999999999999999999", nil),
    ] as [(String, Int64?)] {
      let expires = try read(#", "expires_in": \#(text)"#).expires
      #expect(expires == seconds.map { PlanWorld.now + $0 * 1_000 })
    }
    #expect(try read("") { $0.lifetime = 90 }.expires == PlanWorld.now + 90_000)
    #expect(try read(#", "expires_in": 5"#) { $0.lifetime = 90 }.expires == PlanWorld.now + 5_000)
  }

  @Test("A JWT ends when it says so, unless a clock is wrong (AU-42)")
  func jwt() throws {
    func token(_ exp: Int64) -> String {
      let claims = Array(#"{"exp": \#(exp)}"#.utf8)
      return "eyJhbGciOiJub25lIn0."
        + Base64.encode(claims, alphabet: .url, isPadded: false) + ".c2ln"
    }
    func expires(_ exp: Int64) throws -> Int64? {
      try PlanWorld.tokens(
        PlanWorld.steps(
          GrantPlan(PlanWorld.shop(.password), PlanWorld.context()),
          PlanWorld.json(#"{"access_token": "\#(token(exp))"}"#))
      ).expires
    }
    let now = PlanWorld.now / 1_000
    #expect(try expires(now + 30) == PlanWorld.now + 30_000)
    #expect(try expires(now - 30) == nil)
    #expect(try expires(.max) == nil)
  }

  @Test("A type of token is Bearer or a scheme of its own (AU-28)")
  func schemes() throws {
    #expect(try read("").scheme == "Bearer")
    #expect(try read(#", "token_type": "BEARER""#).scheme == "Bearer")
    let own = try read(#", "token_type": "PoP""#)
    #expect(own.scheme == "PoP")
    #expect(own.remarks.count == 1)
    #expect(try read(#", "token_type": "a b""#).scheme == "Bearer")
    #expect(try read(#", "token_type": "a\nX: y""#).scheme == "Bearer")
  }

  @Test("A scope that is narrower than asked is said")
  func scopes() throws {
    let narrow = try read(#", "scope": "orders""#)
    #expect(narrow.scope == "orders")
    #expect(narrow.remarks == ["The provider did not grant `read`."])
    #expect(try read(#", "scope": "read,orders,more""#).remarks.isEmpty)
    #expect(try read("").scope == "orders read")
  }

  @Test("A form is read like JSON where it says what it is")
  func form() throws {
    let reply = TokenReply(
      status: 200, headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: Array("access_token=a%2Bb&expires_in=60".utf8))
    let tokens = try PlanWorld.tokens(steps(.password, .reply(reply)))
    #expect(tokens.accessToken == "a+b")
    #expect(tokens.expires == PlanWorld.now + 60_000)
  }
}
