// JWTs that stand for a client or a person, and tokens that are exchanged.

import PostKitAuth
import PostKitHTTP
import PostKitJSON
import Testing

@Suite("Assertions and exchanges")
struct AssertionTests {
  private func field(_ name: String, _ body: String) throws -> String {
    let pair = URLText.pairs(of: body[...]).first { $0.name == name }
    return PercentEncoding.decodeForm(String(try #require(pair?.value)))
  }

  private func part(_ token: String, _ index: Int) throws -> JSONValue {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    let bytes = try #require(Base64.decode(parts[index], alphabet: .url, requiresPadding: false))
    return try JSONTree(parsing: bytes).root.value
  }

  @Test("A client signs who it is with its secret or its key (AU-20)")
  func client() throws {
    let pem = """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIBvEkvM5ytGcuMjJ+0FAXyAe+iwTyMvnLNPzpVRMSLG0oAoGCCqGSM49
      AwEHoUQDQgAEAQIDBA==
      -----END EC PRIVATE KEY-----
      """
    let cases: [(ClientAuthentication, String?, String, String?)] = [
      (.secretJWT, nil, "HS256", nil),
      (.privateKeyJWT, #"{"kty": "RSA", "kid": "k1"}"#, "RS256", "k1"),
      (.privateKeyJWT, #"{"kty": "EC", "crv": "P-384"}"#, "ES384", nil),
      (.privateKeyJWT, #"{"kty": "OKP", "crv": "Ed25519"}"#, "EdDSA", nil),
      (.privateKeyJWT, #"{"kty": "RSA", "alg": "PS256"}"#, "PS256", nil),
      (.privateKeyJWT, pem, "ES256", nil),
    ]
    for (way, key, algorithm, id) in cases {
      var shop = PlanWorld.shop(.clientCredentials)
      shop.clientAuthentication = way
      shop.assertion.privateKey = key
      let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
      let body = steps.bodies[0]
      #expect(!body.contains("s3cret"))
      #expect(
        try field("client_assertion_type", body)
          == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      let token = try field("client_assertion", body)
      #expect(try part(token, 0)["alg"]?.string == algorithm)
      #expect(try part(token, 0)["kid"]?.string == id)
      let claims = try part(token, 1)
      #expect(claims["iss"] == "cli")
      #expect(claims["sub"] == "cli")
      #expect(claims["aud"] == "https://id.example/token")
      #expect(claims["jti"]?.string == PlanWorld.text)
      #expect(claims["iat"]?.int == Int(PlanWorld.now / 1_000))
      #expect(claims["exp"]?.int == Int(PlanWorld.now / 1_000) + 60)
    }
  }

  @Test("A signature that can't be made says why, and nothing is sent")
  func refused() throws {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.clientAuthentication = .privateKeyJWT
    shop.assertion.privateKey = "{}"
    var context = PlanWorld.context()
    let failure = AuthFailure(.authCryptoMissing, "Install libssl3.")
    context.sign = { _, _, _ in .refused(failure) }
    #expect(PlanWorld.steps(GrantPlan(shop, context)) == [.failed(failure)])
  }

  @Test("An assertion is the written one, or made of the written claims (AU-24)")
  func bearer() throws {
    var shop = PlanWorld.shop(.jwtBearer)
    shop.clientSecret = nil
    shop.clientAuthentication = nil
    var steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
    #expect(
      steps.bodies == [
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c"
          + "&scope=orders%20read&client_id=cli"
      ])
    shop.assertion.text = nil
    shop.assertion.header = #"{"kid": "k9"}"#
    shop.assertion.claims = #"{"iss": "svc", "exp": 5}"#
    shop.clientSecret = "s3cret"
    steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
    let token = try field("assertion", steps.bodies[0])
    #expect(!steps.bodies[0].contains("client_secret"))
    #expect(try part(token, 0)["alg"]?.string == "HS256")
    #expect(try part(token, 0)["typ"]?.string == "JWT")
    #expect(try part(token, 0)["kid"]?.string == "k9")
    #expect(try part(token, 1)["iss"] == "svc")
    #expect(try part(token, 1)["exp"]?.int == 5)
    #expect(try part(token, 1)["iat"]?.int == Int(PlanWorld.now / 1_000))
    shop.assertion.claims = "[1]"
    let failure = try PlanWorld.failure(PlanWorld.steps(GrantPlan(shop, PlanWorld.context())))
    #expect(failure.code == .authIncomplete)
  }

  private func exchanging() -> AuthConfiguration {
    var shop = PlanWorld.shop(.password)
    var other = PlanWorld.shop(.clientCredentials)
    other.id = "partner"
    other.tokenURL = "https://partner.example/token"
    other.clientAuthentication = .basic
    other.scope = nil
    shop.exchange = [other]
    return shop
  }

  @Test("A token is exchanged for another, and renewed as the first one (AU-25)")
  func exchange() throws {
    var shop = exchanging()
    shop.exchange[0].subjectIssuer = "https://id.example"
    let steps = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens,
      PlanWorld.json(
        #"{"access_token": "X", "refresh_token": "RX", "issued_token_type": "urn:other"}"#))
    #expect(steps.requests[1].url == "https://partner.example/token")
    let type = "urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
    #expect(
      steps.bodies[1]
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"
        + "&requested_token_type=\(type)&subject_token_type=\(type)&scope=openid"
        + "&subject_issuer=https%3A%2F%2Fid.example&subject_token=T0K")
    let tokens = try PlanWorld.tokens(steps)
    #expect(tokens.accessToken == "X")
    #expect(tokens.refreshToken == "R1")
    #expect(tokens.clientAuthentication == .body)
    #expect(tokens.remarks == ["The provider issued a token of another type: urn:other."])
  }

  @Test("An exchange that is refused names whose it is, and keeps secrets")
  func exchangeRefused() throws {
    let steps = PlanWorld.steps(
      GrantPlan(exchanging(), PlanWorld.context()),
      PlanWorld.json(#"{"access_token": "T0K-of-ann"}"#),
      PlanWorld.json(
        #"{"error": "invalid_grant", "error_description": "T0K-of-ann is bad"}"#, status: 400))
    let failure = try PlanWorld.failure(steps)
    #expect(failure.message.hasPrefix("`partner`: partner.example answers `invalid_grant`"))
    #expect(!failure.message.contains("T0K-of-ann"))
  }
}
