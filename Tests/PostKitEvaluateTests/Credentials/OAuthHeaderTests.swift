// `Authorization: oauth2 …`: its words, its variables, and what is sent (section 4.2).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import Testing

@Suite struct OAuthHeaderTests {
  private static let variables = """
    @oauth2_tokenEndpoint = https://id.test/token
    @oauth2_authorizationEndpoint = https://id.test/auth
    @oauth2_deviceCodeEndpoint = https://id.test/device
    @oauth2_clientId = cli
    @oauth2_clientSecret = s3cret
    @oauth2_username = ann
    @oauth2_password = pw

    """

  private func lower(_ value: String, _ head: String = variables) -> LoweredRequest {
    Laboratory().lower("\(head)\nGET http://t.test/\nAuthorization: \(value)")
  }

  private func configuration(
    _ value: String, _ head: String = variables
  ) throws -> AuthConfiguration {
    let lowered = lower(value, head)
    #expect(lowered.problems == [])
    return try #require(lowered.needs.first?.token).configuration
  }

  @Test(
    "the words",
    arguments: [
      ("oauth2", "clientCredentials oauth2"), ("openid", "clientCredentials oauth2"),
      ("  OAuth2   client ", "clientCredentials oauth2"),
      ("oauth2 client_credentials shop", "clientCredentials shop"),
      ("oauth2 shop", "clientCredentials shop"), ("openid code", "authorizationCode oauth2"),
      ("oauth2 AUTHORIZATION_CODE shop", "authorizationCode shop"),
      ("oauth2 device_code", "deviceCode oauth2"), ("oauth2 device x", "deviceCode x"),
      ("oauth2 password", "password oauth2"), ("oauth2 implicit", "implicit oauth2"),
      ("oauth2 hybrid", "hybrid oauth2"),
      ("oauth2 password a token_exchange b", "password a > b"),
      ("oauth2 token_exchange b", "clientCredentials oauth2 > b"),
      ("oauth2 code token_exchange b", "authorizationCode oauth2 > b"),
      ("oauth2 token_exchange", "clientCredentials token_exchange"),
      ("oauth2 a b", ""), ("oauth2 code a b", ""), ("oauth2 {{token}}", ""), ("oauth", ""),
      ("Bearer x", ""), ("", ""), ("oauth2 code a token_exchange", ""),
    ])
  func words(_ text: String, _ expected: String) {
    let read = OAuthHeader(text).map { header in
      "\(header.grant) \(header.prefix)" + (header.exchangePrefix.map { " > \($0)" } ?? "")
    }
    #expect(read ?? "" == expected)
  }

  @Test(
    "another value is sent as it is",
    arguments: ["OAuth2 {{token}}", "oauth2 a b c", "OAuth2 x y"])
  func others(_ value: String) {
    let lowered = lower(value, "@token = t0k\n")
    let sent = value.replacing("{{token}}", with: "t0k")
    #expect(lowered.text == "GET http://t.test/\nAuthorization: \(sent)")
  }

  @Test func `the header has the scheme and the token`() {
    let text = "\(Self.variables)\nGET http://t.test/\nAuthorization: oauth2"
    let lowered = Laboratory().lowerWithTokens(text, scheme: "DPoP")
    #expect(lowered.text == "GET http://t.test/\nAuthorization: DPoP access-1")
    #expect(lowered.secrets.isSuperset(of: ["access-1", "refresh-1", "s3cret"]))
    #expect(lowered.session?["accessToken"] == "access-1")
    #expect(lowered.session?["refreshToken"] == "refresh-1")
    #expect(lowered.session?["expiresIn"] == 60)
    #expect(lowered.session?["idToken"] == .null)
  }

  @Test func `what is not written has httpYac's defaults`() throws {
    let client = try configuration("oauth2")
    #expect(client.id == "oauth2" && client.dialect == .header)
    #expect(client.tokenURL == "https://id.test/token" && client.clientID == "cli")
    #expect(client.clientSecret == "s3cret" && client.clientAuthentication == .basic)
    #expect(client.scope == nil)
    let code = try configuration("oauth2 code")
    #expect(code.scope == "openid" && code.pkce == .s256)
    #expect(code.redirectURI == "http://localhost:3000/callback")
    let password = try configuration("oauth2 password")
    #expect(password.username == "ann" && password.password == "pw" && password.scope == nil)
    let device = try configuration("oauth2 device")
    #expect(device.deviceURL == "https://id.test/device")
    #expect(device.clientAuthentication == ClientAuthentication.none)
  }

