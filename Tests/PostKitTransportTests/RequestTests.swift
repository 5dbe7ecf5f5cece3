// What goes over the wire, byte by byte.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(1))) struct RequestTests {
  let harness: Harness
  let server: StubServer

  init() throws {
    harness = try Harness()
    server = try StubServer { _ in [.response(body: "ok")] }
  }

  /// Sends a request and gives what the server read.
  func wire(_ spec: RequestSpec) async throws -> StubRequest {
    let outcome = await harness.send(spec)
    #expect(outcome.failure == nil)
    #expect(outcome.state == .done)
    return try #require(server.requests.last)
  }

  @Test func `a plain request says only what was written, the host and the codings`() async throws {
    let outcome = await harness.send(.make("GET", server.url("/a?b=c")))
    #expect(outcome.failure == nil)
    #expect(outcome.response?.status == 200)
    #expect(outcome.response?.text == "ok")
    let request = try #require(server.requests.first)
    #expect(request.lines.first == "GET /a?b=c HTTP/1.1")
    #expect(request.values("host") == ["127.0.0.1:\(server.port)"])
    #expect(request.lines.count == 3)
    #expect(request.lines[2].hasPrefix("Accept-Encoding: "))
    #expect(outcome.sent.headers.fields.map { "\($0.name): \($0.value)" } == Array(request.lines.dropFirst()))
    #expect(outcome.remoteAddress == "127.0.0.1:\(server.port)")
  }
}
