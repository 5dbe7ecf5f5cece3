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
    #expect(store.marksAtRest == nil)
  }

  @Test func `the revision is known without asking until somebody writes`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let other = try await Store.open(place.store)
    #expect(store.marksAtRest == nil)
    for writer in [store, other] {
      try await writer.record(Sample.exchange(writer === store ? 1 : 2))
      #expect(store.marksAtRest == nil)
      // What was written in this moment could be written again without a trace in the times.
      let young = try await store.revision()
      try age(place.store)
      #expect(store.marksAtRest == nil)
      #expect(try await store.revision() == young)
      #expect(store.marksAtRest?.revision == young)
    }
    try await other.setSessionValue("environment", folder: "/project", to: "dev")
    #expect(store.marksAtRest == nil)
    for store in [other, store] { await store.close() }
  }

  @Test func `what this process recorded is no change, all else is one`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let other = try await Store.open(place.store)
    var before = try await store.marks()
    for number in 1...3 { try await store.record(Sample.exchange(number)) }
    try await store.record([Sample.exchange(4), Sample.exchange(5)])
    var now = try await store.marks()
    #expect(now.changes == before.changes)
    #expect(now.revision > before.revision)
    let changes: [(String, () async throws -> Void)] = [
      ("another's record", { try await other.record(Sample.exchange(6)) }),
      (
        "a record on top of another's",
        {
          try await other.record(Sample.exchange(7))
          try await store.record(Sample.exchange(8))
        }
      ),
      ("a value", { try await store.setSessionValue("environment", folder: "/p", to: "dev") }),
      (
        "another's value",
        { try await other.setSessionValue("environment", folder: "/p", to: "prod") }
      ),
      ("forgetting", { try await store.forget(.ids([Sample.exchange(2).id])) }),
    ]
    for (what, change) in changes {
      before = try await store.marks()
      try await change()
      now = try await store.marks()
      #expect(now.changes != before.changes, "\(what)")
    }
    // What could not be recorded, as it is there already, counts for nothing.
    before = try await store.marks()
    await #expect(throws: StoreFailure.self) { try await store.record(Sample.exchange(1)) }
    now = try await store.marks()
    #expect(now == before)
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
