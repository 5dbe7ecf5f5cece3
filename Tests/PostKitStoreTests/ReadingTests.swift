// Reading beside the store that writes, and not at all where nothing was written.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite(.timeLimit(.minutes(10))) struct ReadingTests {
  @Test func `who only reads sees each commit at once, by a thread of its own`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let reader = try #require(try await Store.reader(of: store))
    for number in 0..<5 {
      try await store.record(Sample.exchange(number))
      #expect(try await reader.history(HistoryQuery()).count == number + 1)
      #expect(try await reader.revision() == store.revision())
    }
    // The store's own thread waits until the reader has answered.
    let isRead = Monitor(false)
    store.executor.schedule { isRead.wait { $0 ? () : nil } }
    #expect(try await reader.history(HistoryQuery()).count == 5)
    isRead.update { $0 = true }
    await reader.close()
    await store.close()
  }

  @Test func `who only reads goes on in the history that was made anew`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let reader = try #require(try await Store.reader(of: store))
    for number in 0..<3 { try await store.record(Sample.exchange(number)) }
    let before = try await reader.revision()
    _ = try await store.forget(.all)
    #expect(try await reader.history(HistoryQuery()).isEmpty)
    #expect(try await reader.revision() > before)
    try await store.record(Sample.exchange(7))
    #expect(try await reader.history(HistoryQuery()).count == 1)
    await reader.close()
    await store.close()
  }

  @Test func `in memory there is no other way in, and nothing is known without asking`()
    async throws
  {
    let store = try await Store.inMemory()
    #expect(try await Store.reader(of: store) == nil)
    _ = try await store.revision()
    #expect(store.revisionAtRest == nil)
  }

  @Test func `the revision is known without asking until somebody writes`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let reader = try #require(try await Store.reader(of: store))
    let other = try await Store.open(place.store)
    #expect(reader.revisionAtRest == nil)
    for writer in [store, other] {
      try await writer.record(Sample.exchange(writer === store ? 1 : 2))
      #expect(reader.revisionAtRest == nil)
      // What was written in this moment could be written again without a trace in the times.
      let young = try await reader.revision()
      try age(place.store)
      #expect(reader.revisionAtRest == nil)
      #expect(try await reader.revision() == young)
      #expect(reader.revisionAtRest == young)
    }
    try await other.setSessionValue("environment", folder: "/project", to: "dev")
    #expect(reader.revisionAtRest == nil)
    for store in [reader, other, store] { await store.close() }
  }

  /// Makes the files old.
  private func age(_ location: StoreLocation) throws {
    for path in [location.historyPath, location.collectionsPath] {
      for file in [path, path + "-wal"] where FileSystem.exists(file) {
        try TemporaryDirectory.age(file, seconds: 3_600)
      }
    }
  }
}
