// Runs that sign in: what goes over the wire, what is recorded, and what keeps requests from being
// sent (AU-2, AU-45, AU-48, AU-51).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct TokenRunTests {
  /// A provider at `/token` whose tokens are `access-1`, `access-2` and so on; everything else
  /// answers `ok`, or what `answer` says.
  private func server(
    _ more: String = "", answer: @escaping @Sendable (StubRequest) -> [StubStep]? = { _ in nil }
  ) throws -> StubServer {
    let count = Monitor(0)
    return try StubServer { request in
      if let steps = answer(request) { return steps }
      guard request.target.hasPrefix("/token") else { return [.response(body: "ok")] }
      let number = count.update { count -> Int in
        count += 1
        return count
      }
      return [
        .response(
          headers: ["Content-Type: application/json", "Set-Cookie: provider=1"],
          body: #"{"access_token":"access-\#(number)","token_type":"Bearer","#
            + #""expires_in":3600\#(more)}"#)
      ]
    }
  }

  private func files(_ server: StubServer, _ more: String = "") -> [String: String] {
    [
      "http-client.private.env.json": """
        {"dev": {"Security": {"Auth": {"shop": {
          "Type": "OAuth2", "Grant Type": "Client Credentials", "Client Credentials": "in body",
          "Token URL": "\(server.url("/token"))", "Client ID": "cli", "Client Secret": "s3c"\(more)
        }}}}}
        """
    ]
  }

  private static let bearer = #"Authorization: Bearer {{$auth.token("shop")}}"#

  @Test func `a token request has nothing of the request that needs it`() async throws {
    let server = try server()
    let track = try Track(
      "GET \(server.url("/api"))\n\(Self.bearer)\nX-Own: 1\nCookie: a=1\n", files(server))
    let result = await track.run(environment: "dev")
    #expect(result.result.exitCode == 0)
    let sent = server.requests
    #expect(sent.map(\.target) == ["/token", "/api"])
    #expect(
      String(decoding: sent[0].body, as: UTF8.self)
        == "grant_type=client_credentials&client_id=cli&client_secret=s3c")
    #expect(sent[0].values("X-Own").isEmpty && sent[0].values("Cookie").isEmpty)
    #expect(sent[1].values("Authorization") == ["Bearer access-1"])
    #expect(sent[1].values("Cookie") == ["a=1"])
    #expect(result.result.outcomes.map(\.method) == ["GET"])
  }

  @Test func `a token request is an exchange of its own without its secrets`() async throws {
    let server = try server(#","refresh_token":"rt","id_token":"it""#)
    let track = try Track("GET \(server.url("/api"))\n\(Self.bearer)\n", files(server))
    let recorded = await track.run(environment: "dev").recorded
    #expect(recorded.map(\.purpose) == [.token, .request])
    let token = try #require(recorded.first)
    #expect(token.state == .done && token.response?.status == 200)
    let mask = SecretMask.text
    #expect(
      text(token.request.body)
        == "grant_type=client_credentials&client_id=cli&client_secret=\(mask)")
    #expect(
      text(token.response?.body ?? .empty) == """
        {"access_token":"\(mask)","token_type":"Bearer","expires_in":3600,\
        "refresh_token":"\(mask)","id_token":"\(mask)"}
        """)
    #expect(token.isRedacted)
    #expect(token.template.hasPrefix("POST \(server.url("/token"))\n"))
    for secret in ["s3c", "access-1", "rt\"", "it\""] {
      #expect(!token.template.contains(secret))
    }
    #expect(recorded.last?.request.headers.first("Authorization") == mask)
  }

  @Test func `requests that need one token ask for it once, beside each other too`()
    async throws
  {
    let server = try server()
    let text = (0..<6).map { "### \($0)\nGET \(server.url("/api/\($0)"))\n\(Self.bearer)\n\n" }
    for parallel in [1, 6] {
      let before = server.requests.count
      let track = try Track(text.joined(), files(server))
      let result = await track.run(environment: "dev") { $0.parallel = parallel }
      #expect(result.result.exitCode == 0)
      let sent = server.requests.dropFirst(before)
      #expect(sent.count == 7 && sent.count { $0.target == "/token" } == 1)
    }
  }

  @Test func `a kept token that is refused is got anew once, for methods that may be repeated`()
    async throws
  {
    for (request, tag, repeats) in [
      ("GET", "", true), ("PUT", "", true), ("POST", "", false),
      ("GET", "# @no-auth-retry\n", false),
    ] {
      let server = try server { request in
        guard request.target == "/two", request.values("Authorization") == ["Bearer access-1"]
        else { return nil }
        let challenge = #"WWW-Authenticate: Bearer realm="x", error="invalid_token""#
        return [.response("401 Unauthorized", headers: [challenge], body: "no")]
      }
      let track = try Track(
        "### one\nGET \(server.url("/one"))\n\(Self.bearer)\n\n"
          + "### two\n\(tag)\(request) \(server.url("/two"))\n\(Self.bearer)\n\nbody\n\n"
          + "### three\nGET \(server.url("/three"))\n\(Self.bearer)\n", files(server))
      let result = await track.run(environment: "dev")
      let two = try #require(result.recorded.last { $0.requestName == "two" })
      #expect(two.response?.status == (repeats ? 200 : 401))
      #expect(two.hops.map(\.status) == (repeats ? [401] : []))
      let targets = server.requests.map(\.target)
      #expect(
        targets == ["/token", "/one", "/two"] + (repeats ? ["/token", "/two"] : []) + ["/three"])
      let last = repeats ? "Bearer access-2" : "Bearer access-1"
      #expect(server.requests.last?.values("Authorization") == [last])
    }
  }

  @Test func `a token that was got for the request is not got again when it is refused`()
    async throws
  {
    let server = try server { request in
      guard request.target == "/api" else { return nil }
      let challenge = "WWW-Authenticate: Bearer error=invalid_token"
      return [.response("401 Unauthorized", headers: [challenge], body: "no")]
    }
    let track = try Track("GET \(server.url("/api"))\n\(Self.bearer)\n", files(server))
    let result = await track.run(environment: "dev")
    #expect(result.recorded.last?.response?.status == 401)
    #expect(server.requests.map(\.target) == ["/token", "/api"])
  }

  @Test func `a provider that refuses keeps the request from being sent`() async throws {
    let server = try server { request in
      request.target == "/token"
        ? [
          .response(
            "400 Bad Request", headers: ["Content-Type: application/json"],
            body: #"{"error":"invalid_scope","error_description":"no s3c here"}"#)
        ] : nil
    }
    let track = try Track("GET \(server.url("/api"))\n\(Self.bearer)\n", files(server))
    let result = await track.run(environment: "dev")
    let failure = try #require(result.result.outcomes.first?.failure)
    #expect(failure.code.rawValue == "auth-invalid_scope")
    #expect(failure.message.contains("shop"))
    #expect(result.result.exitCode == 3)
    #expect(server.requests.map(\.target) == ["/token"])
  }

  @Test func `a provider that can't be reached is named, and the exit code is that of the network`()
    async throws
  {
    let server = try server()
    let files = files(server)
    let address = server.url("/token")
    server.stop()
    let other = try self.server()
    let track = try Track("GET \(other.url("/api"))\n\(Self.bearer)\n", files)
    let result = await track.run(environment: "dev")
    let failure = try #require(result.result.outcomes.first?.failure)
    #expect(failure.code == .connection)
    #expect(failure.message.contains(address))
    #expect(result.result.exitCode == 4)
    #expect(other.requests.isEmpty)
  }

  @Test func `credentials don't follow a redirect to another server`() async throws {
    let far = try server()
    let near = try server { request in
      request.target == "/token"
        ? [.response("307 Moved", headers: ["Location: \(far.url("/token"))"])] : nil
    }
    let track = try Track("GET \(near.url("/api"))\n\(Self.bearer)\n", files(near))
    let result = await track.run(environment: "dev")
    #expect(result.result.outcomes.first?.failure?.code == .authEndpointRedirect)
    #expect(far.requests.isEmpty)
  }

  @Test func `a folder that is not trusted signs in nowhere`() async throws {
    let server = try server()
    let track = try Track("GET \(server.url("/api"))\n\(Self.bearer)\n", files(server))
    let result = await track.run(environment: "dev") {
      $0.workspace.outsideRefusal = "it lies outside"
    }
    let failure = try #require(result.result.outcomes.first?.failure)
    #expect(failure.code.rawValue == "auth-not-trusted")
    let origin = server.url("")
    #expect(failure.message.contains("wants to sign in at `\(origin)` as client `cli`"))
    #expect(server.requests.isEmpty)
  }

  @Test func `an ID token that proves nothing is sent with a warning`() async throws {
    let server = try server(#","id_token":"ID.TOKEN.X""#)
    let track = try Track(
      "GET \(server.url("/api"))\nX-ID: {{$auth.idToken(\"shop\")}}\n", files(server))
    let result = await track.run(environment: "dev")
    #expect(server.requests.last?.values("X-ID") == ["ID.TOKEN.X"])
    let warnings = result.events.flatMap { event -> [EvaluationProblem] in
      if case .warnings(let problems) = event { problems } else { [] }
    }
    #expect(warnings.contains { $0.code.rawValue == "auth-id-token" })
  }

  @Test func `requests beside each other that are refused get one new token`() async throws {
    let server = try server { request in
      guard request.target != "/one", request.values("Authorization") == ["Bearer access-1"]
      else { return nil }
      let challenge = "WWW-Authenticate: Bearer error=\"invalid_token\""
      return [.response("401 Unauthorized", headers: [challenge], body: "no")]
    }
    let warm = try Track("### one\nGET \(server.url("/one"))\n\(Self.bearer)\n", files(server))
    let broker = TokenBroker()
    let place = "dev"
    #expect(await warm.run(environment: place, tokens: broker).result.exitCode == 0)
    // The broker knows the token by the folder, so that the requests have to be in the same one.
    let text = (0..<4).map { "### r\($0)\nGET \(server.url("/r\($0)"))\n\(Self.bearer)\n\n" }
    let track = Track(directory: warm.directory, text: text.joined())
    let result = await track.run(environment: place, tokens: broker) { $0.parallel = 4 }
    #expect(result.result.exitCode == 0)
    #expect(result.recorded.allSatisfy { $0.response?.status == 200 })
    #expect(server.requests.count { $0.target == "/token" } == 2)
  }

  @Test func `what is checked after a response can name a token too`() async throws {
    let server = try server { request in
      request.target == "/api" ? [.response(body: "access-1")] : nil
    }
    let track = try Track(
      "### api\nGET \(server.url("/api"))\n\n?? body == {{$auth.token(\"shop\")}}\n", files(server))
    let result = await track.run(environment: "dev")
    #expect(result.result.outcomes.first?.tests.map(\.passed) == [true])
    #expect(server.requests.map(\.target) == ["/api", "/token"])
  }

  @Test func `scripts get tokens by their names, and errors with words`() async throws {
    let server = try server()
    let text = """
      ### api
      < {%
        client.log((await $auth.token("shop")).length);
        try { await $auth.token("shap") } catch (error) { client.log(error.message) }
      %}
      GET \(server.url("/api"))
      \(Self.bearer)

      """
    let track = try Track(text, files(server))
    let result = await track.run(environment: "dev", engine: ScriptCallTests.engine)
    let lines = result.result.outcomes.first?.output.map(\.text) ?? []
    #expect(lines.first == "8")
    #expect(lines.last?.contains("shap") == true && lines.last?.contains("shop") == true)
    #expect(server.requests.map(\.target) == ["/token", "/api"])
  }

  @Test func `challenges are read as servers write them`() {
    let refused = [
      #"Bearer error="invalid_token""#, "bearer error=invalid_token",
      #"Bearer realm="a", error="invalid_token", error_description="The token expired""#,
      #"Basic realm="b", Bearer error = "invalid_token""#,
    ]
    let others = [
      "Bearer", #"Bearer error="insufficient_scope""#, #"Basic realm="error=invalid_token""#,
    ]
    for text in refused {
      #expect(BearerChallenge.refusesToken(401, [("WWW-Authenticate", text)]), "\(text)")
    }
    for text in others {
      #expect(!BearerChallenge.refusesToken(401, [("WWW-Authenticate", text)]), "\(text)")
    }
    #expect(!BearerChallenge.refusesToken(403, [("WWW-Authenticate", refused[0])]))
  }

  private func text(_ body: BodyContent) -> String {
    String(decoding: StoredBody.whole(body), as: UTF8.self)
  }
}
