// Not reading where nothing was written.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite(.timeLimit(.minutes(10))) struct ReadingTests {
  @Test func `in memory nothing is known without asking`() async throws {
    let store = try await Store.inMemory()
    _ = try await store.revision()
    #expect(store.revisionAtRest == nil)
  }

  @Test func `the revision is known without asking until somebody writes`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let other = try await Store.open(place.store)
    #expect(store.revisionAtRest == nil)
    for writer in [store, other] {
      try await writer.record(Sample.exchange(writer === store ? 1 : 2))
      #expect(store.revisionAtRest == nil)
      // What was written in this moment could be written again without a trace in the times.
      let young = try await store.revision()
      try age(place.store)
      #expect(store.revisionAtRest == nil)
      #expect(try await store.revision() == young)
      #expect(store.revisionAtRest == young)
    }
    try await other.setSessionValue("environment", folder: "/project", to: "dev")
    #expect(store.revisionAtRest == nil)
    for store in [other, store] { await store.close() }
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
