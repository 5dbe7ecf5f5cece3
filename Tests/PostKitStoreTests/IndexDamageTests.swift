// Damage of what is derived from the history: it is made anew, and the history stays where it is.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct IndexDamageTests {
  @Test(arguments: [
    "DELETE FROM words_data WHERE id > 10",
    "UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 10",
    "UPDATE words_data SET block = zeroblob(length(block)) WHERE id = 10",
    "DELETE FROM words_docsize WHERE id = 7",
    "UPDATE words_content SET c0 = 'something else' WHERE id = 7",
    "DELETE FROM words_config",
    "UPDATE words_config SET v = 0",
    "DELETE FROM words_idx",
    "DELETE FROM words_idx WHERE pgno = (SELECT max(pgno) FROM words_idx)",
    "UPDATE words_idx SET pgno = 2",
  ])
  func `an index that disagrees with the history is found and made anew`(
    change: String
  ) async throws {
    let place = try await indexed()
    let connection = try Connection(path: place.store.historyPath)
    try connection.changeInternalTables(change)
    #expect(try connection.damage() == nil)
    connection.close()
    try place.markUnclean()
    let store = try await Store.open(place.store)
    await store.checkSmallFiles()
    try await expectMended(store, at: place)
  }

  @Test func `doctor finds such an index without any stop`() async throws {
    let place = try await indexed()
    let connection = try Connection(path: place.store.historyPath)
    try connection.changeInternalTables("DELETE FROM words_docsize WHERE id = 7")
    connection.close()
    let store = try await Store.open(place.store)
    #expect(try await store.health().wordIndex.pendingCount == 150)
    try await expectMended(store, at: place)
  }

  @Test(arguments: WordIndex.tables.dropFirst(), [UInt8(0), 0xA5])
  func `a damaged page of the index costs no file`(table: String, byte: UInt8) async throws {
    let place = try await indexed()
    try place.overwrite(table, with: byte)
    try place.markUnclean()
    let store = try await Store.open(place.store)
    await store.checkSmallFiles()
    try await expectMended(store, at: place)
  }

  @Test func `a search that FTS5 refuses makes the index anew and answers`() async throws {
    let place = try await indexed()
    let connection = try Connection(path: place.store.historyPath)
    try connection.changeInternalTables("DELETE FROM words_config")
    connection.close()
    let store = try await Store.open(place.store)
    #expect(try await store.history(HistoryQuery(text: "login", limit: 200)).count == 150)
    try await expectMended(store, at: place)
  }

  @Test func `what is recorded is indexed anew where FTS5 refuses`() async throws {
    let place = try await indexed()
    let connection = try Connection(path: place.store.historyPath)
    try connection.changeInternalTables("DELETE FROM words_config")
    connection.close()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(150))
    try await store.indexWordsOnce()
    try await store.forget(.ids([Sample.exchange(150).id]))
    try await expectMended(store, at: place)
  }

  @Test func `a search that meets such a page has it mended and answers`() async throws {
    let place = try await indexed()
    try place.overwrite("words_data", with: 0xA5)
    let store = try await Store.open(place.store)
    #expect(try await store.history(HistoryQuery(text: "login", limit: 200)).count == 150)
    try await expectMended(store, at: place)
  }

  @Test func `pages that are lost are left out of the file`() async throws {
    let place = try await indexed()
    var bytes = try FileSystem.read(path: place.store.historyPath, limit: 1 << 30)
    // What the header says of free pages.
    bytes.replaceSubrange(36..<40, with: [0, 0, 0, 9])
    try FileSystem.writeAtomically(bytes, to: place.store.historyPath, mode: 0o600)
    let store = try await Store.open(place.store)
    #expect(try await store.health().problems == [])
    try await expectMended(store, at: place)
  }

  @Test(.timeLimit(.minutes(10)))
  func `what was found is announced when it is found, in one line`() async throws {
    let place = try await indexed()
    try place.overwrite("exchange", with: 0xA5)
    try place.markUnclean()
    let store = try await Store.open(place.store)
    let (announcements, continuation) = AsyncStream.makeStream(of: [StoreNotice].self)
    await store.keepUp { continuation.yield($0) }
    let notices = await announcements.first { _ in true } ?? []
    #expect(notices.count == 1)
    #expect(await store.takeNotices() == [])
    guard case .setAside = notices.first?.kind else {
      Issue.record("the notices are \(notices)")
      return
    }
    #expect(!notices[0].message.contains("\n"))
    await store.close()
  }

  /// A place with a history all of whose words are indexed, closed, and with an empty log.
  private func indexed() async throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<150 { store.enqueue(Sample.exchange(number)) }
    #expect(try await store.indexWords(milliseconds: 60_000))
    try await store.emptyLog()
    await store.close()
    return place
  }

  /// The history is whole and in its file, words are found, and that is told once.
  private func expectMended(_ store: Store, at place: TemporaryDirectory) async throws {
    // Whoever searches at once is told that the index is not complete yet.
    let notices = await store.takeNotices().filter { $0.kind != .searchIsPartial }
    #expect(notices.map(\.kind) == [.mended(path: place.store.historyPath)])
    #expect(notices.first?.message.contains("\n") == false)
    for number in 0..<150 {
      let id = Sample.exchange(number).id
      #expect(try await store.exchange(id: id) == Sample.exchange(number))
    }
    #expect(try await store.indexWords(milliseconds: 60_000))
    #expect(try await store.history(HistoryQuery(text: "login", limit: 200)).count == 150)
    let health = try await store.health()
    #expect(health.problems == [] && health.setAside == [])
    #expect(await store.takeNotices() == [])
    await store.close()
  }
}

extension TemporaryDirectory {
  /// Overwrites the first page of a table of the history.
  fileprivate func overwrite(_ table: String, with byte: UInt8) throws {
    let connection = try Connection(path: store.historyPath)
    let page = try connection.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?", [.text(table)])
    connection.close()
    var bytes = try FileSystem.read(path: store.historyPath, limit: 1 << 30)
    let start = Int(page - 1) * 4_096
    bytes.replaceSubrange(start..<start + 4_096, with: Array(repeating: byte, count: 4_096))
    try FileSystem.writeAtomically(bytes, to: store.historyPath, mode: 0o600)
  }
}
