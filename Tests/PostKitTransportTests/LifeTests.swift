// Connections, time limits and cancelling: what happens around the bytes.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Synchronization
import Testing

@testable import PostKitTransport

/// Keeps the events of transfers, for a test that looks at them later or waits for one.
final class EventRecorder: Sendable {
  private let state = Monitor<[TransferEvent]>([])

  var events: [TransferEvent] { state.update { $0 } }

  func add(_ event: TransferEvent) { state.update { $0.append(event) } }

  func wait(_ isWanted: @escaping @Sendable (TransferEvent) -> Bool) async {
    await SerialQueueExecutor().perform { [state] in
      state.wait { $0.contains(where: isWanted) ? () : nil }
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
  @Test func `a connection is used for one request after the other`() async throws {
    let server = try StubServer { _ in [.response(body: "x")] }
    let harness = try Harness()
    for _ in 0..<20 {
      #expect(await harness.send(.make("GET", server.url())).response?.text == "x")
    }
    #expect(server.connectionCount == 1)
    #expect(server.requests.count == 20)
  }

  @Test func `a kept connection that the server closed is replaced without a failure`() async throws
  {
    let server = try StubServer { request in
      request.target == "/last" ? [.response(body: "x"), .close] : [.response(body: "x")]
    }
    let harness = try Harness()
    for target in ["/", "/last", "/", "/last", "/"] {
      #expect(
        await harness.send(.make("POST", server.url(target), body: [.bytes([1])])).failure == nil)
    }
    #expect(server.requests.map(\.target) == ["/", "/last", "/", "/last", "/"])
  }

  @Test func `many transfers run at once and get their own answers`() async throws {
    let server = try StubServer { [.response(body: $0.target)] }
    let harness = try Harness()
    let texts = await withTaskGroup(of: (Int, String?).self) { group in
      for number in 0..<100 {
        group.addTask {
          (number, await harness.send(.make("GET", server.url("/\(number)"))).response?.text)
        }
      }
      return await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect(texts == Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, "/\($0)") }))
  }

  @Test func `a send that follows another begins by itself once that one is answered`() async throws
  {
    let server = try StubServer { [.response(body: $0.target)] }
    let harness = try Harness()
    let first = harness.transport.prepare(.make("GET", server.url("/a")), jar: nil)
    let second = harness.transport.prepare(.make("GET", server.url("/b")), jar: nil)
    first.isFollowed(by: second)
    #expect(await first.outcome().response?.text == "/a")
    #expect(await server.waitForRequests(2).map(\.target) == ["/a", "/b"])
    #expect(second.startedAt != nil)
    #expect(await second.outcome().response?.text == "/b")
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: [[StubStep.close], [.response("303 See Other", headers: ["Location: /b"])]])
  func `what follows a send that is not simply answered begins when it is told to`(
    steps: [StubStep]
  ) async throws {
    let server = try StubServer { $0.target == "/a" ? steps : [.response(body: "")] }
    let harness = try Harness()
    let first = harness.transport.prepare(.make("GET", server.url("/a")), jar: nil)
    let second = harness.transport.prepare(.make("GET", server.url("/b")), jar: nil)
    first.isFollowed(by: second)
    _ = await first.outcome()
    #expect(second.startedAt == nil)
    #expect(await second.outcome().response?.status == 200)
    #expect(server.requests.map(\.target) == ["/a", "/b"])
  }

  @Test func `events come in order, each step once`() async throws {
    let server = try StubServer { _ in [.response(headers: ["X-A: 1"], body: "abc")] }
    let harness = try Harness()
    let recorder = EventRecorder()
    _ = await harness.send(.make("GET", server.url())) { recorder.add($0) }
    let heads = recorder.events.compactMap { event -> [UInt8]? in
      if case .sentHead(let head) = event { head } else { nil }
    }
    let head = try #require(heads.first)
    #expect(String(decoding: head, as: UTF8.self).hasPrefix("GET "))
    #expect(
      recorder.events == [
        .started, .connected(remoteAddress: "127.0.0.1:\(server.port)"), .sentHead(head),
        .receivedHead(status: 200, headers: [("Content-Length", "3"), ("X-A", "1")]),
        .progress(received: 3, total: 3), .finished,
      ])
  }

  @Test func `times grow from step to step`() async throws {
    let server = try StubServer { _ in [.response(body: "abc")] }
    let timings = await (try Harness()).send(.make("GET", server.url())).timings
    #expect(timings.connect > 0 && timings.firstByte >= timings.connect)
    #expect(timings.total >= timings.firstByte && timings.tls == 0)
  }
}

/// Sends with limits, the next where there is no response: a server that stood still for longer than
/// the first had not answered yet.
private func limited(
  _ milliseconds: [Int], _ send: (Int) async throws -> TransferOutcome
) async rethrows -> TransferOutcome? {
  var outcome: TransferOutcome?
  for limit in milliseconds where outcome?.response == nil { outcome = try await send(limit) }
  return outcome
}

