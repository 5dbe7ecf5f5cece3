// Expressions of the next request that are evaluated while the one before is done with (SC-95).

import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct ExpressionsAheadTests {
  @Test(arguments: [
    "1 + 2", "\"n\" + (1 * 2)", "Date.now()", "'token' + 1", "response.body.token", "Math.max(1, 2)",
    "new Date(0).toISOString()", "[1, 2].map(String)", "true ? 1 : null", "response.status == 200",
  ])
  func `an expression that reads no variable`(text: String) {
    #expect(OwnExpression.readsNoVariable(text))
  }

  @Test(arguments: [
    "token", "token + 1", "'a' + token", "[...list]", "`${token}`", "(n) => n", "client.global.get('a')",
    "t\\u006fken", "'a\\'' + 1", "'open", "request.method", "$random.uuid", "crypto.randomUUID()",
    "globalThis.a", "eval('a')", "this.a", "ünder + 1", "require('a')",
  ])
  func `an expression that may read one`(text: String) {
    #expect(!OwnExpression.readsNoVariable(text))
  }

  /// Two requests, the first with a handler, the second with an expression.
  private func jobs(
    _ handler: String, _ expression: String, between: String = ""
  ) async throws -> (jobs: [String], targets: [String]) {
    let server = try StubServer { _ in [.response(body: "{}")] }
    let engine = FakeScriptEngine()
    let track = try Track(
      """
      GET \(server.url("/"))first

      > {%
      \(handler)
      %}

      ###
      \(between)
      GET \(server.url("/")){{\(expression)}}

      """)
    _ = await track.run(engine: engine)
    return (engine.seen.update { $0 }, server.requests.map(\.target))
  }

  @Test func `they go to the engine with the last script before`() async throws {
    let (jobs, targets) = try await jobs("global token one", "\"second\"")
    #expect(jobs == ["session", "response 3", "follow \"second\"", "close"])
    #expect(targets == ["/first", "/second"])
  }

  @Test func `they wait where they read what a script may set`() async throws {
    let (jobs, targets) = try await jobs("global token one", "upper(token)")
    #expect(jobs == ["session", "response 3", "evaluate upper(token)", "close"])
    #expect(targets == ["/first", "/ONE"])
  }

  @Test(arguments: ["< {%\nlog x\n%}", "# @loop for 2", "# @disabled false"])
  func `they wait where something goes before their request`(between: String) async throws {
    let (jobs, targets) = try await jobs("log x", "\"second\"", between: between)
    #expect(!jobs.contains { $0.hasPrefix("follow") })
    #expect(targets.first == "/first" && targets.contains("/second"))
  }

  @Test(arguments: ["# @delay 1", "# @nonsense"])
  func `they are evaluated once where their request can't be sent ahead`(
    between: String
  ) async throws {
    let (jobs, targets) = try await jobs("global token one", "\"second\"", between: between)
    #expect(jobs == ["session", "response 3", "follow \"second\"", "close"])
    #expect(targets == ["/first", "/second"])
  }

  @Test func `a script that fails leaves them unused`() async throws {
    let (jobs, targets) = try await jobs("throw no", "\"second\"")
    #expect(jobs.contains("follow \"second\""))
    #expect(targets.first == "/first")
  }

  /// What is sent of two requests without references, the first with a handler.
  private func targets(
    _ handler: String, isFast: Bool = false
  ) async throws -> (targets: [String], headers: [String?], order: [String]) {
    let server = try StubServer { _ in [.response(body: "{}")] }
    let track = try Track(
      """
      GET \(server.url("/"))first

      > {%
      \(handler)
      %}

      ###
      GET \(server.url("/"))second

      """)
    let outcome = await track.run(
      engine: FakeScriptEngine(), change: { $0.stopsAtFirstFailure = isFast })
    return (
      server.requests.map(\.target), server.requests.map { $0.lines.first { $0.hasPrefix("X-Own: ") } },
      outcome.result.outcomes.map(\.url)
    )
  }

  @Test func `the next request has what the script before it has set`() async throws {
    let sent = try await targets("header X-Own yes")
    #expect(sent.targets == ["/first", "/second"])
    #expect(sent.headers == [nil, "X-Own: yes"])
    #expect(sent.order.map { $0.suffix(6) } == ["/first", "second"])
  }

  @Test func `nothing is sent after a script that ends the run`() async throws {
    #expect(try await targets("throw no", isFast: true).targets == ["/first"])
    #expect(try await targets("test wrong fails", isFast: true).targets == ["/first"])
  }
}
