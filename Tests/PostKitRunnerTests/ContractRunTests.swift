// Runs whose responses are held against descriptions of their APIs (IO-38).

import PostKitEvaluate
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct ContractRunTests {
  private static let api = """
    openapi: 3.0.3
    paths:
      /users/{id}:
        get:
          operationId: getUser
          responses:
            "200":
              description: A user.
              headers:
                X-Limit: {required: true, schema: {type: integer}}
              content:
                application/json:
                  schema:
                    type: object
                    required: [id]
                    properties:
                      id: {type: integer}
                      token: {type: integer}
    """

  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    let type = "Content-Type: application/json"
    switch request.target {
    case "/users/1": return [.response(headers: [type, "X-Limit: 3"], body: #"{"id": 1}"#)]
    case "/users/2": return [.response(headers: [type], body: #"{"id": "x", "more": 1}"#)]
    case "/users/3":
      let text = String(repeating: " ", count: 3 << 20)
      return [.response(headers: [type, "X-Limit: 3"], body: #"{"id": "x"\#(text)}"#)]
    default: return [.response(headers: [type], body: #"{"token": "s3cret-value"}"#)]
    }
  }

  private func settings(_ check: ContractCheck) -> (inout RunInput) -> Void {
    { input in
      input.contract.check = check
    }
  }

  @Test func `an assertion names what is not as described`() async throws {
    let server = try StubServer(Self.answer)
    let track = try Track(
      """
      ### good
      GET \(server.url("/users/1"))

      ?? openapi

      ### bad
      GET \(server.url("/users/2"))

      ?? openapi

      ### unknown
      POST \(server.url("/users/2"))

      ?? openapi

      """, ["openapi.yaml": Self.api])
    let run = await track.run()
    #expect(run.result.outcomes.map(\.exitCode) == [0, 1, 1])
    #expect(run.recorded[0].tests == [TestResult(name: "openapi", passed: true)])
    #expect(
      run.recorded[1].tests.map(\.message) == [
        "2 deviations from openapi.yaml (getUser): expected the header `X-Limit`, it is missing; "
          + "/id: expected integer, came a string."
      ])
    #expect(
      run.recorded[2].tests.map(\.message) == [
        "1 deviation from openapi.yaml: expected GET of /users/{id}, which has no POST."
      ])
  }

  @Test func `without the line deviations are noted, tested or left alone`() async throws {
    let server = try StubServer(Self.answer)
    let track = try Track("GET \(server.url("/users/2"))\n", ["openapi.yaml": Self.api])
    let noted = await track.run(change: settings(.note))
    #expect(noted.recorded[0].contract?.summary == "2 deviations from openapi.yaml")
    #expect(noted.recorded[0].tests == [])
    #expect(noted.result.exitCode == 0)
    let tested = await track.run(change: settings(.test))
    #expect(tested.recorded[0].tests.map(\.name) == ["openapi"])
    #expect(tested.result.exitCode == 1)
    let off = await track.run(change: settings(.off))
    #expect(off.recorded[0].contract == nil)
  }

  @Test func `a request that no description nearby means is left alone`() async throws {
    let server = try StubServer(Self.answer)
    let track = try Track("GET \(server.url("/elsewhere"))\n", ["openapi.yaml": Self.api])
    let run = await track.run(change: settings(.test))
    #expect(run.recorded[0].contract == nil)
    #expect(run.recorded[0].tests == [])
  }

  @Test func `a body that was spooled is checked, too`() async throws {
    let server = try StubServer(Self.answer)
    let track = try Track("GET \(server.url("/users/3"))\n", ["openapi.yaml": Self.api])
    let run = await track.run(change: settings(.note))
    #expect(run.recorded[0].contract?.deviations.map(\.pointer) == ["/id"])
  }

  @Test func `an assertion without a description, or with one that can't be read, fails`()
    async throws
  {
    let server = try StubServer(Self.answer)
    let text = "GET \(server.url("/users/1"))\n\n?? openapi\n"
    let none = try await Track(text).run()
    #expect(none.recorded[0].tests.map(\.passed) == [false])
    #expect(none.recorded[0].tests[0].message.contains("`# @openapi PATH`"))
    let broken = try await Track(text, ["openapi.json": #"{"openapi": "3.0.0", "#]).run()
    #expect(broken.recorded[0].tests[0].message.contains("openapi.json"))
    let missing = try await Track("# @openapi ./no.yaml\n" + text).run()
    #expect(missing.recorded[0].tests[0].message.contains("no.yaml"))
  }

  @Test func `a description that can't be read is said once`() async throws {
    let server = try StubServer(Self.answer)
    let url = server.url("/users/1")
    let track = try Track(
      "### a\nGET \(url)\n\n### b\nGET \(url)\n", ["openapi.json": #"{"openapi": "3.0.0", "#])
    let run = await track.run(change: settings(.note))
    #expect(run.recorded.map { $0.contract?.obstacle != nil } == [true, false])
    #expect(run.result.exitCode == 0)
  }

  @Test func `secrets of a response are masked in what is told`() async throws {
    let server = try StubServer { _ in
      [
        .response(
          headers: ["Content-Type: application/json", "X-Limit: 1"],
          body: #"{"id": 1, "s3cret-value": {}}"#)
      ]
    }
    let track = try Track(
      "GET \(server.url("/users/1"))\nAuthorization: Bearer s3cret-value\n",
      ["openapi.yaml": Self.api])
    let run = await track.run { input in
      input.contract.check = .note
      input.contract.isStrict = true
    }
    let found = try #require(run.recorded[0].contract)
    #expect(found.deviations.count == 1)
    #expect(!found.explanation.contains("s3cret-value"))
  }

  @Test func `the report has what was found`() async throws {
    let server = try StubServer(Self.answer)
    let track = try Track("GET \(server.url("/users/2"))\n", ["openapi.yaml": Self.api])
    let run = await track.run(change: settings(.note))
    let report = String(
      decoding: RunReport(run.result, path: "a.http").bytes(.json), as: UTF8.self)
    #expect(report.contains(#""operation": "getUser""#))
    #expect(report.contains(#""pointer": "/id""#))
  }
}
