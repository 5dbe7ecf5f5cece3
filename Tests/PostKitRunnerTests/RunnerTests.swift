// Runs: what needs what, what is kept between requests, and what a redirect may carry.

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import PostKitTransport
import Testing

@testable import PostKitRunner

@Suite struct RunnerTests {
  /// Answers every request with its target; `/login` with a token and a cookie.
  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    switch request.target {
    case "/login":
      [
        .response(
          headers: ["Content-Type: application/json", "Set-Cookie: sid=1; Path=/"],
          body: #"{"token": "t-1"}"#)
      ]
    case "/fail": [.close]
    default: [.response(body: request.target)]
    }
  }

  @Test func `what a request needs is sent before it, once`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      """
      ### login
      # @name login
      POST \(server.url("/login"))

      ### first
      # @name first
      # @ref login
      GET \(server.url("/first"))
      Authorization: Bearer {{login.response.body.$.token}}

      ### last
      # @name last
      # @ref login
      # @ref first
      GET \(server.url("/last"))

      """)
    let run = await track.run("last")
    #expect(server.requests.map(\.target) == ["/login", "/first", "/last"])
    #expect(server.requests[1].values("Authorization") == ["Bearer t-1"])
    #expect(run.plan == ["login", "first", "last"])
    #expect(run.result.exitCode == 0)
    #expect(run.recorded.map(\.requestName) == ["login", "first", "last"])
    #expect(await track.run("login").plan == nil)
  }

  @Test func `a reference alone sends what it needs`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      """
      ### use
      # @name use
      GET \(server.url("/use"))?t={{login.response.body.$.token}}

      ### login
      # @name login
      GET \(server.url("/login"))

      """)
    _ = await track.run("use")
    #expect(server.requests.map(\.target) == ["/login", "/use?t=t-1"])
    let never = await track.run("use") { $0.autoRun = .never }
    #expect(never.result.firstFailure?.code == .unresolvedVariable)
    #expect(server.requests.count == 2)
    // `autoRun` of a project sends them where an editor would ask (PK-58).
    let unasked = await track.run("use") {
      $0.autoRun = .ask
      $0.dialect.neededRequests = .missing
    }
    #expect(unasked.result.firstFailure == nil)
    #expect(server.requests.map(\.target).suffix(2) == ["/login", "/use?t=t-1"])
  }

  @Test(
    "what an included file, an environment or the command line reads is sent first, and kept",
    arguments: [
      "POST TARGET\n\n<@ body.txt", "POST TARGET\nX-Token: {{fromEnvironment}}",
      "POST TARGET\nX-Token: {{given}}", "# @injectVariables\nPOST TARGET\n\n< body.txt",
      "# @ref login\nPOST TARGET\n\n<@ {{name}}.txt", "GRAPHQL TARGET\n\n{ a }\n\n<@ body.json",
    ])
  func readElsewhere(_ use: String) async throws {
    let server = try StubServer(RunnerTests.answer)
    let reference = "{{login.response.body.$.token}}"
    let track = try Track(
      "@name = body\n### use\n\(use.replacing("TARGET", with: server.url("/use")))\n\n"
        + "### login\n# @name login\nGET \(server.url("/login"))\n",
      [
        "body.txt": reference, "body.json": "{\"t\": \"\(reference)\"}",
        "http-client.env.json": "{\"dev\": {\"fromEnvironment\": \"\(reference)\"}}",
      ])
    let run = await track.run("use", environment: "dev") {
      $0.overrides = ["given": reference]
    }
    #expect(run.result.firstFailure == nil)
    #expect(server.requests.map(\.target) == ["/login", "/use"])
    let sent = try #require(server.requests.last)
    let whole = sent.values("X-Token").first ?? String(decoding: sent.body, as: UTF8.self)
    #expect(whole.contains("t-1") && !whole.contains("{{"))
  }

  @Test(arguments: [("txt", ["/use"]), ("json", ["/login", "/use"])])
  func `what a file says that is sent as it is has no other request sent`(
    _ ending: String, _ expected: [String]
  ) async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      "### use\nPOST \(server.url("/use"))\n\n< body.\(ending)\n\n"
        + "### login\n# @name login\nGET \(server.url("/login"))\n",
      ["body.\(ending)": "{{login.response.body.$.token}}"])
    let run = await track.run("use") { $0.dialect.fileBody = .substituteStructured }
    #expect(run.result.firstFailure == nil)
    #expect(server.requests.map(\.target) == expected)
  }

  @Test func `requests that need each other in a circle are not sent`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      """
      ### a
      # @name a
      # @ref b
      GET \(server.url("/a"))

      ### b
      # @name b
      # @ref a
      GET \(server.url("/b"))

      """)
    let run = await track.run("a")
    #expect(run.result.failure?.code == .includeCycle)
    #expect(run.result.failure?.message.contains("a needs b needs a") == true)
    #expect(run.result.exitCode == 3)
    #expect(server.connectionCount == 0)
  }

  @Test func `who needs a failed request is skipped, others go on`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      """
      ### fail
      # @name fail
      GET \(server.url("/fail"))

      ### needs
      # @ref fail
      GET \(server.url("/needs"))

      ### needs too
      # @name too
      GET \(server.url("/too"))?x={{fail.response.headers.X}}

      ### other
      GET \(server.url("/other"))

      """)
    let run = await track.run()
    #expect(server.requests.map(\.target) == ["/fail", "/other"])
    #expect(run.result.outcomes.map(\.exitCode) == [4, 3, 3, 0])
    #expect(run.result.exitCode == 3)
    #expect(run.result.firstFailure?.code == .connection)
    #expect(run.result.outcomes[1].failure?.message.contains("`fail`") == true)
    #expect(run.recorded.count == 2)
  }

  @Test func `cookies are kept within a run, not between runs`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      """
      ### login
      GET \(server.url("/login"))

      ### with
      GET \(server.url("/with"))

      ### without
      # @no-cookie-jar
      GET \(server.url("/without"))

      """)
    _ = await track.run()
    _ = await track.run()
    let cookies = server.requests.map { $0.values("Cookie") }
    #expect(cookies == [[], ["sid=1"], [], [], ["sid=1"], []])
  }

  @Test func `a definition after the response is there for what follows`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      """
      ### login
      # @name login
      GET \(server.url("/login"))

      @token = {{response.body.$.token}}

      ### use
      GET \(server.url("/use"))/{{token}}

      """)
    let run = await track.run()
    #expect(server.requests.map(\.target) == ["/login", "/use/t-1"])
    #expect(run.result.exitCode == 0)
  }

  @Test func `a tag defines a variable anew after each response, or none`() async throws {
    let server = try StubServer { request in
      let body = request.target == "/0" ? #"{"a": "old"}"# : "{}"
      return [.response(body: body)]
    }
    let track = try Track(
      """
      ### twice
      # @loop for 2
      # @env-json-key A a
      GET \(server.url("/")){{$index}}

      ### use
      GET \(server.url("/use"))/{{A}}

      """)
    let run = await track.run()
    #expect(server.requests.map(\.target) == ["/0", "/1"])
    #expect(run.result.firstFailure?.message.hasPrefix("`@env-json-key` gives `A` no value") == true)
    let warnings = run.events.flatMap { event in
      if case .warnings(let problems) = event { problems } else { [EvaluationProblem]() }
    }
    #expect(warnings.count == 1)
  }

  @Test func `a path in an imported file counts from that file`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track(
      "import ./lib/b.http\n\n### use\nGET \(server.url("/{{V}}"))\n",
      [
        "lib/b.http": "### other\n# @file-to-variable V v.txt\nGET http://t.test/\n",
        "lib/v.txt": "lib", "v.txt": "main",
      ])
    _ = await track.run("use")
    #expect(server.requests.map(\.target) == ["/lib"])
  }

  @Test func `what must not be logged is not recorded`() async throws {
    let server = try StubServer(RunnerTests.answer)
    let track = try Track("# @no-log\nGET \(server.url("/quiet"))\n")
    let run = await track.run()
    #expect(server.requests.count == 1)
    #expect(run.recorded.isEmpty)
    #expect(run.result.outcomes[0].exchange?.response?.status == 200)
  }

  @Test func `secrets don't follow a redirect to another origin`() async throws {
    let other = try StubServer(RunnerTests.answer)
    let address = other.url("/other")
    let server = try StubServer { request in
      request.target == "/away"
        ? [.response("307 Temporary Redirect", headers: ["Location: \(address)"])]
        : [.response("302 Found", headers: ["Location: /away"])]
    }
    let track = try Track(
      """
      GET \(server.url("/start"))
      Authorization: Bearer abcdefgh
      Cookie: a=b
      X-Key: {{key}}
      X-Plain: plain

      """,
      ["http-client.private.env.json": #"{"dev": {"key": "hush-hush"}}"#])
    let run = await track.run(environment: "dev")
    #expect(server.requests.map(\.target) == ["/start", "/away"])
    for request in server.requests {
      #expect(request.values("Authorization") == ["Bearer abcdefgh"])
      #expect(request.values("X-Key") == ["hush-hush"])
    }
    let arrived = try #require(other.requests.first)
    #expect(arrived.values("Authorization").isEmpty)
    #expect(arrived.values("X-Key").isEmpty)
    #expect(arrived.values("X-Plain") == ["plain"])
    #expect(arrived.values("Host") == ["127.0.0.1:\(other.port)"])
    let exchange = try #require(run.recorded.first)
    #expect(exchange.hops.map(\.status) == [302, 307])
    #expect(exchange.response?.status == 200)
    let shown = exchange.hops.flatMap { $0.request.headers.fields.map(\.value) }
    #expect(!shown.contains { $0.contains("hush-hush") || $0.contains("abcdefgh") })
  }

  @Test func `a credential that the server repeats is masked in what is recorded`() async throws {
    let server = try StubServer { request in
      [.response(body: request.values("Authorization").joined())]
    }
    let track = try Track("GET \(server.url())\nAuthorization: Bearer literal-token\n")
    let run = await track.run()
    #expect(run.recorded[0].response?.body == .bytes(Array("Bearer \(SecretMask.text)".utf8)))
    #expect(run.recorded[0].isRedacted)
    let received = run.result.outcomes[0].exchange?.response?.body
    #expect(received == .bytes(Array("Bearer literal-token".utf8)))
  }

  @Test func `the head of a response is told without secrets`() async throws {
    let server = try StubServer { request in
      let token = request.values("Authorization").joined()
      let key = request.values("X-Key").joined()
      return [.response(headers: ["X-A: \(token)", "X-B: \(key)", "Set-Cookie: sid=1"], body: "")]
    }
    let track = try Track(
      """
      # @secret key
      GET \(server.url())
      Authorization: Bearer literal-token
      X-Key: {{key}}

      """)
    let run = await track.run { $0.inputs["key"] = "hush-hush" }
    let heads = run.events.compactMap { event -> HeaderFields? in
      guard case .transfer(_, .receivedHead(_, let headers)) = event else { return nil }
      return headers
    }
    let head = try #require(heads.first)
    #expect(head.first("X-A") == "Bearer \(SecretMask.text)")
    #expect(head.first("X-B") == SecretMask.text)
    #expect(head.first("Set-Cookie") == SecretMask.text)
  }

  @Test(
    "a folder that is not trusted sends no file from outside",
    arguments: [("", "< FILE"), ("", "<@ FILE"), ("# @file-to-variable V FILE\n", "{{V}}")])
  func outside(_ tag: String, _ body: String) async throws {
    let server = try StubServer(RunnerTests.answer)
    let outside = try TemporaryDirectory()
    let secret = try outside.write("outside.txt", "canary")
    let text = "\(tag)POST \(server.url("/x"))\n\n\(body)\n"
    let track = try Track(text.replacing("FILE", with: secret))
    let refused = await track.run { $0.workspace.outsideRefusal = "it lies outside" }
    #expect(refused.result.firstFailure?.code == .fileNotFound)
    #expect(refused.result.firstFailure?.message.contains("not trusted") == true)
    #expect(server.requests.isEmpty)
    let sent = await track.run()
    #expect(sent.result.exitCode == 0)
    #expect(server.requests.map(\.body) == [Array("canary".utf8)])
  }

  @Test func `cancelling ends the request under way and sends no other`() async throws {
    // The server itself calls the run off: nothing depends on when a task gets its turn.
    let cancel = Monitor<(@Sendable () -> Void)?>(nil)
    let server = try StubServer { request in
      guard request.target == "/hang" else { return [.response()] }
      cancel.wait { $0 }()
      return [.waitForClose]
    }
    let track = try Track(
      "GET \(server.url("/hang"))\n\n### b\nGET \(server.url("/b"))\n")
    let task = Task {
      await track.run {
        // However long it hangs, it ends by being called off.
        $0.defaults.options.connectTimeoutMilliseconds = 3_600_000
        $0.defaults.options.inactivityTimeoutMilliseconds = 3_600_000
      }
    }
    cancel.update { $0 = { task.cancel() } }
    let run = await task.value
    #expect(run.result.outcomes.map(\.state) == [.cancelled])
    #expect(run.result.exitCode == 130)
    #expect(run.recorded.map(\.state) == [.cancelled])
    await server.waitForEndedConnections(1)
    #expect(server.requests.count == 1)
  }
}
