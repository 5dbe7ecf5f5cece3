// A real HTTP/1 server on loopback that keeps the exact bytes it got and plays what tests say.

import Libc
import PostKitSupport

/// A request as it came over the wire.
package struct StubRequest: Sendable, Hashable {
  /// The number of the connection, counted from 0.
  package let connection: Int
  /// The request line and header lines, with the blank line after them.
  package let head: [UInt8]
  /// The bytes after the head, chunk framing included.
  package let rawBody: [UInt8]
  /// The body without chunk framing.
  package let body: [UInt8]

  /// The lines of the head without line ends and without the blank line.
  package var lines: [String] {
    String(decoding: head.dropLast(4), as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// The request target.
  package var target: String {
    let words = (lines.first ?? "").split(separator: " ")
    return words.count > 1 ? String(words[1]) : ""
  }

  /// The values of a header field, its name compared without regard to case.
  package func values(_ name: String) -> [String] {
    lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      guard line[..<colon].lowercased() == name.lowercased() else { return nil }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
  }
}

/// A step of an answer.
package enum StubStep: Sendable {
  /// Sends text, which has its own `\r\n`.
  case text(String)
  case bytes([UInt8])
  /// Sends the same bytes many times.
  case repeated([UInt8], count: Int)
  /// Sends the same bytes, in pieces so many milliseconds apart, until the client closes.
  case forever([UInt8], everyMilliseconds: Int32 = 0)
  /// Waits until the test opens the gate.
  case wait(StubGate)
  /// Waits until the client closes the connection.
  case waitForClose
  /// Closes the connection in good order.
  case close
  /// Resets the connection.
  case reset

  /// A whole answer with a body of known length.
  package static func response(
    _ status: String = "200 OK", headers: [String] = [], body: String = ""
  ) -> StubStep {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
    return .text(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }
}

/// Holds a stub server at a step until the test opens it.
package final class StubGate: Sendable {
  private let state = Monitor(false)

  /// Makes a closed gate.
  package init() {}

  /// Lets all that wait go on, for good.
  package func open() { state.update { $0 = true } }

  /// Blocks the calling thread until the gate is open.
  package func wait() { state.wait { $0 ? () : nil } }
}

/// The server; it ends with its last reference.
package final class StubServer: Sendable {
  /// Answers a request with steps; a connection that isn't closed by them is kept.
  package typealias Script = @Sendable (StubRequest) -> [StubStep]

  /// The port on 127.0.0.1.
  package let port: Int
  private let state: Monitor<State>

  private struct State {
    var requests: [StubRequest] = []
    var connections = 0
    var ended = 0
    var open: Set<Int32> = []
    var listener: Int32 = -1
    var isStopped = false
  }

  /// Listens on a free port.
  package init(_ script: @escaping Script) throws {
    signal(SIGPIPE, SIG_IGN)
    // Why there is no socket is of no use to a test.
    guard let listener = try? Descriptors.loopbackListener() else { throw Unavailable() }
    port = listener.port
    state = Monitor(State(listener: listener.descriptor))
    let state = state
    SystemThread.start { StubServer.accept(listener.descriptor, state, script) }
  }

  deinit { stop() }

  /// No port could be had.
  package struct Unavailable: Error {}

  /// The URL of a target, which begins with a slash.
  package func url(_ target: String = "/") -> String { "http://127.0.0.1:\(port)\(target)" }

  /// All requests so far.
  package var requests: [StubRequest] { state.update { $0.requests } }

  /// How many connections were made so far.
  package var connectionCount: Int { state.update { $0.connections } }

  /// Waits until so many requests were read.
  package func waitForRequests(_ count: Int) async -> [StubRequest] {
    await SerialQueueExecutor().perform { [state] in
      state.wait { $0.requests.count >= count ? $0.requests : nil }
    }
  }

  /// Waits until so many connections have ended, whoever closed them.
  package func waitForEndedConnections(_ count: Int) async {
    await SerialQueueExecutor().perform { [state] in
      state.wait { $0.ended >= count ? () : nil }
    }
  }

  /// Closes everything.
  package func stop() {
    state.update { state in
      if state.isStopped { return }
      state.isStopped = true
      shutdown(state.listener, Int32(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private static func accept(
    _ listener: Int32, _ state: Monitor<State>, _ script: @escaping Script
  ) {
    defer { close(listener) }
    while true {
      let descriptor = StubSocket.accept(listener)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      let number: Int? = state.update { state in
        if state.isStopped { return nil }
        state.open.insert(descriptor)
        state.connections += 1
        return state.connections - 1
      }
      guard let number else {
        close(descriptor)
        return
      }
      SystemThread.start {
        serve(StubSocket(descriptor), number, state, script)
        state.update { state in
          state.open.remove(descriptor)
          state.ended += 1
          close(descriptor)
        }
      }
    }
  }

  private static func serve(
    _ socket: StubSocket, _ number: Int, _ state: Monitor<State>, _ script: Script
  ) {
    while let request = socket.readRequest(connection: number) {
      state.update { $0.requests.append(request) }
      for step in script(request) {
        switch step {
        case .text(let text): guard socket.send(Array(text.utf8)) else { return }
        case .bytes(let bytes): guard socket.send(bytes) else { return }
        case .repeated(let bytes, let count):
          for _ in 0..<count { guard socket.send(bytes) else { return } }
        case .forever(let bytes, let milliseconds):
          while socket.send(bytes) {
            if milliseconds > 0 { Clock.pause(milliseconds: milliseconds) }
          }
          return
        case .wait(let gate): gate.wait()
        case .waitForClose:
          socket.waitForClose()
          return
        case .close: return
        case .reset:
          socket.resetOnClose()
          return
        }
      }
    }
  }
}
