// Grants that take one request, and the refresh.

import PostKitAuth
import PostKitHTTP
import Testing

@Suite("Grants of one request")
struct TokenGrantTests {
  @Test("Client credentials go into the body where that is written (AU-9, AU-22)")
  func clientCredentials() throws {
    let steps = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.clientCredentials), PlanWorld.context()), PlanWorld.tokens)
    let request = try #require(steps.requests.first)
    #expect(steps.requests.count == 1)
    #expect(request.purpose == .token)
    #expect(request.method == "POST")
    #expect(request.url == "https://id.example/token")
    #expect(request.headers.first("Content-Type") == "application/x-www-form-urlencoded")
    #expect(!request.headers.contains("Authorization"))
    #expect(
      steps.bodies == [
        "grant_type=client_credentials&scope=orders%20read&client_id=cli&client_secret=s3cret"
      ])
    #expect(request.parameterNames == ["grant_type", "scope", "client_id", "client_secret"])
    let tokens = try PlanWorld.tokens(steps)
    #expect(tokens.accessToken == "T0K")
    #expect(tokens.scheme == "Bearer")
    #expect(tokens.expires == PlanWorld.now + 3_600_000)
    #expect(tokens.refreshToken == nil)
    #expect(tokens.scope == "orders read")
  }

  @Test("A password goes in the order that httpYac has (AU-9, AU-23)")
  func password() throws {
    var shop = PlanWorld.shop(.password)
    shop.clientAuthentication = .basic
    shop.audiences = ["api"]
    shop.resources = ["https://a.example", "https://b.example"]
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
    #expect(
      steps.bodies == [
        "grant_type=password&scope=orders%20read&username=ann&password=pw-of-ann&audience=api"
          + "&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example"
      ])
    #expect(steps.requests[0].headers.first("Authorization") == "Basic Y2xpOnMzY3JldA==")
    #expect(try PlanWorld.tokens(steps).refreshToken == "R1")
  }

  @Test("Parameters of the author come last, or stand in for those of their name (AU-9)")
  func customParameters() {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.parameters = [
      AuthParameter(name: "audience", values: ["x", "y"], use: .token),
      AuthParameter(name: "prompt", values: ["login"], use: .authorization),
      AuthParameter(name: "scope", values: ["all"]),
      AuthParameter(name: "empty", values: [""]),
    ]
    shop.headers = [AuthParameter(name: "X-Tenant", values: ["7"])]
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), PlanWorld.tokens)
    #expect(
      steps.bodies == [
        "grant_type=client_credentials&scope=all&client_id=cli&client_secret=s3cret"
          + "&audience=x&audience=y"
      ])
    #expect(steps.requests[0].headers.first("X-Tenant") == "7")
  }

  @Test("A parameter that belongs to the sign-in is refused", arguments: ["client_secret", "state"])
  func reserved(_ name: String) throws {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.parameters = [AuthParameter(name: name, values: ["x"])]
    let failure = try PlanWorld.failure(PlanWorld.steps(GrantPlan(shop, PlanWorld.context())))
    #expect(failure.code == .authParameterReserved)
  }

  @Test("What is missing is said at once, and nothing is sent (AU-5)")
  func incomplete() throws {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.tokenURL = nil
    shop.clientID = ""
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()))
    let failure = try PlanWorld.failure(steps)
    #expect(steps.count == 1)
    #expect(failure.code == .authIncomplete)
    #expect(
      failure.message
        == "`shop` needs `Token URL` and `Client ID` for the grant Client Credentials. "
        + "Add them to http-client.env.json.")
  }

  @Test("An endpoint has to be a web address (AU-7)", arguments: ["id.example/token", "ftp://a/b"])
  func noWebAddress(_ url: String) throws {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.tokenURL = url
    let failure = try PlanWorld.failure(PlanWorld.steps(GrantPlan(shop, PlanWorld.context())))
    #expect(failure.code == .authIncomplete)
  }

  @Test("Where nobody says how, the body is tried and then Basic, and what worked stays (AU-21)")
  func twoWays() throws {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.clientAuthentication = nil
    let refused = PlanWorld.json(#"{"error": "invalid_client"}"#, status: 401)
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), refused, PlanWorld.tokens)
    #expect(steps.bodies[1] == "grant_type=client_credentials&scope=orders%20read")
    #expect(steps.requests[1].headers.first("Authorization") == "Basic Y2xpOnMzY3JldA==")
    #expect(try PlanWorld.tokens(steps).clientAuthentication == .basic)

    let failed = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), refused, refused)
    #expect(failed.requests.count == 2)
    let failure = try PlanWorld.failure(failed)
    #expect(failure.code.rawValue == "auth-invalid_client")
    #expect(failure.message.contains("both were tried"))

    var kept = TokenSet(accessToken: "old", acquired: 0)
    kept.clientAuthentication = .basic
    let again = PlanWorld.steps(
      GrantPlan(shop, kept: kept, PlanWorld.context()), PlanWorld.tokens)
    #expect(again.requests.count == 1)
    #expect(again.requests[0].headers.contains("Authorization"))
  }

  @Test("Basic is encoded where it has to be, and tried as it is afterwards (AU-10)")
  func basicForms() {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.clientAuthentication = .basic
    shop.clientSecret = "a b:ü"
    let refused = PlanWorld.json(#"{"error": "invalid_client"}"#, status: 401)
    let steps = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()), refused, refused, PlanWorld.tokens)
    #expect(
      steps.requests.map { $0.headers.first("Authorization") } == [
        "Basic " + Base64.encode("cli:a%20b%3A%C3%BC"), "Basic " + Base64.encode("cli:a b:ü"),
      ])
  }

  @Test("A client without a secret names its id alone")
  func publicClient() {
    var shop = PlanWorld.shop(.password)
    shop.clientAuthentication = nil
    shop.clientSecret = nil
    let refused = PlanWorld.json(#"{"error": "invalid_client"}"#, status: 401)
    let steps = PlanWorld.steps(GrantPlan(shop, PlanWorld.context()), refused, PlanWorld.tokens)
    #expect(steps.requests.count == 1)
    #expect(steps.bodies[0].hasSuffix("&client_id=cli"))
  }

  @Test("Tokens that are written in a file take no request")
  func mock() throws {
    let tokens = try PlanWorld.tokens(
      PlanWorld.steps(GrantPlan(PlanWorld.shop(.mock), PlanWorld.context(hasPerson: false))))
    #expect(tokens.accessToken == "T")
    #expect(tokens.idToken == "I")
  }

  // MARK: - Refresh

  private var kept: TokenSet {
    var kept = TokenSet(accessToken: "old", acquired: 0)
    kept.refreshToken = "R0"
    kept.idToken = "I0"
    kept.scope = "orders"
    return kept
  }

  @Test("What is kept is renewed without a person and without a scope (AU-43)")
  func refresh() throws {
    let plan = GrantPlan(
      PlanWorld.shop(.authorizationCode), kept: kept, PlanWorld.context(hasPerson: false))
    let steps = PlanWorld.steps(plan, PlanWorld.json(#"{"access_token": "NEW"}"#))
    #expect(
      steps.bodies == [
        "grant_type=refresh_token&refresh_token=R0&client_id=cli&client_secret=s3cret"
      ])
    let tokens = try PlanWorld.tokens(steps)
    #expect(tokens.accessToken == "NEW")
    #expect(tokens.refreshToken == "R0")
    #expect(tokens.idToken == "I0")
    #expect(tokens.scope == "orders")
    let rotated = PlanWorld.steps(plan, PlanWorld.tokens)
    #expect(try PlanWorld.tokens(rotated).refreshToken == "R1")
  }

  @Test("A sign-in that has ended begins anew where it can, and is forgotten where not (AU-43)")
  func refreshRefused() throws {
    let ended = PlanWorld.json(#"{"error": "invalid_grant"}"#, status: 400)
    let again = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.password), kept: kept, PlanWorld.context()), ended,
      PlanWorld.tokens)
    #expect(again.bodies.count == 2)
    #expect(again.bodies[1].hasPrefix("grant_type=password"))
    #expect(try PlanWorld.tokens(again).refreshToken == "R1")

    let plan = GrantPlan(
      PlanWorld.shop(.authorizationCode), kept: kept, PlanWorld.context(hasPerson: false))
    let failure = try PlanWorld.failure(PlanWorld.steps(plan, ended))
    #expect(failure.code == .authLoginNeeded)
    #expect(failure.forgetsTokens)
    #expect(failure.message.hasSuffix("Run: postkit auth login api.http --id shop"))
  }

  @Test("A network that fails forgets nothing (AU-43)")
  func refreshUnreachable() throws {
    let plan = GrantPlan(PlanWorld.shop(.password), kept: kept, PlanWorld.context())
    let failure = try PlanWorld.failure(
      PlanWorld.steps(plan, .unreachable(Failure(.connection, "Nobody listens on port 443."))))
    #expect(failure.code == .connection)
    #expect(!failure.forgetsTokens)
    #expect(failure.message.contains("https://id.example/token"))
  }

  @Test("A refresh token that has ended, and one of client credentials, is not used")
  func refreshNotUsed() {
    var ended = kept
    ended.refreshExpires = PlanWorld.now
    let password = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.password), kept: ended, PlanWorld.context()), PlanWorld.tokens)
    #expect(password.bodies[0].hasPrefix("grant_type=password"))
    let client = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.clientCredentials), kept: kept, PlanWorld.context()),
      PlanWorld.tokens)
    #expect(client.bodies[0].hasPrefix("grant_type=client_credentials"))
  }

  @Test("What is not got by itself is only renewed (AU-3)")
  func acquiresNot() throws {
    var shop = PlanWorld.shop(.clientCredentials)
    shop.acquires = false
    let failure = try PlanWorld.failure(PlanWorld.steps(GrantPlan(shop, PlanWorld.context())))
    #expect(failure.code == .authLoginNeeded)
    shop.grant = .authorizationCode
    let renewed = PlanWorld.steps(
      GrantPlan(shop, kept: kept, PlanWorld.context()), PlanWorld.tokens)
    #expect(try PlanWorld.tokens(renewed).accessToken == "T0K")
  }
}
