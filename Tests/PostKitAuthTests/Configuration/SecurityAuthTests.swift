// Clients of `Security.Auth`: which keys there are, and what configurations they become.

import PostKitAuth
import PostKitHTTP
import PostKitJSON
import Testing

@Suite struct SecurityAuthTests {
  private func read(_ json: String) throws -> AuthConfiguration {
    guard case .object(let members) = try JSONTree(parsing: Array(json.utf8)).root.value else {
      throw AuthFailure(.internal, "no object")
    }
    return try AuthConfiguration(
      id: "shop", file: "http-client.env.json",
      fields: members.map { SecurityAuthField($0.key, $0.value) })
  }

  private func failure(_ json: String) -> AuthFailure? {
    do { _ = try read(json) } catch { return error as? AuthFailure }
    return nil
  }

  @Test(
    "grants in all their spellings",
    arguments: [
      ("Authorization Code", .authorizationCode), ("authorization_code", .authorizationCode),
      ("code", .authorizationCode), ("CLIENT CREDENTIALS", .clientCredentials),
      ("client_credentials", .clientCredentials), ("ClientCredentials", .clientCredentials),
      ("Device Authorization", .deviceCode), ("device_code", .deviceCode),
      ("urn:ietf:params:oauth:grant-type:device_code", .deviceCode), ("Implicit", .implicit),
      ("Password", .password), ("hybrid", .hybrid), ("JWT Bearer", .jwtBearer),
      ("urn:ietf:params:oauth:grant-type:jwt-bearer", .jwtBearer), ("mock", nil), ("", nil),
      ("Passwort", nil),
    ] as [(String, Grant?)])
  func grants(_ words: String, _ expected: Grant?) { #expect(Grant(words: words) == expected) }

  @Test(
    "ways of proving who a client is",
    arguments: [
      ("in body", .body), ("In Body", .body), ("client_secret_post", .body), ("basic", .basic),
      ("none", ClientAuthentication.none), ("private_key_jwt", .privateKeyJWT),
      ("client_secret_jwt", .secretJWT), ("tls_client_auth", .tls), ("jwt", nil), ("x", nil),
    ] as [(String, ClientAuthentication?)])
  func ways(_ words: String, _ expected: ClientAuthentication?) {
    #expect(ClientAuthentication(words: words) == expected)
  }

  @Test func `each word that can be chosen is read, and each key has a sentence`() {
    for key in SecurityAuthKey.all {
      #expect(key.documentation.hasSuffix("."), "\(key.name)")
      #expect(SecurityAuthKey.named(key.name.uppercased()) == key)
    }
    let names = SecurityAuthKey.all.map { $0.name.lowercased() }
    #expect(Set(names).count == names.count)
    for word in SecurityAuthKey.named("Grant Type")?.value.words ?? [] {
      #expect(Grant(words: word)?.title == word)
    }
    for word in ClientAuthentication.words where word != "jwt" {
      #expect(ClientAuthentication(words: word) != nil, "\(word)")
    }
  }

  @Test func `all that a grant needs can be written with keys that it uses`() {
    for grant in Grant.allCases {
      for field in RequiredField.fields(of: grant) {
        let key = SecurityAuthKey.named(field.key)
        #expect(key?.isUsed(by: grant) == true, "\(grant) \(field.key)")
      }
    }
  }

  @Test func `every field has its place`() throws {
    let read = try read(
      """
      {"Type": "OAuth2", "Grant Type": "Authorization Code", "Auth URL": "https://id.test/auth",
       "token url": "https://id.test/token", "Client ID": "cli", "Client Secret": "s",
       "Client Credentials": "basic", "Scope": "a b", "Redirect URL": "app://cb",
       "PKCE": {"Code Challenge Method": "Plain", "code verifier": "v"}, "State": "x",
       "Response Type": "code", "Acquire Automatically": false, "Use ID Token": "true",
       "Expires In": 60, "Revoke URL": "https://id.test/revoke"}
      """)
    #expect(read.grant == .authorizationCode)
    #expect(read.authorizationURL == "https://id.test/auth")
    #expect(read.tokenURL == "https://id.test/token")
    #expect(read.revocationURL == "https://id.test/revoke")
    #expect(read.clientID == "cli" && read.clientSecret == "s")
    #expect(read.clientAuthentication == .basic)
    #expect(read.scope == "a b" && read.redirectURI == "app://cb" && read.statePrefix == "x")
    #expect(read.pkce == .plain && read.codeVerifier == "v" && read.responseType == "code")
    #expect(!read.acquires && read.usesIDToken && read.lifetime == 60)
  }

  @Test(
    "PKCE is on unless it is switched off",
    arguments: [
      ("true", .s256), ("false", .off), ("\"false\"", .off), ("{}", .s256), ("null", .s256),
      ("{\"Code Challenge Method\": \"SHA-256\"}", .s256),
    ] as [(String, PKCE)])
  func pkce(_ value: String, _ expected: PKCE) throws {
    let read = try read("{\"Grant Type\": \"code\", \"PKCE\": \(value)}")
    #expect(read.pkce == expected)
  }

  @Test func `an exact key stands above one that differs in case`() throws {
    let read = try read(
      "{\"Grant Type\": \"password\", \"Client ID\": \"exact\", \"client id\": \"other\"}")
    #expect(read.clientID == "exact")
  }

  @Test func `custom parameters keep order, lists and requests`() throws {
    let read = try read(
      """
      {"Grant Type": "Client Credentials", "Custom Request Parameters": {
        "audience": {"Value": "https://shop.test/", "Use": "In Token Request"},
        "prompt": {"Value": "login", "Use": "In Auth Request"},
        "resource": ["urn:a", {"Value": "urn:b", "use": "everywhere"}, {"Value": ["c", "d"],
          "Use": "In Token Request"}], "n": 1, "none": null},
       "Custom Headers": {"X-A": "1"}}
      """)
    #expect(
      read.parameters == [
        AuthParameter(name: "audience", values: ["https://shop.test/"], use: .token),
        AuthParameter(name: "prompt", values: ["login"], use: .authorization),
        AuthParameter(name: "resource", values: ["urn:a", "urn:b"]),
        AuthParameter(name: "resource", values: ["c", "d"], use: .token),
        AuthParameter(name: "n", values: ["1"]),
      ])
    #expect(read.headers == [AuthParameter(name: "X-A", values: ["1"])])
  }