@Suite(.timeLimit(.minutes(10))) struct LimitTests {
  @Test func `silence before the response is a timeout`() async throws {
    let server = try StubServer { _ in [.waitForClose] }
    let outcome = await (try Harness()).send(
      .make("GET", server.url()) { $0.options.inactivityTimeoutMilliseconds = 60 })
    #expect(outcome.failure?.code == .timeout)
    #expect(outcome.failure?.message.contains("for 60 ms") == true)
    #expect(outcome.response == nil && outcome.state == .failed)
    await server.waitForEndedConnections(1)
  }

  @Test func `silence within the body is a timeout and what came is kept`() async throws {
    let server = try StubServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .waitForClose]
    }
    let outcome = try await limited([600, 20_000]) { milliseconds in
      await (try Harness()).send(
        .make("GET", server.url()) { $0.options.inactivityTimeoutMilliseconds = milliseconds })
    }
    #expect(outcome?.failure?.code == .timeout)
    #expect(outcome?.response?.text == "abc")
    await server.waitForEndedConnections(server.connectionCount)
  }

  @Test func `the whole exchange has a limit of its own`() async throws {
    let server = try StubServer { _ in [.waitForClose] }
    let outcome = await (try Harness()).send(
      .make("GET", server.url()) { $0.options.totalTimeoutMilliseconds = 60 })
    #expect(outcome.failure?.code == .timeout)
    #expect(outcome.failure?.message.contains("within 60 ms") == true)
  }

  @Test func `connecting has a limit of its own`() async throws {
    let blackHole = try #require(BlackHole())
    let outcome = await (try Harness()).send(
      .make("GET", "http://127.0.0.1:\(blackHole.port)/") {
        $0.options.connectTimeoutMilliseconds = 60
      })
    #expect(outcome.failure?.code == .timeout)
    #expect(
      outcome.failure?.message.contains("No connection to 127.0.0.1:\(blackHole.port) within 60 ms")
        == true)
  }

  @Test func `no limit is no limit`() async throws {
    let gate = StubGate()
    let server = try StubServer { _ in [.wait(gate), .response(body: "late")] }
    let harness = try Harness()
    let spec = RequestSpec.make("GET", server.url()) {
      $0.options.inactivityTimeoutMilliseconds = 0
      $0.options.connectTimeoutMilliseconds = 0
    }
    async let outcome = harness.send(spec)
    // Another transfer times out meanwhile, so that the loop looked at its clock.
    let other = try StubServer { _ in [.waitForClose] }
    _ = await harness.send(
      .make("GET", other.url()) { $0.options.inactivityTimeoutMilliseconds = 30 })
    gate.open()
    #expect(await outcome.response?.text == "late")
  }
}

@Suite(.timeLimit(.minutes(10))) struct CancellingTests {
  @Test func `cancelling closes the connection and answers at once`() async throws {
    let server = try StubServer { _ in [.waitForClose] }
    let harness = try Harness()
    let task = Task { await harness.send(.make("GET", server.url())) }
    _ = await server.waitForRequests(1)
    task.cancel()
    let outcome = await task.value
    #expect(outcome.state == .cancelled)
    #expect(outcome.failure?.code == .cancelled)
    #expect(outcome.sent.headers.contains("Host"))
    await server.waitForEndedConnections(1)
  }

  @Test func `cancelling within a body keeps what came`() async throws {
    let server = try StubServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .waitForClose]
    }
    let harness = try Harness()
    let recorder = EventRecorder()
    let task = Task { await harness.send(.make("GET", server.url())) { recorder.add($0) } }
    await recorder.wait { if case .progress = $0 { true } else { false } }
    task.cancel()
    let outcome = await task.value
    #expect(outcome.state == .cancelled)
    #expect(outcome.response?.text == "abc")
    await server.waitForEndedConnections(1)
    #expect(recorder.events.last == .finished)
  }

  @Test func `a task that was cancelled before sends nothing`() async throws {
    let server = try StubServer { _ in [.response()] }
    let harness = try Harness()
    let gate = StubGate()
    let task = Task {
      await gate.waitInTask()
      return await harness.send(.make("GET", server.url()))
    }
    task.cancel()
    gate.open()
    #expect(await task.value.state == .cancelled)
    #expect(server.connectionCount == 0)
  }

  @Test func `cancelling while connecting answers at once`() async throws {
    let blackHole = try #require(BlackHole())
    let harness = try Harness()
    let recorder = EventRecorder()
    let url = "http://127.0.0.1:\(blackHole.port)/"
    let task = Task { await harness.send(.make("GET", url)) { recorder.add($0) } }
    await recorder.wait { $0 == .started }
    task.cancel()
    #expect(await task.value.state == .cancelled)
  }

  @Test func `whenever a task is cancelled, it gets one outcome and no connection stays`()
    async throws
  {
    let server = try StubServer { _ in [.response(body: "x")] }
    let harness = try Harness()
    var random = RepeatableGenerator(seed: 7)
    for _ in 0..<300 {
      let spins = random.int(in: 0..<400)
      let task = Task { await harness.send(.make("GET", server.url())) }
      for _ in 0..<spins { await Task.yield() }
      task.cancel()
      let outcome = await task.value
      #expect(outcome.state != .failed)
      #expect((outcome.state == .done) == (outcome.response?.text == "x" && outcome.failure == nil))
    }
    // The transport is as good as new.
    #expect(await harness.send(.make("GET", server.url())).response?.text == "x")
    harness.transport.shutdown()
    await server.waitForEndedConnections(server.connectionCount)
  }

  @Test func `shutting down cancels what runs and refuses what comes`() async throws {
    let server = try StubServer { _ in [.waitForClose] }
    let harness = try Harness()
    async let running = harness.send(.make("GET", server.url()))
    _ = await server.waitForRequests(1)
    harness.transport.shutdown()
    #expect(await running.state == .cancelled)
    #expect(await harness.send(.make("GET", server.url())).state == .cancelled)
    await server.waitForEndedConnections(1)
  }

  @Test func `a transport that nobody holds ends its thread and its connections`() async throws {
    let server = try StubServer { _ in [.response()] }
    do {
      let harness = try Harness()
      _ = await harness.send(.make("GET", server.url()))
    }
    await server.waitForEndedConnections(1)
  }
}

