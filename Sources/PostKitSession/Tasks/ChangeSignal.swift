// Lets an answer wait until there is something new to say.

import Synchronization

/// Counts changes, and wakes those that wait for the next one.
package final class ChangeSignal: Sendable {
  private struct State {
    var revision: UInt64 = 0
    var next = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// How many changes there were.
  package var revision: UInt64 { state.withLock { $0.revision } }

  /// Says that something has changed.
  package func raise() {
    let waiting = state.withLock { state in
      state.revision += 1
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }

  /// Waits until something has changed after a revision, or the task is cancelled.
  package func wait(after revision: UInt64) async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.revision != revision || Task.isCancelled { return true }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}
