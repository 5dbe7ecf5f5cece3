// Globals: what one request sets, others read, in this run and in later ones (PK-59, PK-60).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct GlobalRunTests {
  static func server() throws -> StubServer {
    try StubServer { request in
      let body = #"{"id": 7, "token": "t-1", "user": {"name": "Ada"}, "trap": "{{$env.HOME}}"}"#
      return [.response(headers: ["Content-Type: application/json"], body: body)]
    }
  }

  @Test func `what an answer gives is there for other files, with its type`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      import ./use.http

      ### login
      GET \(server.url("/login"))

      @global.id = {{login.response.body.$.id}}
      @global.user = {{login.response.body.$.user}}

      ### all
      # @ref login
      # @ref use
      GET \(server.url("/all"))?id={{id}}

      """,
      [
        "use.http": """
          ### use
          POST \(server.url("/use"))?id={{$global.id}}

          {"id": {{id}}, "name": "{{user.name}}", "same": "{{$global.user.name}}"}

          """
      ])
    let run = await track.run("all")
    #expect(server.requests.map(\.target) == ["/login", "/use?id=7", "/all?id=7"])
    #expect(server.requests[1].body == Array(#"{"id": 7, "name": "Ada", "same": "Ada"}"#.utf8))
    #expect(run.globals["id"] == GlobalValue(.number("7")))
    #expect(run.globals["user"]?.value["name"] == "Ada")
  }

  @Test func `an earlier run's globals stand above the file, below the command line`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      @x = file
      @y = file
      @z = file

      ### a
      GET \(server.url("/{{x}}/{{y}}/{{z}}"))

      """)
    let kept = ["x": GlobalValue("global"), "y": GlobalValue("global")]
    let run = await track.run(globals: kept) { $0.overrides = ["y": "given"] }
    #expect(server.requests.map(\.target) == ["/global/given/file"])
    #expect(run.globals.isEmpty, "nothing was set")
  }

  @Test func `in some tools the environment stands above globals`() async throws {
    let server = try Self.server()
    let track = try Track(
      "### a\nGET \(server.url("/{{x}}"))\n", ["http-client.env.json": #"{"dev": {"x": "env"}}"#])
    let kept = ["x": GlobalValue("global")]
    _ = await track.run(environment: "dev", globals: kept)
    _ = await track.run(environment: "dev", globals: kept) { $0.dialect = Dialect(.jetbrains) }
    #expect(server.requests.map(\.target) == ["/global", "/env"])
  }

  @Test func `what a request sets itself stands above what was kept`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      @global.host = new-host

      ### reads
      GET \(server.url("/{{host}}/{{own}}"))

      ### sets
      @global.own = new-own
      GET \(server.url("/{{host}}/{{own}}"))

      ### reads again
      GET \(server.url("/{{host}}/{{own}}"))

      """)
    let kept = ["host": GlobalValue("old-host"), "own": GlobalValue("old-own")]
    let run = await track.run(globals: kept)
    #expect(
      server.requests.map(\.target) == [
        "/new-host/old-own", "/new-host/new-own", "/new-host/new-own",
      ])
    #expect(run.globals == ["host": GlobalValue("new-host"), "own": GlobalValue("new-own")])
  }

  @Test func `a value made up on the spot is kept as it was sent`() async throws {
    let server = try Self.server()
    let track = try Track("@global.id = {{$uuid}}\nGET \(server.url("/{{id}}"))\n")
    let run = await track.run()
    let id = try #require(run.globals["id"]?.value.string)
    #expect(server.requests.map(\.target) == ["/" + id])
  }

  @Test func `a secret stays one`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      @global.key = Key {{token}}
      GET \(server.url("/a"))
      X-Key: {{key}}

      """, ["http-client.private.env.json": #"{"dev": {"token": "hush-hush"}}"#])
    let run = await track.run(environment: "dev")
    #expect(run.globals == ["key": GlobalValue("Key hush-hush", isSecret: true)])
    let other = try Track("GET \(server.url("/b"))\nX-Key: {{key}}\n")
    let next = await other.run(globals: run.globals)
    #expect(server.requests.last?.values("X-Key") == ["Key hush-hush"])
    #expect(next.recorded.first?.request.headers.first("X-Key")?.contains("hush") == false)
  }

  @Test(arguments: ["@global.x", "@x"])
  func `braces in an answer are no references`(_ definition: String) async throws {
    let server = try Self.server()
    let track = try Track(
      """
      ### a
      GET \(server.url("/a"))

      \(definition) = {{a.response.body.$.trap}}

      ### b
      POST \(server.url("/b"))

      {{x}}

      """)
    _ = await track.run()
    #expect(server.requests.last?.body == Array("{{$env.HOME}}".utf8))
  }

  @Test func `what can't be told is not set, and that is said`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      @global.early = {{later.response.body.$.id}}

      ### a
      GET \(server.url("/a"))

      @global.late = {{a.response.body.$.nothing}}

      """)
    let run = await track.run("a")
    #expect(server.requests.count == 1 && run.globals.isEmpty)
    let problems = run.result.outcomes.flatMap(\.problems).map(\.message)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("`{{a.response.body.$.nothing}}` finds nothing") == true)
  }

  @Test func `an unknown global keeps its request back`() async throws {
    let server = try Self.server()
    let run = try await Track("GET \(server.url("/{{$global.x}}"))\n").run()
    #expect(server.requests.isEmpty)
    #expect(run.result.outcomes.first?.failure?.code == .unresolvedVariable)
  }
}
