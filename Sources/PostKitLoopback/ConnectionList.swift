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

  private struct Entry {
    /// Since when it waits for a request, in microseconds of the monotonic clock; `nil` while one
    /// is being answered.
    var waitingSince: Int64?
    /// Whether it was told to end in favour of others.
    var isEnding = false
  }

  private struct State {
    var open: [Int32: Entry] = [:]
    var isStopped = false
    var isListening = true
    var wakeWriter: Int32
  }

  private let state: Monitor<State>
  private let limits: LoopbackLimits

  /// Makes an empty list; closing `wakeWriter` ends the accepting thread.
  init(wakeWriter: Int32, _ limits: LoopbackLimits) {
    state = Monitor(State(wakeWriter: wakeWriter))
    self.limits = limits
  }

  /// Adds a connection. When there are too many, the one that has waited longest for a request
  /// is ended, as one of a client that hangs.
  func admit(_ descriptor: Int32) -> Admission {
    let limits = limits
    return state.update { state in
      if state.isStopped { return .stopped }
      let ending = state.open.values.count { $0.isEnding }
      if state.open.count - ending >= limits.connections {
        let oldest = state.open.filter { !$0.value.isEnding }
          .compactMap { entry in entry.value.waitingSince.map { (entry.key, $0) } }
          .min { $0.1 < $1.1 }
        guard let oldest, ending < limits.endingConnections else { return .full }
        state.open[oldest.0]?.isEnding = true
        Socket.end(oldest.0)
      }
      state.open[descriptor] = Entry(waitingSince: Clock.monotonicMicroseconds)
      return .admitted
    }
  }

  /// Notes whether a connection waits for a request.
  func mark(_ descriptor: Int32, isWaiting: Bool) {
    state.update { state in
      state.open[descriptor]?.waitingSince = isWaiting ? Clock.monotonicMicroseconds : nil
    }
  }

  /// Takes a connection off the list and closes it.
  func release(_ descriptor: Int32) {
    state.update { state in
      state.open.removeValue(forKey: descriptor)
      Socket.release(descriptor)
    }
  }

  /// Whether `stop()` was called.
  var isStopped: Bool { state.update { $0.isStopped } }

  /// Blocks until the numbers of open connections and of those being answered are as wanted.
  func wait(until isWanted: (_ open: Int, _ busy: Int) -> Bool) {
    state.wait { state in
      let busy = state.open.values.count { $0.waitingSince == nil }
      return isWanted(state.open.count, busy) ? () : nil
    }
  }

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