extension StubGate {
  /// Waits without holding a thread of the cooperative pool.
  func waitInTask() async {
    await SerialQueueExecutor().perform { self.wait() }
  }
}

/// What limits hold for responses that are streams (PK-87).
@Suite(.timeLimit(.minutes(10))) struct StreamLimitTests {
  /// Answers with a type and a byte for each gate, once it is open.
  private func server(_ type: String, _ gates: [StubGate]) throws -> StubServer {
    try StubServer { _ in
      let lines = ["HTTP/1.1 200 OK", "Content-Type: \(type)", "Content-Length: \(gates.count)"]
      return [.text(lines.joined(separator: "\r\n") + "\r\n\r\n")]
        + gates.flatMap { [.wait($0), .text("x")] }
    }
  }

  /// Lets time go by: another transfer reaches its limit meanwhile.
  private func pause(_ harness: Harness, milliseconds: Int) async throws {
    let idle = try StubServer { _ in [.waitForClose] }
    let outcome = await harness.send(
      .make("GET", idle.url()) { $0.options.inactivityTimeoutMilliseconds = milliseconds })
    #expect(outcome.failure?.code == .timeout)
  }

  @Test func `a stream may take longer than its limit, which is one of silence`() async throws {
    let gates = (0..<5).map { _ in StubGate() }
    let server = try server("text/event-stream", gates)
    let harness = try Harness()
    let spec = RequestSpec.make("GET", server.url()) {
      // Far above one pause, which a busy machine makes longer, and below all of them.
      $0.options.totalTimeoutMilliseconds = 15_000
    }
    async let outcome = harness.send(spec)
    for gate in gates {
      try await pause(harness, milliseconds: 3_100)
      gate.open()
    }
    #expect(await outcome.failure == nil)
    #expect(await outcome.response?.text == "xxxxx")
  }

  @Test func `a stream that falls silent ends, with what came`() async throws {
    let gates = [StubGate(), StubGate()]
    gates[0].open()
    let server = try server("text/event-stream", gates)
    let outcome = try await limited([300, 20_000]) { milliseconds in
      let outcome = await (try Harness()).send(
        .make("GET", server.url()) { $0.options.totalTimeoutMilliseconds = milliseconds })
      #expect(outcome.failure?.message.contains("for \(milliseconds) ms") == true)
      return outcome
    }
    #expect(outcome?.failure?.code == .timeout)
    #expect(outcome?.response?.text == "x")
    gates[1].open()
  }

  @Test(arguments: [
    "text/event-stream", "Text/Event-Stream; charset=utf-8", "application/x-ndjson",
    "application/stream+json",
  ])
  func `a stream that is kept may be silent`(type: String) async throws {
    let outcome = try await limited([400, 10_000]) { milliseconds in
      let gate = StubGate()
      let server = try server(type, [gate])
      let harness = try Harness()
      let spec = RequestSpec.make("GET", server.url()) {
        $0.options.totalTimeoutMilliseconds = milliseconds
        $0.options.inactivityTimeoutMilliseconds = milliseconds
        $0.options.keepsStream = true
      }
      async let outcome = harness.send(spec)
      try await pause(harness, milliseconds: 2 * milliseconds)
      gate.open()
      return await outcome
    }
    #expect(outcome?.response?.text == "x")
    #expect(outcome?.failure == nil)
  }

  @Test func `any other response must be whole in time, kept or not`() async throws {
    let gate = StubGate()
    let server = try server("text/plain", [gate])
    let outcome = await (try Harness()).send(
      .make("GET", server.url()) {
        $0.options.totalTimeoutMilliseconds = 300
        $0.options.keepsStream = true
      })
    #expect(outcome.failure?.code == .timeout)
    #expect(outcome.failure?.message.contains("did not complete the response within 300 ms") == true)
    gate.open()
  }
}
