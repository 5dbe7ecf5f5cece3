// Keeps two sends from asking the user the same thing at once.

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
