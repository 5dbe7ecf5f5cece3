// What the runner does with scripts: their order, their effects, their failures (SC-25, SC-32).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct ScriptRunTests {
  private static func server() throws -> StubServer {
    try StubServer { _ in
      [.response(headers: ["Content-Type: application/json"], body: #"{"id": 7}"#)]
    }
  }

  @Test func `the scripts of a turn run in their order`() async throws {
    let server = try Self.server()
    let engine = FakeScriptEngine()
    let track = try Track(
      """
      {{
      export shared s
      }}
      ###
      {{+
      log each
      }}
      < {%
      set v one
      %}
      GET \(server.url("/"))v/{{v}}/{{shared}}

      {{
      log plain
      }}
      > {%
      log handler
      %}
      {{@after
      log after
      }}
      {{@response
      log hook
      }}
      {{@request
      url ?z=1
      }}

      """)
    let outcome = await track.run(engine: engine)
    #expect(outcome.result.exitCode == 0)
    #expect(server.requests.map(\.target) == ["/v/one/s?z=1"])
    #expect(
      engine.seen.update { $0 } == [
        "session", "pre 1", "pre 5", "pre 8", "request 25", "response 16", "response 22",
        "response 13", "after 19", "close",
      ])
    let exchange = try #require(outcome.recorded.first)
    #expect(
      exchange.output.map { "\($0.line) \($0.text)" } == [
        "5 each ", "16 handler ", "22 hook ", "13 plain ", "19 after ",
      ])
  }

  @Test(arguments: [
    ("unset token", ["token"], ["user", "$headers"]),
    ("clear all", ["token", "user"], ["$headers"]),
    ("headerless now", ["$headers"], ["token", "user"]),
    ("header X-A 2", [], ["token", "user", "$headers"]),
  ])
  func `globals that a script clears are gone for the run and for later ones`(
    script: String, removed: [String], stay: [String]
  ) async throws {
    let server = try Self.server()
    let track = try Track(
      """
      ### first
      GET \(server.url("/"))first
      > {%
      \(script)
      %}

      ### second
      GET \(server.url("/"))second

      {"token": "{{token}}", "user": "{{user}}"}

      """)
    let kept: [String: GlobalValue] = [
      "token": GlobalValue("t-1"), "user": GlobalValue("Ada"), "$headers": GlobalValue(["X-A": "1"]),
    ]
    let outcome = await track.run(globals: kept, engine: FakeScriptEngine())
    #expect(outcome.removedGlobals == removed.sorted())
    #expect(outcome.globals.keys.allSatisfy { $0 == "$headers" })
    let body = String(decoding: server.requests[1].body, as: UTF8.self)
    #expect(body.contains("t-1") == stay.contains("token"))
    #expect(body.contains("Ada") == stay.contains("user"))
    let header = server.requests[1].values("X-A").first
    #expect((header != nil) == stay.contains("$headers"))
  }

  @Test func `what a script displays is shown, and neither kept nor seen by later ones`()
    async throws
  {
    let server = try Self.server()
    let track = try Track(
      """
      ### first
      GET \(server.url("/"))first
      {{@responseLogging
      display short text
      }}

      ### second
      GET \(server.url("/"))second?id={{first.response.body.$.id}}

      """)
    let outcome = await track.run(engine: FakeScriptEngine())
    let exchange = try #require(outcome.result.outcomes.first?.exchange)
    #expect(exchange.displayed.response?.body == .bytes(Array("short text".utf8)))
    #expect(exchange.response?.body == .bytes(Array(#"{"id": 7}"#.utf8)))
    #expect(outcome.recorded[0].response?.body == .bytes(Array(#"{"id": 7}"#.utf8)))
    #expect(server.requests.map(\.target) == ["/first", "/second?id=7"])
  }

  @Test func `a request without scripts starts no engine`() async throws {
    let server = try Self.server()
    let engine = FakeScriptEngine()
    let outcome = await (try Track("GET \(server.url("/"))\n")).run(engine: engine)
    #expect(outcome.result.exitCode == 0)
    #expect(engine.seen.update { $0 }.isEmpty)
  }

  @Test func `what a script throws fails its request, and the run goes on`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      ### one
      < {% throw no token %}
      GET \(server.url("/not"))

      ### two
      GET \(server.url("/yes"))

      > {%
      test right
      throw late
      %}
      ### three
      < {% skip why %}
      GET \(server.url("/skipped"))

      """)
    let outcome = await track.run(engine: FakeScriptEngine())
    #expect(server.requests.map(\.target) == ["/yes"])
    #expect(outcome.result.exitCode == 3)
    #expect(outcome.result.outcomes.map(\.failure?.code) == [.scriptFailed, .scriptFailed])
    #expect(outcome.result.outcomes[0].failure?.message == "TypeError: no token")
    #expect(outcome.result.outcomes[1].tests.map(\.name) == ["right"])
    #expect(outcome.result.skipped.map(\.reason) == ["why"])
  }

  @Test func `expressions of a request are evaluated together, and lazily defined ones anew`()
    async throws
  {
    let server = try Self.server()
    let engine = FakeScriptEngine()
    let track = try Track(
      """
      @who = ann
      @once = {{upper(who)}}
      @anew := {{upper(who)}}

      GET \(server.url("/"))\("{{once}}/{{once}}/{{upper(who)}}")
      X-A: {{anew}}{{anew}}

      ?? js upper(who) == ANN

      """)
    let outcome = await track.run(engine: engine)
    #expect(outcome.result.exitCode == 0)
    #expect(server.requests.map(\.target) == ["/ANN/ANN/ANN"])
    let calls = engine.seen.update { $0 }
    let batches = calls.filter { $0.hasPrefix("evaluate") }
    #expect(batches.map { $0.split(separator: " ").count - 1 } == [4, 1])
  }

  @Test func `a name that nothing defines is unresolved, not a failed script`() async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/")){{upper(nobody)}}\n")
    let outcome = await track.run(engine: FakeScriptEngine())
    #expect(outcome.result.firstFailure?.code == .unresolvedVariable)
    #expect(server.requests.isEmpty)
  }

  @Test func `a script sends its request again, and others`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      # @name login
      GET \(server.url("/login"))

      ###
      # @name main
      {{
      execute login
      }}
      GET \(server.url("/main"))

      > {% replay %}

      """)
    let outcome = await track.run("main", engine: FakeScriptEngine())
    #expect(outcome.result.exitCode == 0)
    #expect(server.requests.map(\.target) == ["/login", "/main", "/login", "/main"])
  }

  @Test func `globals and headers of scripts count for later requests`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      GET \(server.url("/one"))

      > {%
      global tok abc
      header X-All yes
      %}
      ###
      GET \(server.url("/"))two/{{tok}}

      ###
      GET \(server.url("/three"))
      x-all: own

      """)
    let outcome = await track.run(engine: FakeScriptEngine())
    #expect(server.requests.map(\.target) == ["/one", "/two/abc", "/three"])
    #expect(server.requests.map { $0.values("x-all") } == [[], ["yes"], ["own"]])
    #expect(outcome.globals["tok"] == GlobalValue("abc"))
  }

  @Test func `without an engine only requests with scripts fail, in words`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      < {% log x %}
      GET \(server.url("/not"))

      ###
      GET \(server.url("/yes"))

      """)
    let outcome = await track.run()
    #expect(server.requests.map(\.target) == ["/yes"])
    #expect(outcome.result.exitCode == 3)
    #expect(outcome.result.firstFailure?.message == RunServices.noEngine)
  }

  @Test func `in a folder that is not trusted nothing of a script runs`() async throws {
    let server = try Self.server()
    let engine = FakeScriptEngine()
    let track = try Track("< {% log x %}\nGET \(server.url("/not"))\n")
    let outcome = await track.run(engine: engine) { $0.workspace.outsideRefusal = "not trusted" }
    #expect(outcome.result.firstFailure?.code == .scriptFailed)
    #expect(engine.seen.update { $0 }.isEmpty)
    #expect(server.requests.isEmpty)
  }

  @Test func `what scripts print and test is in each report`() async throws {
    let server = try Self.server()
    let track = try Track(
      """
      GET \(server.url("/"))

      > {%
      log hello
      test good
      test bad why
      %}

      """)
    let outcome = await track.run(engine: FakeScriptEngine())
    #expect(outcome.result.exitCode == 1)
    let report = RunReport(outcome.result, path: "a.http")
    let json = String(decoding: report.bytes(.json), as: UTF8.self)
    #expect(json.contains(#""text": "hello ""#))
    #expect(json.contains(#""ms": 3"#))
    let junit = String(decoding: report.bytes(.junit), as: UTF8.self)
    #expect(junit.contains("<system-out>hello &#10;</system-out>"))
    #expect(junit.contains(#"<failure message="why""#))
    #expect(String(decoding: report.bytes(.tap), as: UTF8.self).hasSuffix("# hello \n"))
  }

  @Test func `the modules of a run are bounded in size and number`() {
    #expect(ScriptModules.excess(["a": 8 << 20], adding: "a") == nil)
    let tooLarge = ScriptModules.excess(["a": 8 << 20 + 1], adding: "a")
    #expect(tooLarge?.contains("more than the 8388608 that a module may have") == true)
    let four = ["a": 8 << 20, "b": 8 << 20, "c": 8 << 20, "d": 8 << 20]
    #expect(ScriptModules.excess(four, adding: "d") == nil)
    let tooMuch = ScriptModules.excess(four.merging(["e": 1]) { $1 }, adding: "e")
    #expect(tooMuch?.contains("all modules of scripts may have 33554432 bytes") == true)
    let many = Dictionary(uniqueKeysWithValues: (0...1_000).map { ("\($0)", 1) })
    #expect(ScriptModules.excess(many, adding: "0")?.contains("1000 modules") == true)
  }
}
