// The transport over real pipes: order, back-pressure, broken pipes.

import Foundation
import JSONRPC
import PostKitJSON
import PostKitSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized) struct StdioTransportTests {
  /// A transport with its other ends, and what it reported as an async stream.
  private struct Rig {
    let transport: StdioTransport
    /// What the client writes to.
    let toServer: Int32
    /// What the client reads from.
    let fromServer: Int32
    let events: AsyncStream<TransportEvent>

    init() throws {
      signal(SIGPIPE, SIG_IGN)
      let incoming = try #require(Descriptors.pipe())
      let outgoing = try #require(Descriptors.pipe())
      toServer = incoming.writer
      fromServer = outgoing.reader
      transport = StdioTransport(input: incoming.reader, output: outgoing.writer)
      let (stream, continuation) = AsyncStream<TransportEvent>.makeStream()
      events = stream
      transport.start { continuation.yield($0) }
    }

    func write(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(Foundation.write(toServer, bytes, bytes.count) == bytes.count)
    }
  }

  private func describe(_ event: TransportEvent?) -> String {
    switch event {
    case .message(.request(let id, let method, _), let count): "request \(id) \(method) \(count)"
    case .message(.notification(let method, _), _): "notification \(method)"
    case .message(.response, _): "response"
    case .refused(let problem): "refused \(problem.error.code.rawValue)"
    case .skipped(let count): "skipped \(count)"
    case .endOfInput: "end"
    case .inputFailed(let text): "input failed: \(text)"
    case .outputFailed(let text): "output failed: \(text)"
    case nil: "nothing"
    }
  }

  @Test func `messages, refusals and the end arrive in order`() async throws {
    let rig = try Rig()
    rig.write("Content-Length: 23\r\n\r\n{\"id\":1,\"method\":\"a/b\"}")
    rig.write("Content-Length: 2\r\n\r\n{]junkContent-Length: 14\r\n\r\n{\"method\":\"n\"}")
    close(rig.toServer)
    var seen: [String] = []
    for await event in rig.events {
      seen.append(describe(event))
      if case .endOfInput = event { break }
    }
    #expect(
      seen == ["request 1 a/b 23", "refused -32700", "skipped 4", "notification n", "end"])
  }

  @Test func `garbage ends the input although it stays open`() async throws {
    let rig = try Rig()
    rig.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    var iterator = rig.events.makeAsyncIterator()
    let event = await iterator.next()
    #expect(describe(event).hasPrefix("input failed: Standard input holds no message"))
    close(rig.toServer)
  }

  @Test func `frames are written whole and in order while reading goes on`() async throws {
    let rig = try Rig()
    let piece = OutgoingMessage.notification(method: "x") { writer in
      writer.string(String(repeating: "y", count: 100_000))
    }
    for _ in 0..<50 { rig.transport.send(OutgoingFrame(piece)) }
    // Nobody reads yet, so the writer is blocked; a message must arrive nevertheless (F13).
    rig.write("Content-Length: 14\r\n\r\n{\"method\":\"n\"}")
    var iterator = rig.events.makeAsyncIterator()
    #expect(describe(await iterator.next()) == "notification n")
    let expected = piece.count * 50
    let received = Mutex<[UInt8]>([])
    let reader = rig.fromServer
    SystemThread.start {
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while received.withLock({ $0.count }) < expected {
        let count = read(reader, &chunk, chunk.count)
        guard count > 0 else { return }
        received.withLock { $0 += chunk[..<count] }
      }
    }
    await rig.transport.flush(withinMilliseconds: 30_000)
    while received.withLock({ $0.count }) < expected { await Task.yield() }
    #expect(received.withLock { $0 } == Array(repeatElement(piece, count: 50).joined()))
    close(rig.toServer)
  }

  @Test func `a closed pipe is reported once and never kills the process`() async throws {
    let rig = try Rig()
    close(rig.fromServer)
    rig.transport.send(OutgoingFrame(OutgoingMessage.notification(method: "x", params: nil)))
    var iterator = rig.events.makeAsyncIterator()
    #expect(describe(await iterator.next()).hasPrefix("output failed: "))
    rig.transport.send(OutgoingFrame(OutgoingMessage.notification(method: "y", params: nil)))
    await rig.transport.flush(withinMilliseconds: 10)
    close(rig.toServer)
    #expect(describe(await iterator.next()) == "end")
  }

  @Test func `a flush gives up a client that doesn't read`() async throws {
    let rig = try Rig()
    let large = OutgoingMessage.notification(method: "x") { writer in
      writer.string(String(repeating: "y", count: 1 << 20))
    }
    rig.transport.send(OutgoingFrame(large))
    let clock = ContinuousClock()
    let started = clock.now
    await rig.transport.flush(withinMilliseconds: 50)
    #expect(clock.now - started >= .milliseconds(50))
    close(rig.fromServer)
    close(rig.toServer)
  }

  @Test func `a gate holds a producer back until there is room`() async throws {
    let gate = Gate(countLimit: 2, byteLimit: 10)
    let passed = Mutex(0)
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    SystemThread.start {
      for size in [20, 1, 1, 1] {
        gate.enter(byteCount: size)
        continuation.yield(passed.withLock { $0 += 1; return $0 })
      }
      continuation.finish()
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(passed.withLock { $0 } == 1)
    gate.leave(byteCount: 20)
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == 3)
    gate.leave(byteCount: 1)
    #expect(await iterator.next() == 4)
    #expect(await iterator.next() == nil)
  }
}
