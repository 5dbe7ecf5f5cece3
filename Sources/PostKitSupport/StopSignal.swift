// Ends a piece of work from outside of its task.

/// Lets somebody who doesn't own a task end its work, as if the task were cancelled.
package struct StopSignal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Makes a signal that was not given yet.
  package init() { (stream, continuation) = AsyncStream<Void>.makeStream() }

  /// Gives the signal; it stays given.
  package func stop() { continuation.finish() }

  /// Does work that is cancelled when the signal is given, and answers what it came to, which is
  /// never `nil`. Only one piece of work can have the signal.
  package func ending<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
      group.addTask { await work() }
      group.addTask {
        for await _ in stream {}
        return nil
      }
      var result: Result?
      for await next in group {
        if let next { result = next }
        group.cancelAll()
      }
      return result
    }
  }
}
