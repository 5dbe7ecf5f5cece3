// Older and newer PostKits on one file, as when Vim's plugin is updated and VS Code's is not.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct FormatsTogetherTests {
  @Test func `an older PostKit goes on writing when a newer minor version migrates under it`()
    async throws
  {
    let place = try TemporaryDirectory()
    let older = try await Store.open(place.store)
    try await older.record(Sample.exchange(0))
    let newer = try place.openHistory(.newerMinor)
    for number in 1...20 {
      try await older.record(Sample.exchange(number))
      try newer.write("set a mood", scope: "history") { connection throws(StoreFailure) in
        try newer.sql("set a mood") { connection throws(SQLiteError) in
          _ = try connection.run(
            "UPDATE exchange SET mood = 'glad' WHERE id = ?", [.text(Sample.exchange(number).id)])
        }
      }
      #expect(try await older.history(HistoryQuery(limit: 100)).count == number + 1)
    }
    // A next start of the older one finds the newer number, and leaves it.
    await older.close()
    let again = try await Store.open(place.store)
    try await again.record(Sample.full.with(number: 100))
    #expect(try await again.health().files.first?.formatVersion == "1.99")
    try await again.forget(.ids([Sample.exchange(0).id]))
    #expect(await again.takeNotices() == [])
    await again.close()
    let moods = try newer.connection.rows("SELECT mood, count(*) FROM exchange GROUP BY mood") {
      "\($0.text(0)) \($0.int(1))"
    }
    #expect(moods == ["calm 1", "glad 20"])
    #expect(try newer.connection.integer("SELECT number FROM mood_count") == 21)
    #expect(try newer.connection.text("PRAGMA integrity_check") == "ok")
    newer.close()
  }

  @Test func `when a newer major version migrates under an older one, that stops and says why`()
    async throws
  {
    let place = try TemporaryDirectory()
    let older = try await Store.open(place.store)
    try await older.record(Sample.exchange(1))
    var notices: [StoreNotice] = []
    let newer = try place.openHistory(.newerMajor, &notices)
    let content = try newer.connection.everything()
    let refusal = StoreFailure.newerFormat(path: place.store.historyPath, version: "2.0")
    await #expect(throws: refusal) { try await older.record(Sample.exchange(2)) }
    await #expect(throws: refusal) { try await older.history(HistoryQuery()) }
    await #expect(throws: refusal) { try await older.forget(.all) }
    await #expect(throws: refusal) { try await older.setSessionValue("k", folder: "", to: "v") }
    await older.close()
    await #expect(throws: refusal) { try await Store.open(place.store) }
    #expect(try newer.connection.everything() == content)
    #expect(try newer.connection.text("SELECT method FROM call") == "get")
    newer.close()
    // The way back: what was kept is a whole file of the older format.
    let kept = place.store.historyPath + ".format-\(Schema.history.version)"
    #expect(notices.map(\.kind) == [.copyKept(path: place.store.historyPath, keptAs: kept)])
    let restored = StoreLocation(directory: place.path("restored"))
    try FileSystem.makeDirectory(restored.directory)
    try FileSystem.rename(kept, to: restored.historyPath)
    let store = try await Store.open(restored)
    #expect(try await store.exchange(id: Sample.exchange(1).id) == Sample.exchange(1))
    #expect(try await store.health().problems == [])
    await store.close()
  }

  @Test func `a PostKit that runs since before the update goes on with its own columns`()
    async throws
  {
    let place = try TemporaryDirectory()
    let before = try place.openHistory(Schema.history.upTo(FormatVersion(1, 0)))
    let store = try await Store.open(place.store)
    try before.write("set a value", scope: "session") { _ throws(StoreFailure) in
      try before.sql("set a value") { connection throws(SQLiteError) in
        _ = try connection.run("INSERT INTO session_value VALUES ('/p', '', 'k', 'v', 1)")
      }
    }
    #expect(try await store.sessionValue("k", folder: "/p") == "v")
    try await store.record(Sample.full)
    #expect(try await store.exchange(id: Sample.full.id) == Sample.full)
    #expect(try before.connection.integer("SELECT count(*) FROM exchange") == 1)
    before.close()
    await store.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `many that open an older file at once migrate it once`() async throws {
    let place = try TemporaryDirectory()
    let dump = try Golden.bytes("Released/history-1.0.sql")
    try place.makeDatabase(place.store.historyPath, String(decoding: dump, as: UTF8.self))
    let location = place.store
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          let store = try await Store.open(location)
          try await store.record(Sample.exchange(1_000_000 + number))
          #expect(await store.takeNotices() == [])
          await store.close()
        }
      }
      try await group.waitForAll()
    }
    let file = try place.openHistory(.history)
    let steps = try file.connection.rows("SELECT version FROM migration ORDER BY version") {
      $0.int64(0)
    }
    #expect(steps == Schema.history.migrations.map(\.version.userVersion))
    #expect(try file.connection.integer("SELECT count(*) FROM exchange") == 11)
    file.close()
  }
}

extension Exchange {
  /// The same exchange with the id of another sample.
  fileprivate func with(number: Int) -> Exchange {
    var exchange = self
    exchange.id = Sample.exchange(number).id
    return exchange
  }
}
