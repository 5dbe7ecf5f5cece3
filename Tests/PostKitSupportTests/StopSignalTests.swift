// Work that is ended from outside of its task.

import PostKitSupport
import Testing

@Suite struct StopSignalTests {
  /// Ends when its task is cancelled, and never otherwise.
  @Sendable private static func waitForCancellation() async -> Bool {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    return withExtendedLifetime(continuation) { Task.isCancelled }
  }

  @Test func `work ends by itself`() async {
    let stop = StopSignal()
    #expect(await stop.ending { 7 } == 7)
    stop.stop()
  }

  @Test func `a signal cancels the work, which then says how it ended`() async {
    let stop = StopSignal()
    let (started, start) = AsyncStream<Void>.makeStream()
    async let answer = stop.ending {
      start.finish()
      return await Self.waitForCancellation() ? "cancelled" : "went on"
    }
    for await _ in started {}
    stop.stop()
    #expect(await answer == "cancelled")
  }

  @Test func `a signal that was given before cancels at once, and so does the caller's task`()
    async
  {
    let given = StopSignal()
    given.stop()
    #expect(await given.ending(Self.waitForCancellation) == true)
    let other = StopSignal()
    await withTaskGroup(of: Bool?.self) { group in
      group.addTask { await other.ending(Self.waitForCancellation) }
      group.cancelAll()
      #expect(await group.next() == true)
    }
  }
}
