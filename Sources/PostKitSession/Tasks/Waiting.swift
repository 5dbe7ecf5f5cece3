// Waiting for what may take long, but not for long.

import PostKitSupport

/// Waits for work.
package enum Waiting {
  /// What comes of work that ends within a time; `nil` says that it goes on. It goes on as well
  /// when the caller is cancelled, who gets the answer all the same.
  package static func value<Value: Sendable>(
    within milliseconds: Int, of work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let first = First<Value?>()
    let timer = Alarm.shared.schedule(afterMicroseconds: Int64(milliseconds) * 1_000) {
      first.give(nil)
    }
    // Unstructured on purpose: it may go on for longer than anybody waits.
    Task(executorPreference: WorkerPool.answering) {
      first.give(await work())
      Alarm.shared.cancel(timer)
    }
    return await first.value
  }
}
