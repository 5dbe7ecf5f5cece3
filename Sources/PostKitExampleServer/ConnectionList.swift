// Which connections are open, so that they can be ended from outside and are never too many.

import PostKitSupport

/// The open connections of one server. A descriptor is closed only while it is taken off the list,
/// so that none is ever ended that the system has given to somebody else.
final class ConnectionList: Sendable {
  /// Whether a new connection may stay.
  enum Admission {
    case admitted
    case full
    case stopped
  }

  private struct State {
    /// Since when each connection waits for a request, in microseconds of the monotonic clock;
    /// `nil` while it is being answered.
    var open: [Int32: Int64?] = [:]
    /// Those that were told to end in favour of others.
    var ending: Set<Int32> = []
    var isStopped = false
    var isListening = true
    var wakeWriter: Int32
  }

  private let state: Monitor<State>

  /// Makes an empty list; closing `wakeWriter` ends the accepting thread.
  init(wakeWriter: Int32) { state = Monitor(State(wakeWriter: wakeWriter)) }

  /// Adds a connection. When there are too many, the one that has waited longest for a request
  /// is ended, as one of a client that hangs.
  func admit(_ descriptor: Int32) -> Admission {
    state.update { state in
      if state.isStopped { return .stopped }
      if state.open.count - state.ending.count >= ExampleLimits.connections {
        let waiting = state.open.compactMap { entry in
          entry.value.flatMap { state.ending.contains(entry.key) ? nil : (entry.key, $0) }
        }
        guard state.ending.count < ExampleLimits.connections / 8,
          let oldest = waiting.min(by: { $0.1 < $1.1 })
        else { return .full }
        state.ending.insert(oldest.0)
        Socket.end(oldest.0)
      }
      state.open[descriptor] = .some(Clock.monotonicMicroseconds)
      return .admitted
    }
  }

  /// Notes whether a connection waits for a request.
  func mark(_ descriptor: Int32, isWaiting: Bool) {
    state.update { state in
      guard state.open[descriptor] != nil else { return }
      state.open[descriptor] = .some(isWaiting ? Clock.monotonicMicroseconds : nil)
    }
  }

  /// Takes a connection off the list and closes it.
  func release(_ descriptor: Int32) {
    state.update { state in
      state.open.removeValue(forKey: descriptor)
      state.ending.remove(descriptor)
      Socket.release(descriptor)
    }
  }

  /// Whether `stop()` was called.
  var isStopped: Bool { state.update { $0.isStopped } }

  /// How many connections are open.
  var count: Int { state.update { $0.open.count } }

  /// Blocks until so many connections are open, or fewer.
  func waitForCount(atMost limit: Int) { state.wait { $0.open.count <= limit ? () : nil } }

  /// Notes that the port is closed.
  func listenerEnded() {
    state.update { state in
      state.isListening = false
      closeWriter(&state)
    }
  }

  /// Ends every connection and waits for the port to be closed, which needs no client's help.
  func stop() {
    state.update { state in
      state.isStopped = true
      closeWriter(&state)
      for descriptor in state.open.keys { Socket.end(descriptor) }
    }
    state.wait { $0.isListening ? nil : () }
  }

  private func closeWriter(_ state: inout State) {
    guard state.wakeWriter >= 0 else { return }
    Socket.release(state.wakeWriter)
    state.wakeWriter = -1
  }
}
