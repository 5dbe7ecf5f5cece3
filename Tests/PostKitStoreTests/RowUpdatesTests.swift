// Watched queries: their rows come again after each commit, whoever made it.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite(.timeLimit(.minutes(10))) struct RowUpdatesTests {
  private let failed = FetchDescriptor<Model.HistoryEntry>(
    where: { $0.status >= 400 }, sortBy: { [$0.startedAt.descending] })

  @Test func `the rows come at once and again after each commit`() async throws {
    let store = try await Store.inMemory()
    var updates = store.observe(failed).makeAsyncIterator()
    #expect(try await updates.next() == [])
    try await store.record(Sample.exchange(0, status: 404))
    #expect(try await updates.next()?.map(\.status) == [404])
    store.enqueue(Sample.exchange(1, status: 500))
    #expect(try await updates.next()?.map(\.status) == [500, 404])
    try await store.delete(Model.HistoryEntry.self) { $0.status == 404 }
    #expect(try await updates.next()?.map(\.status) == [500])
  }

  @Test func `a commit to something else brings nothing`() async throws {
    let store = try await Store.library()
    var updates = store.observe(failed).makeAsyncIterator()
    #expect(try await updates.next() == [])
    try await store.insert([Shelf("s1", "novels")])
    try await store.setSessionValue("environment", folder: "/project", to: "dev")
    try await store.record(Sample.exchange(0, status: 404))
    // What comes next is that of the last commit.
    #expect(try await updates.next()?.count == 1)
  }

  @Test func `commits of another connection come, too, and many come together`() async throws {
    let place = try TemporaryDirectory()
    let writer = try await Store.open(place.store)
    let reader = try await Store.open(place.store)
    var updates = reader.observe(failed).makeAsyncIterator()
    #expect(try await updates.next() == [])
    let start = Clock.monotonicMicroseconds
    for number in 0..<100 { try await writer.record(Sample.exchange(number, status: 404)) }
    var readings = 0
    while let rows = try await updates.next() {
      readings += 1
      if rows.count == 100 { break }
    }
    // The first one at once, the others in steps of 250 ms.
    let steps = Int((Clock.monotonicMicroseconds - start) / 250_000)
    #expect(readings <= steps + 2, "\(readings) in \(steps) steps")
    await writer.close()
    await reader.close()
  }

  @Test func `closing the store ends the watch`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    var updates = store.observe(failed).makeAsyncIterator()
    #expect(try await updates.next() == [])
    await store.close()
    #expect(try await updates.next() == nil)
    await #expect(throws: StoreFailure.closed(path: place.store.historyPath)) {
      for try await _ in store.observe(failed) {}
    }
  }

  @Test func `cancelling ends the watch, and nobody listens any more`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let (readings, reading) = AsyncStream.makeStream(of: Int.self)
    let watch = Task { [failed] in
      for try await rows in store.observe(failed) { reading.yield(rows.count) }
    }
    for await _ in readings { break }
    #expect(store.hub.hasListeners)
    watch.cancel()
    try await watch.value
    #expect(!store.hub.hasListeners)
    await store.close()
  }

  @Test func `whoever asks for the revision leaves listeners their news`() async throws {
    let place = try TemporaryDirectory()
    let writer = try await Store.open(place.store)
    let reader = try await Store.open(place.store)
    var updates = reader.observe(failed).makeAsyncIterator()
    #expect(try await updates.next() == [])
    try await writer.record(Sample.exchange(0, status: 404))
    let revision = try await reader.revision()
    #expect(revision == 1)
    #expect(try await updates.next()?.count == 1)
    await writer.close()
    await reader.close()
  }
}
