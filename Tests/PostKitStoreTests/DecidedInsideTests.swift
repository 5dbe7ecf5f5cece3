// What a transaction decides on is read inside it: another process comes before each transaction.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct DecidedInsideTests {
  @Test func `a part of the history is forgotten while another process removes the index`()
    async throws
  {
    guard SQLiteLibrary.hasFullText else { return }
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<20 { try await store.record(Sample.exchange(number)) }
    #expect(try await store.indexWords(milliseconds: 60_000))
    let count = try await interrupted(
      place.store.historyPath, by: "DROP TABLE words; DELETE FROM word_task"
    ) { try await store.forget(.host("api.example.com")) }
    #expect(count == 20)
    #expect(try await store.history(HistoryQuery()).isEmpty)
    await store.close()
  }

  @Test func `two that find too many exchanges delete them once`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<100 { try await store.record(Sample.exchange(number)) }
    var retention = Retention()
    retention.maxAgeDays = 36_500
    retention.maxEntries = 40
    let wanted = retention
    _ = try await interrupted(
      place.store.historyPath,
      by: "DELETE FROM exchange WHERE sequence IN (SELECT sequence FROM exchange LIMIT 60)"
    ) { try await store.trim(wanted, now: Sample.start) }
    #expect(try await store.history(HistoryQuery(limit: 500)).count == 40)
    await store.close()
  }

  @Test func `what was too much of a history that is gone takes nothing of the new one`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let other = try await Store.open(place.store)
    for number in 0..<200 {
      store.enqueue(Sample.exchange(number, body: .bytes([UInt8](repeating: 65, count: 2_000))))
    }
    try await store.flush()
    var retention = Retention()
    retention.maxAgeDays = 36_500
    retention.maxBytes = try await store.byteCount() / 4
    #expect(try await store.trim(retention, now: Sample.start))
    try await other.forget(.all)
    for number in 300..<310 { try await other.record(Sample.exchange(number)) }
    while try await store.trim(retention, now: Sample.start) {}
    #expect(try await other.history(HistoryQuery(limit: 500)).count == 10)
    await store.close()
    await other.close()
  }

  @Test func `an exchange that comes while its file is renamed gets the new name, too`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(1, file: "/project/a/one.http"))
    try await store.record(Sample.exchange(2, file: "/project/other.http"))
    let moves = [FileMove(from: "/project/a", to: "/project/b")]
    let count = try await interrupted(
      place.store.historyPath,
      by: "UPDATE exchange SET file = '/project/a/two.http' WHERE file = '/project/other.http'"
    ) { try await store.follow(moves) }
    #expect(count == 2)
    let files = Set(try await store.history(HistoryQuery()).map(\.file))
    #expect(files == ["/project/b/one.http", "/project/b/two.http"])
    await store.close()
  }

  @Test func `the view of an exchange that comes while its host is forgotten goes, too`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(1))
    let late = Sample.exchange(2, url: "https://other.example/")
    try await store.record(late)
    try FileSystem.makeDirectory(place.store.viewDirectory)
    let view = "\(place.store.viewDirectory)/\(late.id).http"
    try FileSystem.write([], to: view)
    let count = try await interrupted(
      place.store.historyPath,
      by: "UPDATE exchange SET url = 'https://api.example.com/' WHERE id = '\(late.id)'"
    ) { try await store.forget(.host("api.example.com")) }
    #expect(count == 2 && !FileSystem.exists(view))
    await store.close()
  }

  @Test(arguments: [nil, "seen"])
  func `a note that is not the one that was seen is left as it is`(seen: String?) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let exchange = Sample.exchange(1)
    try await store.record(exchange)
    try await store.mark([exchange.id], as: .note(seen))
    let marks = [
      HistoryMarking([exchange.id], as: .label("new")),
      HistoryMarking([exchange.id], as: .note("mine"), seen: .note(seen)),
    ]
    await #expect(throws: StoreFailure.markChanged(path: place.store.historyPath, to: "theirs")) {
      try await interrupted(place.store.historyPath, by: "UPDATE exchange SET note = 'theirs'") {
        try await store.editHistory(.mark(marks), ifRevision: nil)
      }
    }
    var kept = try #require(try await store.exchange(id: exchange.id))
    #expect(kept.note == "theirs" && kept.label == nil)
    try await store.mark([exchange.id], as: .note(seen))
    _ = try await store.editHistory(.mark(marks), ifRevision: nil)
    kept = try #require(try await store.exchange(id: exchange.id))
    #expect(kept.note == "mine" && kept.label == "new")
    await store.close()
  }

  @Test func `of some session values all are forgotten, or none where one is missing`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for key in ["a", "b"] { try await store.setSessionValue(key, folder: "/p", to: key) }
    let result = try await interrupted(
      place.store.historyPath, by: "DELETE FROM session_value WHERE key = 'b'"
    ) { try await store.forget(["a", "b"], of: SessionQuery()) }
    #expect(result.missing == "b" && result.count == 0)
    #expect(try await store.sessionValue("a", folder: "/p") == "a")
    await store.close()
  }
}

/// Does something, before whose first transaction another process runs statements on a file.
func interrupted<Result: Sendable>(
  _ path: String, by statements: String, _ work: @Sendable () async throws -> Result
) async throws -> Result {
  let outcome = Monitor<(isDone: Bool, failure: String?)>((false, nil))
  let result = try await DatabaseFile.$beforeWrite.withValue({
    guard outcome.update({ state in
      defer { state.isDone = true }
      return !state.isDone
    }) else { return }
    do {
      let connection = try Connection(path: path)
      defer { connection.close() }
      try connection.execute(statements)
    } catch {
      outcome.update { $0.failure = "\(error)" }
    }
  }) { try await work() }
  let (isDone, failure) = outcome.update { $0 }
  #expect(isDone && failure == nil, "\(failure ?? "there was no transaction")")
  return result
}
