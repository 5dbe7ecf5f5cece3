// Runs of requests with `??` lines: results, exit codes, and what depends on a failed one.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct AssertionRunTests {
  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    switch request.target {
    case "/echo": [.response(body: request.values("X-Token").joined())]
    case "/long": [.response(body: String(repeating: "a\n", count: 5_000))]
    case "/fail": [.close]
    default:
      [.response(headers: ["Content-Type: application/json"], body: #"{"token": "t-1"}"#)]
    }
  }

  @Test func `results are part of the exchange and decide the exit code`() async throws {
    let server = try StubServer(AssertionRunTests.answer)
    let track = try Track(
      """
      ### good
      # @kulala-expect-status-code 200
      GET \(server.url("/login"))

      ?? status == 200
      ?? body token == t-1

      ### bad
      GET \(server.url("/login"))

      ?? status == 201
      ?? response.parsedBody.token == {{good.response.body.$.token}}

      """)
    let good = await track.run("good")
    #expect(good.result.exitCode == 0)
    let names = ["kulala-expect-status-code 200", "status == 200", "body token == t-1"]
    #expect(good.recorded[0].tests == names.map { TestResult(name: $0, passed: true) })
    let bad = await track.run()
    #expect(bad.result.outcomes.map(\.exitCode) == [0, 1])
    #expect(bad.result.exitCode == 1)
    #expect(bad.result.firstFailure == nil)
    #expect(bad.recorded[1].state == .done)
    #expect(bad.recorded[1].tests.map(\.passed) == [false, true])
    #expect(bad.recorded[1].tests[0].message == "The value is `200`.")
  }

  @Test func `a response in an assertion is that of the request itself`() async throws {
    let server = try StubServer(AssertionRunTests.answer)
    let track = try Track(
      """
      ### first
      GET \(server.url("/login"))

      @token = {{response.body.$.token}}
      ?? {{token}} == t-1
      ?? first.token == t-1

      ### second
      GET \(server.url("/echo"))
      X-Token: {{token}}

      ?? response.body == t-1
      ?? first.token == t-1
      ?? firstResponse.status == 200

      """)
    let run = await track.run()
    #expect(run.recorded.flatMap(\.tests).map(\.passed) == [true, true, true, true, true])
  }

  @Test func `who needs a request whose check failed is skipped`() async throws {
    let server = try StubServer(AssertionRunTests.answer)
    let track = try Track(
      """
      ### login
      GET \(server.url("/login"))

      ?? status == 500

      ### use
      # @ref login
      GET \(server.url("/use"))

      ### other
      GET \(server.url("/other"))

      """)
    let run = await track.run()
    #expect(server.requests.map(\.target) == ["/login", "/other"])
    #expect(run.result.outcomes.map(\.exitCode) == [1, 3, 0])
  }

  @Test func `without a response nothing is checked`() async throws {
    let server = try StubServer(AssertionRunTests.answer)
    let track = try Track("GET \(server.url("/fail"))\n\n?? status == 200\n")
    let run = await track.run()
    #expect(run.recorded[0].tests.isEmpty)
    #expect(run.result.exitCode == 4)
  }

  @Test func `a line that can't be read keeps the request from being sent`() async throws {
    let server = try StubServer(AssertionRunTests.answer)
    let track = try Track("GET \(server.url("/x"))\n\n?? status == 200\n?? status is 200\n")
    let run = await track.run()
    #expect(run.result.firstFailure?.code.rawValue == "assertion-syntax")
    #expect(run.result.exitCode == 3)
    #expect(server.connectionCount == 0)
  }

  @Test func `results show no secret and no whole body`() async throws {
    let server = try StubServer(AssertionRunTests.answer)
    let track = try Track(
      """
      ### secret
      # @secret token
      GET \(server.url("/echo"))
      X-Token: {{token}}

      ?? body == other
      ?? body matches [0-9]{{token}}

      ### long
      GET \(server.url("/long"))

      ?? body == short

      """)
    let run = await track.run { $0.inputs["token"] = "hidden-word" }
    let messages = run.recorded.flatMap(\.tests).map(\.message)
    #expect(messages.count == 3)
    #expect(messages[0] == "The value is `\(SecretMask.text)`.")
    #expect(!messages.contains { $0.contains("hidden-word") })
    #expect(messages[2].utf8.count < 300)
    #expect(!messages[2].contains("\n"))
  }

  @Test func `a short secret is hidden where it is a value of what is quoted`() async throws {
    let server = try StubServer { request in
      request.target == "/form"
        ? [.response(headers: ["Content-Type: application/x-www-form-urlencoded"], body: "pin=1234")]
        : [.response(
          headers: ["Content-Type: application/json", "Set-Cookie: sid=1"],
          body: #"{"pin":"1234","in":{"pin":1234}}"#)]
    }
    let track = try Track(
      """
      # @secret pin
      GET \(server.url("/json"))
      X-Pin: {{pin}}

      ?? body includes nothere
      ?? body in == nothere
      ?? body pin == nothere
      ?? header Set-Cookie == nothere

      ###
      GET \(server.url("/form"))

      ?? body includes nothere

      """)
    let run = await track.run { $0.inputs["pin"] = "1234" }
    let mask = SecretMask.text
    #expect(
      run.recorded.flatMap(\.tests).map(\.message) == [
        #"The value is `{"pin":"\#(mask)","in":{"pin":"\#(mask)"}}`."#,
        #"The value is `{"pin":"\#(mask)"}`."#, "The value is `\(mask)`.",
        "The value is `\(mask)`.", "The value is `pin=\(mask)`.",
      ])
  }
}
