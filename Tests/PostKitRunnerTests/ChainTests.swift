// Runs of several files: imports, `run` lines, shared blocks, and what becomes of a broken chain.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitRunner

/// Answers with the target, `/login` with a token, `/items` with a list; `/fail` with nothing.
@Sendable private func answer(_ request: StubRequest) -> [StubStep] {
  let json = ["Content-Type: application/json"]
  switch request.target {
  case "/login": return [.response(headers: json, body: #"{"token": "t-1"}"#)]
  case "/items": return [.response(headers: json, body: #"{"list": [{"id": 7}, {"id": 8}]}"#)]
  case "/fail": return [.close]
  default: return [.response(headers: json, body: #"{"at": "\#(request.target)"}"#)]
  }
}

@Suite struct ChainTests {
  @Test func `an imported file lends its requests and variables`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      import ./lib/auth.http
      @who = main

      ### use
      # @ref login
      GET {{base}}/use?who={{who}}&t={{login.response.body.$.token}}

      """,
      [
        "lib/auth.http": """
          import base.http
          @who = library

          ### login
          POST {{base}}/login

          < body.txt
          """,
        "lib/base.http": "@base = \(server.url(""))\n",
        "lib/body.txt": "beside its own file",
      ])
    let run = await track.run("use")
    #expect(server.requests.map(\.target) == ["/login", "/use?who=main&t=t-1"])
    #expect(server.requests.first?.body == Array("beside its own file".utf8))
    #expect(run.result.exitCode == 0)
    #expect(run.plan == ["login", "use"])
    #expect(run.recorded.map(\.file) == [track.directory.path("lib/auth.http"),
      track.directory.path("a.http")])
  }

  @Test func `what an override of a run line reads is sent before it, once`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      ### a
      GET \(server.url("/a"))/{{v}}

      ### go
      run #a (@v={{login.response.body.$.token}})

      ### both
      run #login
      run #a (@v={{login.response.body.$.token}})

      ### login
      GET \(server.url("/login"))

      """)
    _ = await track.run("go")
    #expect(server.requests.map(\.target) == ["/login", "/a/t-1"])
    _ = await track.run("both")
    #expect(server.requests.dropFirst(2).map(\.target) == ["/login", "/a/t-1"])
  }

  @Test(arguments: ["# @import", "//@import", "import"])
  func `every form of an import is followed`(_ word: String) async throws {
    let server = try StubServer(answer)
    let track = try Track(
      "\(word) ./b.http\n\n### use\nGET \(server.url("/{{x}}"))\n", ["b.http": "@x = imported\n"])
    _ = await track.run("use")
    #expect(server.requests.map(\.target) == ["/imported"])
  }

  @Test func `an imported file is not run, and sees the importer's variables`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      import ./b.http
      @base = \(server.url(""))

      ### main
      run #second

      """, ["b.http": "### first\nGET {{base}}/1\n\n### second\nGET {{base}}/2\n"])
    _ = await track.run()
    #expect(server.requests.map(\.target) == ["/2"])
  }

  @Test func `run sends a request or a whole file, with values of its own`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      import ./b.http
      @v = file

      ### main
      run #one (@x=1, @note="a, b {{v}}")
      run ./b.http (@x=2)
      run #GET {{base}}/plain

      GET \(server.url("/main?{{v}}"))

      """,
      [
        "b.http": """
          @base = \(server.url(""))
          @x = 0
          @note = none
          ### one
          GET {{base}}/one?x={{x}}&n={{note}}
          ###
          GET {{base}}/plain

          """
      ])
    let run = await track.run("main")
    #expect(
      server.requests.map(\.target) == [
        "/one?x=1&n=a,%20b%20file", "/one?x=2&n=none", "/plain", "/plain", "/main?file",
      ])
    #expect(run.result.exitCode == 0)
    let given = await track.run("main") { $0.overrides = ["x": "9"] }
    #expect(given.result.outcomes.first?.url.contains("x=9") == true)
  }

  @Test func `run sends one request of a file, which needs no import`() async throws {
    let server = try StubServer(answer)
    let other = """
      @own = 1
      ### one
      GET \(server.url("/other/one/{{own}}"))
      ### two
      GET \(server.url("/other/two/{{own}}"))

      """
    let track = try Track(
      """
      ### one
      GET \(server.url("/own"))

      ### main
      run ./b.http #one (@own = 2)
      run "./b.http" #two

      ### gone
      run ./b.http #three

      """, ["b.http": other])
    let run = await track.run("main")
    #expect(server.requests.map(\.target) == ["/other/one/2", "/other/two/1"])
    #expect(run.result.exitCode == 0)
    let gone = await track.run("gone")
    #expect(gone.result.failure?.code == .requestNotFound)
    #expect(
      gone.result.failure?.message
        == "Line 9: Request `three` not found in `./b.http` or its imports. "
        + "Check the name, or add `# @name three` there.")
  }

  @Test func `forceRef sends anew, ref once`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      ### login
      GET \(server.url("/login"))
      ### one
      # @forceRef login
      GET \(server.url("/1"))
      ### two
      # @ref login
      # @forceRef login
      GET \(server.url("/2"))

      """)
    let run = await track.run()
    let expected = ["/login", "/login", "/1", "/login", "/2"]
    #expect(server.requests.map(\.target) == expected)
    #expect(run.plan == ["login", "login", "one", "login", "two"])
  }

  @Test func `shared blocks go before others and lend their headers and settings`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      ### Shared
      @base = \(server.url(""))
      # @no-redirect
      NOP
      X-Common: {{word}}
      Accept: text/plain

      ### Shared each
      GET {{base}}/each

      ### one
      @word = w
      GET {{base}}/1

      ### two
      # @ref one
      GET {{base}}/2
      accept: own

      """)
    let run = await track.run("two")
    #expect(server.requests.map(\.target) == ["/each", "/each", "/1", "/2"])
    #expect(server.requests[2].values("X-Common") == ["w"])
    #expect(server.requests[3].values("Accept") == ["own"])
    #expect(run.plan == ["Shared each", "Shared each", "one", "two"])
    #expect(!run.result.outcomes[2].exchange!.request.headers.contains("NOP"))
    let plain = await track.run("two") { $0.dialect = Dialect(.jetbrains) }
    #expect(plain.result.outcomes.map(\.title) == ["one", "two"])
  }

  @Test func `a shared request is sent once, and its failure stops the others`() async throws {
    let server = try StubServer(answer)
    let text = { (path: String) in
      """
      ### Shared
      GET \(server.url(path))

      ### one
      GET \(server.url("/1"))

      ### two
      GET \(server.url("/2"))

      """
    }
    _ = await (try Track(text("/once"))).run()
    #expect(server.requests.map(\.target) == ["/once", "/1", "/2"])
    let broken = await (try Track(text("/fail"))).run()
    #expect(broken.result.outcomes.map { $0.exchange == nil } == [false, true, true])
    #expect(broken.result.outcomes[1].failure?.message.hasPrefix("`one` needs `Shared`") == true)
  }

  @Test func `a broken link is named, and stops only what needs it`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      ### login
      GET \(server.url("/fail"))
      ### orders
      # @ref login
      GET \(server.url("/orders"))
      ### report
      # @ref orders
      GET \(server.url("/report"))
      ### other
      GET \(server.url("/other"))

      """)
    let run = await track.run()
    let messages = run.result.outcomes.map { $0.failure?.message ?? "" }
    #expect(messages[1].hasPrefix("`orders` needs `login`, which failed: "))
    #expect(messages[2].hasPrefix("`report` needs `orders`, and that `login`, which failed: "))
    #expect(run.result.outcomes[3].failure == nil)
    #expect(run.result.exitCode == 3)
    let fast = await track.run { $0.stopsAtFirstFailure = true }
    #expect(fast.result.outcomes.map(\.title) == ["login"])
  }

  @Test func `a reference through a definition is a need, too`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      @token = {{login.token}}
      ### use
      GET \(server.url("/use/{{token}}/{{last}}"))
      ### login
      GET \(server.url("/login"))
      ### after
      GET \(server.url("/after"))

      @last = {{after.at}}

      """)
    _ = await track.run("use")
    #expect(server.requests.map(\.target) == ["/login", "/after", "/use/t-1//after"])
  }

  @Test(arguments: [
    ("import ./none.http", FailureCode.fileNotFound, "File `./none.http` not found"),
    ("import ./folder.http", .fileNotFound, "can't be used"),
    ("import ./a.http", .includeCycle, "a.http imports a.http"),
    ("import ./circle.http", .includeCycle, "a.http imports circle.http imports a.http"),
    ("# @ref nobody", .requestNotFound, "`@ref`: request `nobody` not found in this file"),
    ("run #nobody", .requestNotFound, "Request `nobody` not found"),
    ("run ./none.http", .fileNotFound, "File `./none.http` not found"),
    ("run #use", .includeCycle, "use needs use"),
    ("run ./a.http", .includeCycle, "use needs use"),
  ])
  func `what can't be found or goes in a circle is refused before anything is sent`(
    _ line: String, _ code: FailureCode, _ words: String
  ) async throws {
    let server = try StubServer(answer)
    let text = "### use\n\(line)\nGET \(server.url("/use"))\n"
    let track = try Track(
      text, ["a.http": text, "circle.http": "import a.http\n", "folder.http/x": ""])
    let run = await track.run("use")
    #expect(run.result.failure?.code == code)
    #expect(run.result.failure?.message.contains(words) == true)
    #expect(server.requests.isEmpty)
  }

  @Test func `imports of an untrusted folder stay inside of it`() async throws {
    let outside = try TemporaryDirectory()
    let path = try outside.write("b.http", "@x = 1\n")
    let server = try StubServer(answer)
    let track = try Track("import \(path)\n\n### use\nGET \(server.url("/use"))\n")
    let refused = await track.run { $0.workspace.outsideRefusal = "it lies outside" }
    #expect(refused.result.firstFailure?.code == .fileNotFound)
    #expect(server.requests.isEmpty)
    #expect(await track.run().result.exitCode == 0)
  }

  @Test func `a mistake in an imported file is told with its file and line`() async throws {
    let track = try Track(
      "import ./b.http\n\n### use\n# @ref login\nGET http://127.0.0.1:1/\n",
      ["b.http": "\n### login\nGET {{nobody}}/x\n"])
    let run = await track.run("use")
    let problem = run.result.outcomes.first?.problems.first
    #expect(problem?.path == track.directory.path("b.http"))
    #expect(problem?.position == SourcePosition(line: 3, column: 5))
  }
}
