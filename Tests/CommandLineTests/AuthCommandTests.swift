// `postkit auth`: tokens are got, shown, kept and given back by hand.

import PostKitJSON
import PostKitTestSupport
import Testing

@Suite struct AuthCommandTests {
  private static let environment = """
    {"$shared": {}, "dev": {"Security": {"Auth": {
      "shop": {"Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "$URL/token",
        "Revoke URL": "$URL/revoke", "Client ID": "cli", "Client Secret": "planted-secret",
        "Scope": "read"},
      "people": {"Type": "OAuth2", "Grant Type": "Authorization Code", "Auth URL": "$URL/auth",
        "Token URL": "$URL/token", "Client ID": "cli"},
      "half": {"Type": "OAuth2", "Grant Type": "Client Credentials", "Client ID": "cli"},
      "away": {"Type": "OAuth2", "Grant Type": "Client Credentials", "Client ID": "cli",
        "Client Secret": "s", "Token URL": "http://127.0.0.1:1/token"},
      "refused": {"Type": "OAuth2", "Grant Type": "Client Credentials", "Client ID": "cli",
        "Client Secret": "s", "Token URL": "$URL/refuse", "Client Credentials": "basic"}
    }}}, "other": {}}
    """

  private static let file = "GET $URL/me\nAuthorization: Bearer {{$auth.token(\"shop\")}}\n"

