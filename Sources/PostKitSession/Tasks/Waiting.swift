// Waiting for what may take long, but not for long.

package import JSONRPC
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

/// Ends work that nobody waits for any more (R5): who cancels a request, or asks the same anew with
/// each key. What a part of a document was looked at for must not be kept as if it were all.
package enum Abandonment {
  /// Throws `cancelled` where the request of this task was given up.
  package static func check() throws(RPCError) {
    if Task.isCancelled { throw .cancelled }
  }
}

/// Work that is done by one task at a time for each key; the others wait.
package actor OneAtATime {
  private var waiting: [String: [AsyncStream<Void>.Continuation]] = [:]

  /// Does work while nobody else does work of the same key; `nil` where the task is cancelled
  /// before its turn.
  package func run<Result: Sendable>(
    _ key: String, _ work: @Sendable () async -> Result
  ) async -> Result? {
    while waiting[key] != nil {
      // It waits for a person, perhaps; no later message is to wait for that.
      Turn.current?.pass()
      let turn = AsyncStream<Void>.makeStream()
      waiting[key]?.append(turn.continuation)
      for await _ in turn.stream {}
      if Task.isCancelled { return nil }
    }
    waiting[key] = []
    let result = await work()
    for continuation in waiting.removeValue(forKey: key) ?? [] { continuation.finish() }
    return result
  }
}
