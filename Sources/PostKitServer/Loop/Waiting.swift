// Waiting for what may take long, but not for long.

import PostKitSupport
import Synchronization

/// Waits for work.
enum Waiting {
  /// What comes of work that ends within a time; `nil` says that it goes on. It goes on as well
  /// when the caller is cancelled, who gets the answer all the same.
  static func value<Value: Sendable>(
    within milliseconds: Int, of work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let first = First<Value?>()
    let timer = Alarm.shared.schedule(afterMicroseconds: Int64(milliseconds) * 1_000) {
      first.give(nil)
    }
    // Unstructured on purpose: it may go on for longer than anybody waits.
    Task(executorPreference: Lanes.answering) {
      first.give(await work())
      Alarm.shared.cancel(timer)
    }
    return await first.value
  }
}

/// The first of several answers, for one who waits for it.
private final class First<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Mutex(State.open)

  /// Gives an answer; a later one is not heard.
  func give(_ value: Value) {
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

  var value: Value {
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