  @Test func `variables change them`() throws {
    let head =
      Self.variables + """
        @oauth2_useAuthorizationHeader = false
        @oauth2_usePkce = 0
        @oauth2_scope = a b
        @oauth2_redirectUri = http://localhost:9/cb
        @oauth2_serverPort = 4001
        @oauth2_responseType = code id_token
        @oauth2_responseMode = form_post
        @oauth2_audience = shop
        @oauth2_useDeviceCodeClientSecret = 1

        """
    let code = try configuration("oauth2 hybrid", head)
    #expect(code.clientAuthentication == .body && code.pkce == .off && code.scope == "a b")
    #expect(code.redirectURI == "http://localhost:9/cb" && code.listenPort == 4001)
    #expect(code.responseType == "code id_token" && code.responseMode == "form_post")
    #expect(code.audiences == ["shop"])
    #expect(try configuration("oauth2 device", head).clientAuthentication == .body)
  }

  @Test func `a prefix stands above the variables of all headers, then comes a member`() throws {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [
      (
        .publicFile,
        """
        {"dev": {"SHOP_CLIENTID": "folded", "shop": {"tokenEndpoint": "https://shop.test/t",
          "resource": ["urn:a", "urn:b"]}}}
        """
      )
    ]
    let lowered = laboratory.lower(
      "\(Self.variables)@shop_scope = mine\nGET http://t.test/\nAuthorization: oauth2 shop")
    let read = try #require(lowered.needs.first?.token).configuration
    #expect(read.id == "shop" && read.clientID == "folded" && read.scope == "mine")
    #expect(read.tokenURL == "https://shop.test/t")
    #expect(read.resources == ["urn:a", "urn:b"])
    #expect(read.clientSecret == "s3cret")
  }

  @Test func `a token is exchanged with a second configuration`() throws {
    let read = try configuration(
      "oauth2 password token_exchange other", Self.variables + "@other_clientId = second\n")
    #expect(read.grant == .password && read.clientID == "cli" && read.scope == nil)
    #expect(read.exchange.map(\.clientID) == ["second"])
    #expect(read.exchange.first?.tokenURL == "https://id.test/token")
  }

  @Test(
    "what is missing is said at once, with the names of variables",
    arguments: [
      (
        "oauth2 shop",
        "`shop` needs `shop_tokenEndpoint`, `shop_clientId` and `shop_clientSecret` for the grant "
          + "Client Credentials. Add them to the request file or its environment."
      ),
      (
        "oauth2 implicit",
        "`oauth2` needs `oauth2_authorizationEndpoint` and `oauth2_clientId` for the grant "
          + "Implicit. Add them to the request file or its environment."
      ),
    ])
  func missing(_ value: String, _ message: String) {
    let lowered = lower(value, "")
    #expect(lowered.failure?.code.rawValue == "auth-incomplete")
    #expect(lowered.failure?.message == message)
    #expect(lowered.spec == nil && lowered.needs.isEmpty)
  }

  @Test func `a variable without a value keeps the request from being sent`() {
    let lowered = lower("oauth2", Self.variables + "@oauth2_scope = {{nothing}}\n")
    #expect(lowered.failure?.code == .unresolvedVariable)
    #expect(lowered.needs.isEmpty)
  }

  @Test func `variables without an effect are told, and the request is sent`() {
    let text = Self.variables + "@oauth2_proxy = http://p.test\n\nGET http://t.test/"
      + "\nAuthorization: oauth2"
    let lowered = Laboratory().lowerWithTokens(text)
    #expect(lowered.spec != nil)
    #expect(lowered.problems.map(\.severity) == [.warning])
    #expect(lowered.problems.first?.message.hasPrefix("`oauth2_proxy` has no effect.") == true)
  }

  @Test func `a token that was handed in needs no variables`() {
    var laboratory = Laboratory()
    laboratory.overrides = ["auth.shop": "given"]
    let lowered = laboratory.lower("GET http://t.test/\nAuthorization: oauth2 shop")
    #expect(lowered.text == "GET http://t.test/\nAuthorization: Bearer given")
  }
}
