// Servers that never come to an end: each transfer ends all the same, with what came.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(10))) struct HostileServerTests {
  private static let chunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
  private static let line = Array("X-Long: \(String(repeating: "y", count: 990))\r\n".utf8)

  private func answer(
    _ steps: [StubStep], silence: Int = 60_000
  ) async throws -> TransferOutcome {
    let server = try StubServer { _ in steps }
    let outcome = await (try Harness()).send(
      .make("GET", server.url()) {
        $0.options.inactivityTimeoutMilliseconds = silence
        // What counts as progress although it is none ends by this instead, in other words.
        $0.options.totalTimeoutMilliseconds = 60_000
      })
    await server.waitForEndedConnections(1)
    return outcome
  }

  @Test func `trailers without an end are cut off, and what came is kept`() async throws {
    let outcome = try await answer([.text(Self.chunked + "0\r\n"), .forever(Self.line)])
    #expect(outcome.failure?.code == .protocol)
    #expect(
      outcome.failure?.message.contains("(status 200) was cut off after more than 300 kB") == true)
    let response = try #require(outcome.response)
    #expect(response.text == "abc")
    let size = response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    #expect(size <= Limits.headBytes && size > Limits.headBytes / 2)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n",
  ])
  func `a head without an end is refused`(start: String) async throws {
    let outcome = try await answer([.text(start), .forever(Self.line)])
    #expect(outcome.failure?.code == .protocol)
    #expect(outcome.failure?.message.contains("sent more than 300 kB of header lines") == true)
    #expect(outcome.response == nil)
  }

  @Test func `interim heads share one limit with the head`() async throws {
    let hint = Array("HTTP/1.1 103 Early Hints\r\n".utf8) + Self.line + Array("\r\n".utf8)
    let outcome = try await answer([.forever(hint)])
    #expect(outcome.failure?.message.contains("sent more than 300 kB of header lines") == true)
  }

  /// What a server sends without end after the start of a response.
  struct Drip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var start: String
    var more: String
    var pause: Int32 = 20
  }

  @Test(arguments: [
    Drip(
      testDescription: "an extension of a chunk, as fast as it can be read",
      start: chunked + "3;x=", more: String(repeating: "y", count: 4_000), pause: 0),
    Drip(testDescription: "an extension of a chunk", start: chunked + "3;x=", more: "y"),
    Drip(testDescription: "trailers", start: chunked + "0\r\n", more: "X: 1\r\n"),
    Drip(testDescription: "one trailer", start: chunked + "0\r\nX: ", more: "y"),
  ])
  func `what is not body does not keep a response alive`(drip: Drip) async throws {
    let outcome = try await answer(drip, silence: 1_000)
    #expect(outcome.failure?.code == .timeout)
    #expect(outcome.failure?.message.contains("The response stopped coming from") == true)
    #expect(outcome.failure?.message.contains("for 1.0 s.") == true)
    #expect(outcome.response?.text == "abc")
  }

  @Test(arguments: [
    Drip(testDescription: "103", start: "", more: "HTTP/1.1 103 Early Hints\r\n\r\n"),
    Drip(testDescription: "102", start: "", more: "HTTP/1.1 102 Processing\r\n\r\n"),
    Drip(testDescription: "fields", start: "HTTP/1.1 200 OK\r\n", more: "X: 1\r\n"),
    Drip(testDescription: "one field", start: "HTTP/1.1 200 OK\r\nX: ", more: "y"),
    Drip(testDescription: "a status line", start: "HTTP/1.1 200 ", more: "y"),
  ])
  func `no final head is no response`(drip: Drip) async throws {
    let outcome = try await answer(drip, silence: 1_000)
    #expect(outcome.failure?.code == .timeout)
    #expect(outcome.failure?.message.contains("No response from") == true)
    #expect(outcome.failure?.message.contains("for 1.0 s.") == true)
    #expect(outcome.response == nil)
  }

  private func answer(_ drip: Drip, silence: Int) async throws -> TransferOutcome {
    try await answer(
      [.text(drip.start), .forever(Array(drip.more.utf8), everyMilliseconds: drip.pause)],
      silence: silence)
  }

  @Test func `a trailer that looks like a status line replaces nothing`() async throws {
    let outcome = try await answer([
      .text(Self.chunked + "0\r\nHTTP/1.1 500 Replaced: x\r\nX-Sum: 7\r\n\r\n")
    ])
    #expect(outcome.response?.status == 200)
    #expect(outcome.response?.text == "abc")
    #expect(outcome.response?.headers.contains("X-Sum") == true)
  }
}

@Suite(.timeLimit(.minutes(10))) struct TrueTimeTests {
  @Test func `a cancelled request has its true time`() async throws {
    let server = try StubServer { _ in [.waitForClose] }
    let harness = try Harness()
    let task = Task { await harness.send(.make("GET", server.url())) }
    _ = await server.waitForRequests(1)
    let before = Clock.monotonicMicroseconds
    // Another request takes its time meanwhile.
    let other = await harness.send(
      .make("GET", server.url()) { $0.options.inactivityTimeoutMilliseconds = 150 })
    let between = Clock.monotonicMicroseconds - before
    task.cancel()
    let outcome = await task.value
    #expect(between >= 150_000 && outcome.timings.total >= between)
    #expect(other.timings.total >= 150_000)
  }

  @Test func `a request whose time is over has its true time`() async throws {
    let server = try StubServer { _ in [.waitForClose] }
    let outcome = await (try Harness()).send(
      .make("GET", server.url()) { $0.options.totalTimeoutMilliseconds = 80 })
    #expect(outcome.failure?.code == .timeout && outcome.timings.total >= 80_000)
    let blackHole = try #require(BlackHole())
    let connecting = await (try Harness()).send(
      .make("GET", "http://127.0.0.1:\(blackHole.port)/") {
        $0.options.connectTimeoutMilliseconds = 80
      })
    #expect(connecting.failure?.code == .timeout && connecting.timings.total >= 80_000)
  }
}
