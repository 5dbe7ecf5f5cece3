// Several writers on one file: nobody sees a busy database, nothing is lost.

import Foundation
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite(.timeLimit(.minutes(10))) struct ConcurrencyTests {
  @Test func `eight stores write and read at once without a failure`() async throws {
    let place = try TemporaryDirectory()
    let location = place.store
    try await withThrowingTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          // Every one of them makes the files or finds them half made.
          let store = try await Store.open(location)
          for number in 0..<50 {
            let exchange = Sample.exchange(writer * 1_000 + number)
            if number % 2 == 0 {
              try await store.record(exchange)
            } else {
              store.enqueue(exchange)
            }
            if number % 10 == 0 { _ = try await store.history(HistoryQuery(text: "login")) }
          }
          try await store.flush()
          await store.close()
        }
      }
      try await group.waitForAll()
    }
    let store = try await Store.open(location)
    #expect(try await store.history(HistoryQuery(limit: 1_000)).count == 400)
    #expect(try await store.health().files.allSatisfy { $0.problems.isEmpty })
    await store.close()
  }

  @Test func `the log stays bounded however much is written`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<400 {
      store.enqueue(Sample.exchange(number, body: .bytes(large(1, count: 60_000))))
    }
    try await store.flush()
    let health = try await store.health()
    let history = try #require(health.files.first)
    #expect(history.size > 20_000_000)
    // The limit of 4 MB is looked at after each commit; the last group comes on top.
    #expect(history.logSize < 12_000_000, "the log has \(history.logSize) bytes")
    await store.close()
  }

  @Test func `the log stays bounded where all that was written is committed at once`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    // As on a busy machine: the store's thread comes to none of the groups before the flush.
    let isEnqueued = Monitor(false)
    store.executor.schedule { isEnqueued.wait { $0 ? () : nil } }
    for number in 0..<400 {
      store.enqueue(Sample.exchange(number, body: .bytes(large(1, count: 60_000))))
    }
    async let flushed: Void = store.flush()
    isEnqueued.update { $0 = true }
    try await flushed
    let history = try #require(try await store.health().files.first)
    #expect(history.logSize < 12_000_000, "the log has \(history.logSize) bytes")
    await store.close()
  }

  @Test func `the log stays bounded over many short sessions`() async throws {
    let place = try TemporaryDirectory()
    for number in 0..<60 {
      let store = try await Store.open(place.store)
      try await store.record(Sample.exchange(number))
      await store.close()
      let size = FileSystem.version(place.store.historyPath + "-wal")?.size ?? 0
      #expect(size < 700_000, "the log has \(size) bytes after session \(number)")
    }
    let store = try await Store.open(place.store)
    #expect(try await store.history(HistoryQuery(limit: 100)).count == 60)
    await store.close()
  }

  @Test func `a writer waits for the lock of another`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let lockPath = place.store.lockPath
    let state = Monitor((isHeld: false, isAsked: false, isRecorded: false))
    async let wasRecordedWhileHeld = SerialQueueExecutor().perform { () throws(StoreFailure) in
      try StoreLock(path: lockPath).hold {
        state.update { $0.isHeld = true }
        state.wait { $0.isAsked ? () : nil }
        // Long enough for a writer that doesn't care.
        for _ in 0..<100 where !state.update({ $0.isRecorded }) { usleep(1_000) }
        return state.update { $0.isRecorded }
      }
    }
    await SerialQueueExecutor().perform { state.wait { $0.isHeld ? () : nil } }
    state.update { $0.isAsked = true }
    try await store.record(Sample.exchange())
    state.update { $0.isRecorded = true }
    #expect(try await wasRecordedWhileHeld == false)
    await store.close()
  }

  @Test func `a lock that is never given up is a failure after 5 seconds, and reading goes on`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange())
    let tool = try #require(
      try Require.tool("flock", reason: "holds the lock as another process does"))
    let script = """
      touch '\(place.path("held"))'; until [ -e '\(place.path("released"))' ]; do sleep 0.02; done
      """
    async let holder = Subprocess.run(
      tool, ["-x", place.store.lockPath, "sh", "-c", script], timeoutSeconds: 60)
    while !FileSystem.exists(place.path("held")) { await Task.yield() }
    let start = Clock.monotonicMicroseconds
    let failure = await #expect(throws: StoreFailure.self) {
      try await store.record(Sample.exchange(1))
    }
    let elapsed = Clock.monotonicMicroseconds - start
    guard case .busy(place.store.lockPath, let waited?) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    // What is told is the time that has passed.
    #expect(waited > 4_900 && waited * 1_000 <= elapsed, "\(waited) ms of \(elapsed) us")
    // How much later than 5 seconds depends on what else the machine does.
    #expect(elapsed > 4_900_000, "it took \(elapsed) us")
    #expect(try await store.history(HistoryQuery()).count == 1)
    try place.write("released", "")
    _ = try await holder
    await store.close()
  }
}
