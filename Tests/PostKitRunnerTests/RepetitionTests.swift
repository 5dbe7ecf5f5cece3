// Requests that are sent more than once, later, or not at all.

import PostKitEvaluate
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

/// Answers with a number that counts the requests; `/items` with a list.
@Sendable private func answer(_ request: StubRequest) -> [StubStep] {
  let json = ["Content-Type: application/json"]
  if request.target == "/items" {
    return [.response(headers: json, body: #"{"list": [{"id": 7}, {"id": 8}]}"#)]
  }
  return [.response(headers: json, body: #"{"at": "\#(request.target)"}"#)]
}

@Suite struct RepetitionTests {
  @Test func `a counted loop names its turns`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      # @name all
      # @loop for 3
      GET \(server.url("/{{$index}}"))

      ### use
      # @ref all
      GET \(server.url("/use"))?{{all.at}}{{all1.at}}{{all2.response.body.at}}&{{allList[2].parsedBody.at}}{{allList[1].statusCode}}

      """)
    let run = await track.run("use")
    #expect(
      server.requests.map(\.target) == ["/0", "/1", "/2", "/use?/0/1/2&/2200"])
    #expect(run.recorded.map(\.requestName) == ["all0", "all1", "all2", "use"])
    #expect(run.result.outcomes.map(\.name) == ["all0", "all1", "all2", "use"])
  }

  @Test(arguments: [
    "items.list", "{{items.list}}", "items.response.body.$.list", "fromItems", "inEnvironment",
  ])
  func `a loop goes through an array`(_ path: String) async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      @fromItems = {{items.list}}
      ### items
      GET \(server.url("/items"))
      ### each
      # @loop for item of \(path)
      GET \(server.url("/{{item.id}}/{{$index}}"))

      """,
      ["http-client.env.json": #"{"dev": {"inEnvironment": [{"id": 7}, {"id": 8}]}}"#])
    let run = await track.run("each", environment: "dev")
    let targets = server.requests.map(\.target).filter { $0 != "/items" }
    #expect(targets == ["/7/0", "/8/1"])
    #expect(run.result.exitCode == 0)
  }

  @Test(arguments: [
    ("for x of [1, 2]", FailureCode.scriptFailed), ("for", .syntax), ("for -1", .syntax),
    ("for x in y", .syntax), ("for x of nobody", .unresolvedVariable), ("for x of text", .syntax),
  ])
  func `a loop that can't be read is not sent`(_ loop: String, _ code: FailureCode) async throws {
    let server = try StubServer(answer)
    let track = try Track("@text = abc\n# @loop \(loop)\nGET \(server.url("/x"))\n")
    let run = await track.run()
    #expect(run.result.firstFailure?.code == code)
    #expect(server.requests.isEmpty)
  }

  @Test func `a loop whose condition goes on holding is asked about`() async throws {
    let server = try StubServer(answer)
    let track = try Track("# @loop while true\nGET \(server.url("/x"))\n")
    let run = await track.run(confirms: false)
    #expect(run.result.firstFailure?.code == .syntax)
    #expect(run.result.outcomes.last?.whyItFailed.contains("1000 times") == true)
    #expect(server.requests.count == 1_000)
  }

  @Test func `a loop of no turns is no failure`() async throws {
    let track = try Track("# @loop for 0\nGET http://127.0.0.1:1/\n")
    let run = await track.run()
    #expect(run.result.exitCode == 0)
    #expect(run.result.skipped.map(\.reason) == ["its loop has no elements"])
  }

  @Test func `references with wildcards advance together`() async throws {
    let server = try StubServer(answer)
    let environment = #"{"dev": {"users": [{"id": 1}, {"id": 2}, {"id": 3}], "n": {"a": ["x", "y"]}}}"#
    let track = try Track(
      "GET \(server.url("/{{users[*].id}}/{{$.n.a[*]}}/{{users[*].id}}"))\n",
      ["http-client.env.json": environment])
    let run = await track.run(environment: "dev")
    #expect(server.requests.map(\.target) == ["/1/x/1", "/2/y/2", "/3/x/3"])
    #expect(run.result.exitCode == 0)
  }

  @Test func `a long collection is asked about, and a loop beside it refused`() async throws {
    let server = try StubServer(answer)
    let many = (0...1_000).map(String.init).joined(separator: ",")
    let files = ["http-client.env.json": #"{"dev": {"a": [\#(many)], "none": []}}"#]
    let track = try Track("GET \(server.url("/{{a[*]}}"))\n", files)
    let refused = await track.run(environment: "dev")
    #expect(refused.result.firstFailure?.message.contains("1001 elements") == true)
    #expect(server.requests.isEmpty)
    #expect(await track.run(environment: "dev", confirms: true).result.outcomes.count == 1_001)
    let loop = try Track("# @loop for 2\nGET \(server.url("/{{a[*]}}"))\n", files)
    #expect(await loop.run(environment: "dev").result.firstFailure?.code == .syntax)
    let none = try Track("GET \(server.url("/{{none[*]}}"))\n", files)
    #expect(await none.run(environment: "dev").result.skipped.count == 1)
  }

  @Test(arguments: [
    ("", false), ("true", false), ("false", true), ("!true", true), ("on", false), ("!on", true),
    ("off", true), ("!off", false), ("{{on}}", false), ("zero", true), ("words", false),
    ("no", true),
  ])
  func `what is switched off is not sent`(_ value: String, _ isSent: Bool) async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      @on = {{true}}
      @off = {{false}}
      @words = some
      @no = false
      # @disabled \(value)
      GET \(server.url("/x"))

      """, ["http-client.env.json": #"{"dev": {"zero": 0}}"#])
    let run = await track.run(environment: "dev")
    #expect(server.requests.count == (isSent ? 1 : 0))
    #expect(run.result.exitCode == 0)
    #expect(run.result.skipped.isEmpty == isSent)
  }

  @Test func `nothing is sent for a request that is switched off`() async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      ### login
      GET \(server.url("/login"))
      ### off
      # @ref login
      # @disabled
      GET \(server.url("/off"))
      ### use
      # @ref off
      GET \(server.url("/use"))

      """)
    let run = await track.run("off", "use")
    #expect(server.requests.isEmpty)
    #expect(
      run.result.skipped.map(\.reason) == [
        "`@disabled` turns it off",
        "it needs `off`, which was not sent: `@disabled` turns it off",
      ])
    let unreadable = try Track("# @disabled a > b\nGET \(server.url("/x"))\n")
    let refused = await unreadable.run()
    #expect(refused.result.firstFailure?.code == .scriptFailed)
  }

  @Test(arguments: [(true, 2), (false, 0), (nil, 2)] as [(Bool?, Int)])
  func `a note asks before what the request needs is sent`(
    _ answered: Bool?, _ count: Int
  ) async throws {
    let server = try StubServer(answer)
    let track = try Track(
      """
      ### login
      GET \(server.url("/login"))
      ### delete
      # @note This deletes everything.
      # @ref login
      DELETE \(server.url("/all"))

      """)
    let run = await track.run("delete", confirms: answered)
    #expect(server.requests.count == count)
    #expect(run.result.exitCode == 0)
  }

  @Test func `a request can wait before it is sent`() async throws {
    let server = try StubServer(answer)
    let track = try Track("# @sleep 30\nGET \(server.url("/x"))\n")
    let clock = ContinuousClock()
    let took = await clock.measure { _ = await track.run() }
    #expect(took >= .milliseconds(30))
    let wrong = try Track("# @delay soon\nGET \(server.url("/x"))\n")
    #expect(await wrong.run().result.firstFailure?.code == .syntax)
  }
}

extension FailureCode {
  /// A word of the diagnostics catalogue.
  fileprivate init(_ word: String) { self.init(rawValue: word) }
}
