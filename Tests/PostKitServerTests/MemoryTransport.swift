// A transport without pipes: what the test says is delivered, what the server says is kept.

import JSONRPC
import PostKitJSON
import Synchronization

/// The client's end of a session in the same process.
final class MemoryTransport: MessageTransport {
  private struct State {
    var deliver: (@Sendable (TransportEvent) -> Void)?
    var framing = Framing()
  }

  private let state = Mutex(State())
  private let continuation: AsyncStream<JSONValue>.Continuation
  let admission = Admission()
  /// The messages of the server, in order.
  let messages: AsyncStream<JSONValue>

  init() { (messages, continuation) = AsyncStream.makeStream() }

  func start(_ deliver: @escaping @Sendable (TransportEvent) -> Void) {
    state.withLock { $0.deliver = deliver }
  }

  func send(_ frame: OutgoingFrame) {
    let values: [JSONValue] = state.withLock { state in
      state.framing.push(frame.bytes)
      var values: [JSONValue] = []
      // A frame of ours is never garbage; if it were, no test would see its answer.
      while let output = try? state.framing.next() {
        if case .body(let body) = output, let tree = try? JSONTree(parsing: body) {
          values.append(tree.root.value)
        }
      }
      return values
    }
    for value in values { continuation.yield(value) }
  }

  func flush(withinMilliseconds timeout: Int) async {}

  /// Whether the server listens.
  var isStarted: Bool { state.withLock { $0.deliver != nil } }

  /// Sends bytes of one message body to the server.
  func say(_ body: String) {
    let bytes = Array(body.utf8)
    do throws(EnvelopeProblem) {
      deliver(.message(try IncomingMessage(parsing: bytes), byteCount: bytes.count))
    } catch {
      deliver(.refused(error))
    }
  }

  /// Reports something else than a message.
  func deliver(_ event: TransportEvent) { state.withLock { $0.deliver }?(event) }

  /// Says that nothing more will come from the server.
  func finish() { continuation.finish() }
}
