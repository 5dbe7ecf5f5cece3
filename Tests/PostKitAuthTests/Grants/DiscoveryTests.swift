// How missing endpoints are found, and what an issuer demands.

import PostKitAuth
import PostKitHTTP
import Testing

@Suite("Discovery")
struct DiscoveryTests {
  private func shop(_ grant: Grant = .clientCredentials) -> AuthConfiguration {
    var shop = PlanWorld.shop(grant)
    shop.issuer = "https://id.example/realm"
    shop.tokenURL = nil
    shop.authorizationURL = nil
    shop.deviceURL = nil
    return shop
  }

  private func document(_ more: String = "") -> GrantEvent {
    PlanWorld.json(
      """
      {"issuer": "https://id.example/realm", "token_endpoint": "https://id.example/found/token",
       "authorization_endpoint": "https://id.example/found/authorize"\(more)}
      """)
  }

  @Test("An issuer is asked for what is missing (AU-12)")
  func discovers() throws {
    let steps = PlanWorld.steps(
      GrantPlan(shop(), PlanWorld.context()), document(), PlanWorld.tokens)
    #expect(steps.requests[0].purpose == .discovery)
    #expect(steps.requests[0].method == "GET")
    #expect(
      steps.requests.map(\.url) == [
        "https://id.example/realm/.well-known/openid-configuration",
        "https://id.example/found/token",
      ])
    #expect(try PlanWorld.tokens(steps).accessToken == "T0K")
  }

  @Test("What is written stands above what is found, and nobody is asked where nothing is missing")
  func written() {
    var shop = shop()
    shop.tokenURL = "https://id.example/token"
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
    #expect(steps.requests.map(\.url) == ["https://id.example/token"])
  }

  @Test("Where OpenID Connect has no document, that of OAuth is read (RFC 8414, section 3)")
  func fallsBack() throws {
    let steps = PlanWorld.steps(
      GrantPlan(shop(), PlanWorld.context()), .reply(TokenReply(status: 404)), document(),
      PlanWorld.tokens)
    #expect(
      steps.requests[1].url
        == "https://id.example/.well-known/oauth-authorization-server/realm")
    #expect(try PlanWorld.tokens(steps).accessToken == "T0K")
    let none = PlanWorld.steps(
      GrantPlan(shop(), PlanWorld.context()), .reply(TokenReply(status: 404)),
      .reply(TokenReply(status: 404)))
    #expect(try PlanWorld.failure(none).code == .authAnswerUnreadable)
  }

  @Test("Another issuer than ours is none (AU-12)")
  func otherIssuer() throws {
    let other = PlanWorld.json(
      #"{"issuer": "https://id.example/realm/", "token_endpoint": "https://evil.example"}"#)
    let steps = PlanWorld.steps(GrantPlan(shop(), PlanWorld.context()), other)
    #expect(try PlanWorld.failure(steps).code == .authIssuerMismatch)
  }

  @Test("A document that can't be used says why", arguments: ["<html>", "[1]", "{}", "huge"])
  func unusable(_ text: String) throws {
    let body = text == "huge" ? String(repeating: " ", count: 65_537) : text
    let steps = PlanWorld.steps(GrantPlan(shop(), PlanWorld.context()), PlanWorld.json(body))
    let failure = try PlanWorld.failure(steps)
    #expect(failure.code == .authAnswerUnreadable)
    #expect(failure.message.contains("/.well-known/openid-configuration"))
  }

  @Test("What the issuer has not is missing")
  func stillMissing() throws {
    let steps = PlanWorld.steps(GrantPlan(shop(.deviceCode), PlanWorld.context()), document())
    let failure = try PlanWorld.failure(steps)
    #expect(failure.code == .authIncomplete)
    #expect(failure.message.contains("`Device Auth URL`"))
  }

  @Test("A client with a certificate uses the addresses for that (RFC 8705, section 5)")
  func aliases() {
    var shop = shop()
    shop.clientAuthentication = .tls
    shop.clientSecret = nil
    let alias = #", "mtls_endpoint_aliases": {"token_endpoint": "https://mtls.example/token"}"#
    let steps = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()), document(alias), PlanWorld.tokens)
    #expect(steps.requests[1].url == "https://mtls.example/token")
    #expect(steps.bodies[1].hasSuffix("&client_id=cli"))
  }

  @Test("Requests are pushed where the provider demands it (RFC 9126)")
  func pushed() throws {
    var shop = shop(.authorizationCode)
    shop.parameters = [AuthParameter(name: "prompt", values: ["login"], use: .authorization)]
    let demand = """
      , "require_pushed_authorization_requests": true,
       "pushed_authorization_request_endpoint": "https://id.example/par"
      """
    let steps = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()), document(demand),
      PlanWorld.json(#"{"request_uri": "urn:x:1", "expires_in": 60}"#, status: 201),
      PlanWorld.tokens)
    #expect(steps.requests[1].purpose == .pushedAuthorization)
    #expect(steps.requests[1].url == "https://id.example/par")
    #expect(steps.bodies[1].hasPrefix("response_type=code&client_id=cli&redirect_uri="))
    #expect(steps.bodies[1].hasSuffix("&client_secret=s3cret&prompt=login"))
    #expect(
      steps.visit?.url
        == "https://id.example/found/authorize?client_id=cli&request_uri=urn%3Ax%3A1")
    #expect(try PlanWorld.tokens(steps).accessToken == "T0K")
  }

  @Test("A provider that names itself in redirects always has to (RFC 9207)")
  func issuerRequired() throws {
    let says = #", "authorization_response_iss_parameter_supported": true"#
    let fields = [AuthField("state", PlanWorld.text), AuthField("code", "C0DE")]
    var plan = GrantPlan(shop(.authorizationCode), PlanWorld.context())
    _ = plan.next(.begin)
    _ = plan.next(document(says))
    _ = plan.next(.listening(redirectURI: "http://127.0.0.1:1/callback"))
    var named = plan
    guard case .failed(let failure) = plan.next(.redirected(fields)) else {
      Issue.record("A redirect without an issuer is used.")
      return
    }
    #expect(failure.code == .authIssuerMismatch)
    let issuer = AuthField("iss", "https://id.example/realm")
    guard case .request = named.next(.redirected(fields + [issuer])) else {
      Issue.record("A redirect of the issuer is not used.")
      return
    }
  }

  @Test("A refusal tells what the provider offers (AU-56)")
  func offers() throws {
    let steps = PlanWorld.steps(
      GrantPlan(shop(), PlanWorld.context()),
      document(#", "grant_types_supported": ["authorization_code", "refresh_token"]"#),
      PlanWorld.json(#"{"error": "unsupported_grant_type"}"#, status: 400))
    #expect(
      try PlanWorld.failure(steps).message.hasSuffix(
        "The provider does not allow the grant Client Credentials for this client; "
          + "it offers: authorization_code, refresh_token."))
  }
}