  @Test func `a mock has its tokens and needs no grant`() throws {
    let read = try read("{\"Type\": \"mock\", \"Token\": \"t\", \"ID Token\": \"i\"}")
    #expect(read.grant == .mock)
    #expect(read.mock == MockTokens(token: "t", idToken: "i"))
    #expect(read.incomplete() == nil)
  }

  @Test func `kulala's word makes the grant JWT Bearer`() throws {
    let read = try read(
      """
      {"Grant Type": "Client Credentials", "Client Credentials": "jwt", "private_key": "PEM",
       "JWT": {"header": {"alg": "ES256"}, "payload": {"sub": "a"}}}
      """)
    #expect(read.grant == .jwtBearer)
    #expect(read.clientAuthentication == nil)
    #expect(read.assertion.header == "{\"alg\":\"ES256\"}")
    #expect(read.assertion.claims == "{\"sub\":\"a\"}")
    #expect(read.assertion.privateKey == "PEM")
  }

  @Test(
    "what keeps a client from being used",
    arguments: [
      ("{}", "auth-incomplete"), ("{\"Grant Type\": \"magic\"}", "auth-grant-unknown"),
      ("{\"Grant Type\": \"Mock\"}", "auth-grant-unknown"),
      ("{\"Grant Type\": \"password\", \"Token URL\": \"id.test/token\"}", "auth-incomplete"),
      ("{\"Grant Type\": \"password\", \"Token URL\": \"https://\"}", "auth-incomplete"),
      ("{\"Grant Type\": \"password\", \"Token URL\": \"file:///etc\"}", "auth-incomplete"),
      (
        "{\"Grant Type\": \"password\", \"Custom Request Parameters\": {\"client_secret\": \"x\"}}",
        "auth-parameter-reserved"
      ),
      (
        "{\"Grant Type\": \"code\", \"Custom Request Parameters\": {\"state\": [\"x\"]}}",
        "auth-parameter-reserved"
      ),
    ])
  func mistakes(_ json: String, _ code: String) {
    #expect(failure(json)?.code.rawValue == code)
  }

  @Test(
    "what is missing is said at once",
    arguments: [
      (
        "{\"Grant Type\": \"Client Credentials\"}",
        "`shop` needs `Token URL`, `Client ID` and `Client Secret` for the grant Client "
          + "Credentials. Add them to http-client.env.json."
      ),
      (
        "{\"Grant Type\": \"code\", \"Token URL\": \"https://t\", \"Client ID\": \"\"}",
        "`shop` needs `Auth URL` and `Client ID` for the grant Authorization Code. "
          + "Add them to http-client.env.json."
      ),
      (
        "{\"Grant Type\": \"device\", \"Issuer\": \"https://t\"}",
        "`shop` needs `Client ID` for the grant Device Authorization. "
          + "Add it to http-client.env.json."
      ),
      (
        "{\"Grant Type\": \"password\", \"Token URL\": \"https://t\", \"Client ID\": \"c\"}",
        "`shop` needs `Username` and `Password` for the grant Password. "
          + "Add them to http-client.env.json."
      ),
    ])
  func missing(_ json: String, _ sentence: String) throws {
    #expect(try read(json).incomplete()?.message == sentence)
  }

  @Test(
    "a secret is needed only where it proves something",
    arguments: [("none", true), ("tls_client_auth", true), ("basic", false), ("in body", false)])
  func secrets(_ way: String, _ isComplete: Bool) throws {
    let read = try read(
      """
      {"Grant Type": "Client Credentials", "Token URL": "https://t", "Client ID": "c",
       "Client Credentials": "\(way)"}
      """)
    #expect((read.incomplete() == nil) == isComplete)
  }

  @Test func `after discovery endpoints are missing again`() throws {
    let read = try read(
      "{\"Grant Type\": \"implicit\", \"Issuer\": \"https://t\", \"Client ID\": \"c\"}")
    #expect(read.incomplete() == nil)
    #expect(read.missingFields(afterDiscovery: true).map(\.key) == ["Auth URL"])
  }
}