  private func bench(_ file: String = file) throws -> Bench {
    let json = ["Content-Type: application/json"]
    return try Bench(["a.http": file, "http-client.env.json": Self.environment]) { request in
      switch request.target {
      case "/token":
        [
          .response(
            headers: json,
            body: #"{"access_token": "planted-token", "expires_in": 3600, "token_type": "Bearer"}"#)
        ]
      case "/refuse":
        [
          .response(
            "400 Bad Request", headers: json,
            body: #"{"error": "invalid_scope", "error_description": "no such scope"}"#)
        ]
      case "/revoke": [.response(body: "")]
      default: [.response(headers: json, body: #"{"ok": true}"#)]
      }
    }
  }

  private func targets(_ bench: Bench) -> [String] { bench.server.requests.map(\.target) }

  @Test func `a token is printed alone, kept, used by requests, and given back`() async throws {
    let bench = try bench()
    for _ in 0..<2 {
      let token = try await bench.postkit("auth", "token", "a.http", "--id", "shop", "-e", "dev")
      #expect(token.status == 0, "\(token.errorOutput)")
      #expect(token.output == "planted-token\n")
    }
    #expect(try await bench.postkit("run", "a.http", "-e", "dev").status == 0)
    #expect(targets(bench) == ["/token", "/me"])
    #expect(bench.server.requests.last?.values("Authorization") == ["Bearer planted-token"])
    let status = try await bench.postkit("auth", "status", "a.http", "-e", "dev")
    let shop = try #require(status.output.split(separator: "\n").first { $0.contains("  shop  ") })
    #expect(shop.contains("valid for ") && shop.contains(" min, scope read, in /"), "\(shop)")
    let logout = try await bench.postkit("auth", "logout", "a.http", "--id", "shop", "-e", "dev")
    #expect(logout.status == 0 && logout.output == "Signed out of `shop`.\n")
    #expect(targets(bench).last == "/revoke")
    let again = try await bench.postkit("auth", "logout", "a.http", "--id", "shop", "-e", "dev")
    #expect(again.status == 0 && again.output == "No token was kept.\n")
    #expect(targets(bench).filter { $0 == "/revoke" }.count == 1)
    _ = try await bench.postkit("auth", "token", "a.http", "--id", "shop", "-e", "dev")
    #expect(targets(bench).last == "/token")
  }

  @Test func `the requests for tokens are in the history with their secrets masked`() async throws {
    let bench = try bench()
    _ = try await bench.postkit("auth", "token", "a.http", "--id", "shop", "-e", "dev")
    #expect(try await bench.history().isEmpty)
    #expect(try await bench.history("--purpose", "token").count == 1)
    #expect(try await bench.postkit("auth", "logout", "a.http", "-e", "dev").status == 0)
    let bytes = try Bench.bytes(below: bench.store)
    let kept = String(decoding: bytes, as: UTF8.self)
    #expect(!kept.contains("planted-token") && !kept.contains("planted-secret"))
  }

  @Test func `the state of each sign-in is a JSON object`() async throws {
    let bench = try bench()
    _ = try await bench.postkit("auth", "login", "a.http", "--id", "shop", "-e", "dev")
    let result = try await bench.postkit("auth", "status", "a.http", "-e", "dev", "--json")
    #expect(result.status == 0)
    let rows = try Bench.json(result.output).elements
    #expect(rows.compactMap { $0["id"]?.string } == ["away", "half", "people", "refused", "shop"])
    let states = rows.compactMap { $0["state"]?.string }
    #expect(states == ["none", "none", "login-needed", "none", "valid"])
    let shop = try #require(rows.last)
    #expect(shop["grant"]?.string == "clientCredentials" && shop["environment"]?.string == "dev")
    #expect(shop["file"]?.string == "http-client.env.json" && shop["scope"]?.string == "read")
    #expect(shop["refreshable"] == .bool(false) && shop["subject"] == .null)
    #expect(shop["expires"]?.string?.hasSuffix("Z") == true && shop["key"]?.string?.count == 64)
    #expect(!result.output.contains("planted"))
    // Without a file it is about the folder, in all environments.
    let folder = try await bench.postkit("auth", "status", "--json")
    let found = try Bench.json(folder.output).elements.filter { $0["state"]?.string == "valid" }
    #expect(found.compactMap { $0["environment"]?.string } == ["dev"])
  }

  @Test(arguments: [
    (["token", "a.http", "--id", "shpo", "-e", "dev"], 2, "Did you mean `shop`?"),
    (["login", "a.http", "--id", "shop", "-e", "nowhere"], 2, "nowhere"),
    (["login", "a.http", "-e", "dev"], 2, "Choose one with --id: `away`, `half`"),
    (["token", "a.http", "--id", "half", "-e", "dev"], 3, "`Token URL`"),
    (["token", "a.http", "--id", "away", "-e", "dev"], 4, "127.0.0.1:1"),
    (["token", "a.http", "--id", "refused", "-e", "dev"], 1, "no such scope"),
    (["token", "a.http", "--id", "people", "-e", "dev"], 3, "auth login a.http --id people"),
    (["login", "a.http", "--id", "people", "-e", "dev"], 3, "where `CI` is set nobody is asked"),
    (["logout", "a.http", "--id", "shpo", "-e", "dev"], 2, "`shpo`"),
    (["token", "missing.http", "--id", "shop"], 2, "missing.http"),
    ([], 2, "status, login, token, logout, decode"), (["nope"], 2, "status, login, token"),
    (["login"], 2, "name one request file"), (["login", "a.http", "b.http"], 2, "name one"),
    (["token", "a.http"], 2, "--id ID"), (["token", "a.http", "--id", ""], 2, "is empty"),
    (["status", "--force"], 2, "`auth status` has no option `--force`"),
    (["logout", "--all", "--env", "dev"], 2, "leave out `--env`"),
  ])
  func `what can't be done says why, and what to do`(
    words: [String], status: Int32, sentence: String
  ) async throws {
    let bench = try bench()
    let result = try await bench.postkit(["auth"] + words, environment: ["CI": "true"])
    #expect(result.status == status, "\(result.errorOutput)")
    #expect(result.errorOutput.contains(sentence), "\(result.errorOutput)")
    #expect(result.output == "")
  }

  @Test func `a sign-in of a header has the name of its prefix`() async throws {
    let bench = try bench(
      """
      @api_tokenEndpoint = $URL/token
      @api_clientId = cli
      @api_clientSecret = planted-secret
      GET $URL/me
      Authorization: oauth2 client_credentials api

      """)
    let token = try await bench.postkit("auth", "token", "a.http", "--id", "api")
    #expect(token.status == 0 && token.output == "planted-token\n", "\(token.errorOutput)")
    #expect(try await bench.postkit("run", "a.http").status == 0)
    #expect(targets(bench) == ["/token", "/me"])
  }

  @Test func `a token that was handed in is not asked for`() async throws {
    let bench = try bench()
    let result = try await bench.postkit(
      "auth", "token", "a.http", "--id", "shop", "-e", "dev",
      environment: ["POSTKIT_TOKEN_SHOP": "handed"])
    #expect(result.output == "handed\n" && bench.server.requests.isEmpty)
  }

  @Test func `where tokens can't be given back they are forgotten all the same`() async throws {
    let bench = try bench()
    _ = try await bench.postkit("auth", "token", "a.http", "--id", "shop", "-e", "dev")
    try bench.write(
      "http-client.env.json",
      Self.environment.replacing("$URL/revoke", with: "http://127.0.0.1:1/revoke"))
    let result = try await bench.postkit("auth", "logout", "-e", "dev")
    #expect(result.status == 0 && result.output == "Signed out of `shop`.\n")
    #expect(result.errorOutput.contains("is forgotten here, but not at the provider"))
    let status = try await bench.postkit("auth", "status", "--json", "-e", "dev")
    #expect(!status.output.contains("\"valid\""))
  }

  @Test func `who forgets the whole history forgets the tokens`() async throws {
    let bench = try bench()
    _ = try await bench.postkit("auth", "token", "a.http", "--id", "shop", "-e", "dev")
    #expect(try await bench.postkit("history", "forget", "--all").status == 0)
    let bytes = try Bench.bytes(below: bench.store)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("planted"))
    _ = try await bench.postkit("auth", "token", "a.http", "--id", "shop", "-e", "dev")
    #expect(targets(bench) == ["/token", "/token"])
  }
}
