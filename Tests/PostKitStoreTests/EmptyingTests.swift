// Forgetting everything at once: what stays, who else is there, and what happens when it is
// interrupted.

import Libc
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct EmptyingTests {
  @Test func `all but the history outlives it`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    let connection = try Connection(path: place.store.historyPath)
    try connection.run("INSERT INTO saved_search VALUES ('failed', 'status:5xx', 1)")
    try connection.run(
      "INSERT INTO described_service VALUES ('openapi', 'https://a.test/api', '', 1, x'7B7D')")
    try connection.run("INSERT INTO token (key) VALUES ('k')")
    connection.close()
    let before = try content(of: place)
    let revision = try await store.revision()
    #expect(try await store.forget(.all) == 20)
    let after = try content(of: place)
    #expect(Set(before.keys) == Set(after.keys))
    for (table, rows) in before where !Store.exchangeTables.contains(table) && table != "revision" {
      #expect(after[table] == rows && !rows.isEmpty, "\(table)")
    }
    #expect(after["exchange"] == [])
    #expect(try await store.revision() == revision + 1)
    #expect(try await store.health().problems == [])
    #expect(FileSystem.mode(place.store.historyPath) == 0o600)
    try await store.record(Sample.exchange(50, name: "after"))
    #expect(try await store.history(HistoryQuery(text: "after")).count == 1)
    await store.close()
  }

  @Test func `what was counted of the index goes on, so that no merging of before is in its way`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    try await store.delete(Model.HistoryEntry.self) { $0.host == "api.example.com" }
    #expect(try await store.indexWords(milliseconds: 60_000))
    let before = try content(of: place)["word_erasure"]
    #expect(before == ["word_erasure 20, 0"])
    try await store.forget(.all)
    #expect(try content(of: place)["word_erasure"] == ["word_erasure 20, 20"])
    await store.close()
  }

  @Test func `another store sees it, goes on, and loses nothing that it adds`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let other = try await Store.open(place.store)
    try await fill(store)
    #expect(try await other.history(HistoryQuery(text: "login")).count == 20)
    let revision = try await other.revision()
    #expect(try await store.forget(.all) == 20)
    #expect(try await other.history(HistoryQuery()).isEmpty)
    #expect(try await other.revision() > revision)
    try await other.record(Sample.exchange(50))
    try await other.setSessionValue("k", folder: "/w", to: "new")
    #expect(try await store.history(HistoryQuery(text: "login")).count == 1)
    #expect(try await store.sessionValue("k", folder: "/w") == "new")
    await other.close()
    await store.close()
  }

  @Test func `somebody who reads hinders nobody, and reads on what there was`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    let reader = try Connection(path: place.store.historyPath)
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM exchange") == 20)
    #expect(try await store.forget(.all) == 20)
    #expect(try await places(of: "login", in: place) == [])
    try await store.record(Sample.exchange(50))
    #expect(try reader.integer("SELECT count(*) FROM exchange WHERE request_name = 'login'") == 20)
    reader.close()
    #expect(try await store.health().problems == [])
    #expect(try await store.history(HistoryQuery()).count == 1)
    await store.close()
  }

  /// The moments at which it may be interrupted, by what is in the directory then.
  @Test(arguments: ["while it writes", "before it removes", "after it has removed", "without a log"])
  func `when it is interrupted all or nothing is forgotten`(moment: String) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    let path = place.store.historyPath
    let isDone = !["while it writes", "before it removes"].contains(moment)
    if moment == "while it writes" {
      try FileSystem.write(Array("login".utf8), to: path + ".emptied.part")
    } else {
      try Successor(path: path).make(
        .history, without: Store.exchangeTables, then: WordErasure.allDone, raising: "history",
        traces: false)
    }
    if isDone { try FileSystem.remove(path) }
    if moment == "without a log" { try FileSystem.remove(path + "-wal") }
    // One that was there before, and one that comes later.
    for next in [store, try await Store.open(place.store)] {
      #expect(try await next.history(HistoryQuery()).count == (isDone ? 0 : 20))
      #expect(try await next.sessionValue("k", folder: "/w") == "v")
      #expect(try await next.health().problems == [])
      await next.close()
    }
    let left = try FileSystem.list(place.store.directory).filter { $0.contains("emptied") }
    #expect(left == [])
    #expect(try await places(of: "login", in: place).isEmpty == isDone)
  }

  @Test func `a file that lies elsewhere is emptied there`() async throws {
    let place = try TemporaryDirectory()
    let elsewhere = place.path("elsewhere.sqlite")
    let first = try await Store.open(place.store)
    try await fill(first)
    try await first.emptyLog()
    await first.close()
    try FileSystem.rename(place.store.historyPath, to: elsewhere)
    #expect(symlink(elsewhere, place.store.historyPath) == 0)
    let store = try await Store.open(place.store)
    #expect(try await store.forget(.all) == 20)
    #expect(try await store.sessionValue("k", folder: "/w") == "v")
    await store.close()
    let found = try await Subprocess.run("grep", ["-rlaF", "login", place.path("")])
    #expect(found.output == "")
    #expect(FileSystem.realPath(place.store.historyPath) == FileSystem.realPath(elsewhere))
  }

  @Test func `a newer format is emptied row by row, whatever else it has`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await fill(store)
    let newer = try Connection(path: place.store.historyPath)
    try newer.execute(
      """
      CREATE TABLE later (sequence INTEGER PRIMARY KEY);
      INSERT INTO later SELECT sequence FROM exchange;
      CREATE TRIGGER later_deleted AFTER DELETE ON exchange BEGIN
        DELETE FROM later WHERE sequence = old.sequence;
      END;
      PRAGMA user_version = \(FormatVersion(1, 99).userVersion)
      """)
    newer.close()
    #expect(try await store.forget(.all) == 20)
    #expect(try content(of: place)["later"] == [])
    #expect(try await places(of: "login", in: place) == [])
    await store.close()
  }

  private func fill(_ store: Store) async throws {
    for number in 0..<20 { try await store.record(Sample.exchange(number)) }
    #expect(try await store.indexWords(milliseconds: 60_000))
    try await store.setSessionValue("k", folder: "/w", to: "v")
    try await store.change(
      CookieChanges(from: [], to: [CookieStoreTests.cookie("a")]),
      of: WorkspaceEnvironment(folder: "/w", environment: "dev"))
  }

  /// The rows of all tables but those of the index of words.
  private func content(of place: TemporaryDirectory) throws -> [String: [String]] {
    let connection = try Connection(path: place.store.historyPath)
    defer { connection.close() }
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    ) { $0.text(0) }
    let tables = names.filter { !WordIndex.tables.contains($0) }
    return try Dictionary(
      uniqueKeysWithValues: tables.map {
        ($0, try connection.content(of: $0, columns: connection.columns(of: $0)))
      })
  }
}
