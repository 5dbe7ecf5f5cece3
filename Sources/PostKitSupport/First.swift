// The first of several answers.

import Synchronization

/// The first of several answers, for the one task that waits for it.
package final class First<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Mutex(State.open)

  /// Makes one that nobody has answered yet.
  package init() {}

  /// Gives an answer; a later one is not heard.
  package func give(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .open:
        state = .given(value)
        return nil
      case .awaited(let continuation):
        state = .given(value)
        return continuation
      case .given: return nil
      }
    }
    waiting?.resume(returning: value)
  }

  /// The answer, waited for without a thread.
  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let given = state.withLock { state -> Value? in
          if case .given(let value) = state { return value }
          state = .awaited(continuation)
          return nil
        }
        if let given { continuation.resume(returning: given) }
      }
    }
  }
}
