// Grants for which a browser is opened: codes, implicit and hybrid.

import PostKitAuth
import PostKitHTTP
import Testing

@Suite("Grants with a browser")
struct BrowserGrantTests {
  private func query(_ url: String) -> [String: String] {
    let text = URLText(url)
    let pairs = URLText.pairs(of: text[text.query] ?? "").map {
      (String($0.name), PercentEncoding.decodeForm(String($0.value ?? "")))
    }
    return Dictionary(pairs) { $0 + " & " + $1 }
  }

  private func field(_ name: String, _ value: String) -> AuthField { AuthField(name, value) }

  private var state: AuthField { AuthField("state", PlanWorld.text) }

  @Test("A code is got with a listener first, then the browser, and bound by PKCE (AU-30)")
  func code() throws {
    var shop = PlanWorld.shop(.authorizationCode)
    shop.scope = "openid orders"
    shop.statePrefix = "pre-"
    shop.authorizationURL = "https://id.example/authorize?tenant=7#no"
    shop.parameters = [AuthParameter(name: "prompt", values: ["login"], use: .authorization)]
    shop.audiences = ["api"]
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
    guard case .listen(let place) = steps[0] else {
      Issue.record("The listener comes first: \(steps[0])")
      return
    }
    #expect(place.addresses == .one("127.0.0.1"))
    #expect(place.port == 0)
    #expect(place.path == "/callback")
    let visit = try #require(steps.visit)
    #expect(visit.isListened)
    #expect(visit.takesBareCode)
    #expect(!visit.readsFragment)
    #expect(visit.state == "pre-" + PlanWorld.text)
    #expect(visit.url.hasPrefix("https://id.example/authorize?tenant=7&response_type=code&"))
    let sent = query(visit.url)
    let verifier = String((0..<48).reduce(into: []) { $0.append(UInt8($1)) }.base64URL)
    #expect(sent["client_id"] == "cli")
    #expect(sent["redirect_uri"] == "http://127.0.0.1:4711/callback")
    #expect(sent["scope"] == "openid orders")
    #expect(sent["state"] == "pre-" + PlanWorld.text)
    #expect(sent["nonce"] == PlanWorld.text)
    #expect(sent["code_challenge_method"] == "S256")
    #expect(sent["prompt"] == "login")
    #expect(sent["audience"] == "api")
    #expect(verifier.utf8.count == 64)
    #expect(
      steps.bodies == [
        "grant_type=authorization_code&code=C0DE"
          + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&code_verifier=\(verifier)"
          + "&client_id=cli&client_secret=s3cret"
      ])
    let tokens = try PlanWorld.tokens(steps)
    #expect(tokens.nonce == PlanWorld.text)
    #expect(tokens.refreshToken == "R1")
  }

  @Test("The challenge is that of RFC 7636, appendix B")
  func challenge() throws {
    var shop = PlanWorld.shop(.authorizationCode)
    shop.codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let hashed = try #require(
      PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens).visit)
    #expect(query(hashed.url)["code_challenge"] == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    shop.pkce = .plain
    let plain = try #require(
      PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens).visit)
    #expect(query(plain.url)["code_challenge"] == shop.codeVerifier)
    #expect(query(plain.url)["code_challenge_method"] == "plain")
    shop.pkce = .off
    let off = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
    #expect(query(try #require(off.visit).url)["code_challenge"] == nil)
    #expect(off.visit?.takesBareCode == false)
    #expect(!off.bodies[0].contains("code_verifier"))
  }

  @Test(
    "Where a browser comes back to is as configured, or as the dialect has it (AU-31)",
    arguments: [
      (
        nil as String?, AuthDialect.header, "localhost:3000/callback",
        "http://localhost:3000/callback"
      ),
      (nil, .oidc, "localhost:7777/", "http://localhost:7777"),
      (nil, .azure, "127.0.0.1:0/callback", "http://127.0.0.1:9/callback"),
      ("http://localhost/cb?x=1", .securityAuth, "localhost:80/cb", "http://localhost/cb?x=1"),
      ("http://127.0.0.9:81", .securityAuth, "127.0.0.9:81/", "http://127.0.0.9:81"),
      ("http://[::1]:0/a", .securityAuth, "::1:0/a", "http://[::1]:9/a"),
      ("http://LOCALHOST:{port}/a", .header, "localhost:0/a", "http://LOCALHOST:9/a"),
    ])
  func places(_ uri: String?, _ dialect: AuthDialect, _ listened: String, _ sent: String) throws {
    var shop = PlanWorld.shop(.authorizationCode)
    shop.redirectURI = uri
    shop.dialect = dialect
    var plan = GrantPlan(shop, PlanWorld.context())
    guard case .listen(let place) = plan.next(.begin) else {
      Issue.record("Nobody listens.")
      return
    }
    let host = if case .one(let address) = place.addresses { address } else { "localhost" }
    #expect("\(host):\(place.port)\(place.path)" == listened)
    #expect(place.uri(port: 9) == sent)
  }

  @Test(
    "Another redirect URI is left as it is, and its address is pasted (AU-34)",
    arguments: [
      "https://app.example/cb", "https://localhost:3000/cb", "com.example.app:/cb",
      "http://127.0.0.1.example/cb", "http://127.1/cb", "http://user@localhost/cb",
    ])
  func pasteMode(_ uri: String) throws {
    var shop = PlanWorld.shop(.authorizationCode)
    shop.redirectURI = uri
    let address = uri + "?code=C0DE&state=" + PlanWorld.text
    let steps = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()), .pasted(" \(address)\n"), PlanWorld.tokens)
    #expect(steps.visit?.isListened == false)
    #expect(steps.visit?.redirectURI == uri)
    #expect(try PlanWorld.tokens(steps).accessToken == "T0K")
  }

  @Test("What is pasted is an address of this sign-in or, with PKCE alone, a code (AU-34)")
  func pasted() throws {
    var shop = PlanWorld.shop(.authorizationCode)
    func end(_ text: String) -> [GrantStep] {
      PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), .pasted(text), PlanWorld.tokens)
    }
    #expect(end("4/0AX-bare").bodies[0].contains("code=4%2F0AX-bare"))
    #expect(try PlanWorld.failure(end("https://a.example/cb?code=x&state=y")).code == .authState)
    #expect(try PlanWorld.failure(end("https://a.example/cb")).code == .authState)
    #expect(try PlanWorld.failure(end("  ")).code == .authState)
    shop.pkce = .off
    #expect(try PlanWorld.failure(end("4/0AX-bare")).code == .authState)
    shop.redirectURI = "https://app.example/cb"
    #expect(
      try PlanWorld.failure(end("https://app.example/cb?error=access_denied")).code.rawValue
        == "auth-access_denied")
  }

  @Test("A redirect is checked in order: state, issuer, error, code (AU-33)")
  func checks() throws {
    var shop = PlanWorld.shop(.authorizationCode)
    shop.issuer = "https://id.example"
    func code(_ fields: AuthField...) throws -> String {
      let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), .redirected(fields))
      #expect(steps.requests.isEmpty)
      return try PlanWorld.failure(steps).code.rawValue
    }
    let denied = field("error", "access_denied")
    let wrong = field("state", "AAECAwQFBgcICQoLDA0ODX")
    let elsewhere = field("iss", "https://evil.example")
    #expect(try code(wrong, elsewhere, denied, field("code", "x")) == "auth-state")
    #expect(try code(field("code", "x")) == "auth-state")
    #expect(try code(state, state, field("code", "x")) == "auth-state")
    #expect(try code(state, elsewhere, denied) == "auth-issuer-mismatch")
    #expect(try code(state, denied, field("code", "x")) == "auth-access_denied")
    #expect(try code(denied) == "auth-access_denied")
    #expect(try code(denied, elsewhere) == "auth-issuer-mismatch")
    #expect(try code(state) == "auth-answer-unreadable")
    #expect(try code(state, field("code", "x"), field("code", "y")) == "auth-answer-unreadable")
    #expect(
      try code(state, field("code", String(repeating: "x", count: 8_193)))
        == "auth-answer-unreadable")
  }

  @Test("Implicit takes tokens out of the fragment (AU-27)")
  func implicit() throws {
    var shop = PlanWorld.shop(.implicit)
    let fields = [
      state, field("access_token", "FR"), field("expires_in", "60"), field("token_type", "bearer"),
    ]
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), .redirected(fields))
    let visit = try #require(steps.visit)
    #expect(visit.readsFragment)
    #expect(!visit.takesBareCode)
    #expect(query(visit.url)["response_type"] == "token")
    #expect(query(visit.url)["nonce"] == nil)
    #expect(query(visit.url)["code_challenge"] == nil)
    let tokens = try PlanWorld.tokens(steps)
    #expect(tokens.accessToken == "FR")
    #expect(tokens.expires == PlanWorld.now + 60_000)
    shop.responseType = "id_token token"
    let both = try #require(
      PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), .redirected(fields)).visit)
    #expect(query(both.url)["nonce"] == PlanWorld.text)
    shop.responseType = "id_token"
    let alone = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()), .redirected([state, field("id_token", "I.D.T")]))
    #expect(try PlanWorld.tokens(alone).idToken == "I.D.T")
    shop.responseType = nil
    let none = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), .redirected([state]))
    #expect(try PlanWorld.failure(none).code == .authAnswerUnreadable)
  }

  @Test("Hybrid uses its code, and keeps the ID token that came before it")
  func hybrid() throws {
    let steps = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.hybrid), PlanWorld.context()),
      .redirected([state, field("code", "C0DE"), field("id_token", "I.D.T")]), PlanWorld.tokens)
    #expect(query(try #require(steps.visit).url)["response_type"] == "code id_token")
    let tokens = try PlanWorld.tokens(steps)
    #expect(tokens.accessToken == "T0K")
    #expect(tokens.idToken == "I.D.T")
    #expect(tokens.nonce == PlanWorld.text)
  }

  @Test("A port that is taken, a time that is over and a closed question end the sign-in")
  func ends() throws {
    let shop = PlanWorld.shop(.authorizationCode)
    var plan = GrantPlan(shop, PlanWorld.context())
    _ = plan.next(.begin)
    let taken = AuthFailure(.authPortInUse, "Port 3000 on localhost is taken.")
    #expect(plan.next(.cannotListen(taken)) == .failed(taken))
    let late = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), .timedOut(seconds: 300))
    #expect(try PlanWorld.failure(late).code == .authTimeout)
    #expect(try PlanWorld.failure(late).message.contains("5 min 0 s"))
    let declined = try PlanWorld.failure(
      PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), .declined))
    #expect(declined.wasDeclined)
    #expect(declined.failure.wasDeclined)
  }

  @Test("Without a person nothing is sent or opened, and the command is told (AU-50)")
  func nobody() throws {
    for grant in Grant.allCases where grant.needsPerson {
      var shop = PlanWorld.shop(grant)
      shop.issuer = "https://id.example"
      let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context(hasPerson: false)))
      #expect(steps.count == 1)
      let failure = try PlanWorld.failure(steps)
      #expect(failure.code == .authLoginNeeded)
      #expect(
        failure.message
          == "`shop` needs a sign-in by a person. Run: postkit auth login api.http --id shop")
    }
  }
}

extension [UInt8] {
  /// The bytes as base64url.
  fileprivate var base64URL: String { Base64.encode(self, alphabet: .url, isPadded: false) }
}
