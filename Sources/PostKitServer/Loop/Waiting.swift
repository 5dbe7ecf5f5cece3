// Waiting for what may take long, but not for long.

/// Waits for work.
enum Waiting {
  /// What comes of work that ends within a time; `nil` says that it goes on. It goes on as well
  /// when the caller is cancelled, who gets the answer all the same.
  static func value<Value: Sendable>(
    within milliseconds: Int, of work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (answers, answer) = AsyncStream<Value?>.makeStream()
    let timer = Task {
      // Cancelled, it adds an answer behind the one that counts.
      try? await Task.sleep(for: .milliseconds(milliseconds))
      answer.yield(nil)
    }
    Task {
      answer.yield(await work())
      timer.cancel()
    }
    // A stream ends early in a task that is cancelled; nobody cancels this one.
    return await Task {
      for await first in answers { return first }
      return nil
    }.value
  }
}
