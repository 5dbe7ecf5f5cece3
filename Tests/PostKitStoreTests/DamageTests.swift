// Damage: found after an unclean stop, set aside, and what can be read is taken over.

import Foundation
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

/// What became of a part of a file.
enum Damage: CaseIterable {
  case truncated, zeroed, scribbled

  /// The bytes of a file with damage somewhere behind the schema.
  func applied(to bytes: [UInt8], seed: UInt64) -> [UInt8] {
    var generator = RepeatableGenerator(seed: seed)
    let page = Int.random(in: 56..<bytes.count / 4_096 - 12, using: &generator)
    // A disk loses whole pages; what somebody scribbled begins anywhere.
    let offset = self == .scribbled ? Int.random(in: 0..<4_096, using: &generator) : 0
    let start = page * 4_096 + offset
    let range = start..<start + Int.random(in: 1...10, using: &generator) * 4_096
    switch self {
    case .truncated: return Array(bytes[..<start])
    case .zeroed:
      return Array(bytes[..<range.lowerBound]) + Array(repeating: 0, count: range.count)
        + Array(bytes[range.upperBound...])
    case .scribbled:
      return Array(bytes[..<range.lowerBound])
        + range.map { _ in UInt8.random(in: 0...255, using: &generator) }
        + Array(bytes[range.upperBound...])
    }
  }
}

@Suite struct DamageTests {
  @Test(arguments: Damage.allCases, [1, 2, 3, 4, 5, 6])
  func `what damage leaves readable is in the new file`(
    damage: Damage, seed: UInt64
  ) async throws {
    let place = try TemporaryDirectory()
    let before = try await Store.open(place.store)
    let sent = (0..<400).map { number in
      var exchange = Sample.exchange(number)
      if number.isMultiple(of: 20) { exchange.purpose = .token }
      return exchange
    }
    for exchange in sent { before.enqueue(exchange) }
    try await before.setSessionValue("environment", folder: "/p", to: "dev")
    try await before.emptyLog()
    await before.close()
    let bytes = try FileSystem.read(path: place.store.historyPath, limit: 1 << 30)
    let damaged = damage.applied(to: bytes, seed: seed)
    try FileSystem.writeAtomically(damaged, to: place.store.historyPath, mode: 0o600)
    try place.markUnclean()

    let store = try await Store.open(place.store)
    await store.checkSmallFiles()
    let notices = await store.takeNotices()
    guard case .setAside(_, let kept)? = notices.first?.kind, notices.count == 1 else {
      Issue.record("the notices are \(notices)")
      return
    }
    #expect(try FileSystem.read(path: kept, limit: 1 << 30) == damaged)
    var query = HistoryQuery(limit: 1_000)
    query.purpose = .all
    let lines = try await store.history(query)
    #expect(lines.count > 40, "only \(lines.count) were taken over")
    query.purpose = .only(.token)
    let tokens = Set(sent.filter { $0.purpose == .token }.map(\.id))
    #expect(
      try await store.history(query).map(\.id) == lines.map(\.id).filter(tokens.contains))
    #expect(notices[0].message.contains("\(lines.count) rows of exchange"))
    if damage != .scribbled {
      for exchange in sent {
        let found = try await store.exchange(id: exchange.id)
        #expect(found == nil || found == exchange)
      }
    }
    try await store.record(Sample.exchange(1_000))
    #expect(try await store.health().files.allSatisfy { $0.problems.isEmpty })
    #expect(await !store.isCheckDue)
    await store.close()
  }

  @Test func `collections lose what was lost, and what hung on it`() async throws {
    let place = try TemporaryDirectory()
    var notices: [StoreNotice] = []
    try place.makeDatabase(
      place.path("old"),
      """
      CREATE TABLE collection (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL,
        sort_order INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        active_environment_id TEXT);
      CREATE TABLE folder (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL,
        sort_order INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        collection_id TEXT NOT NULL, parent_id TEXT);
      INSERT INTO collection VALUES ('c', 'Shop', 0, 1, 1, 'lost');
      INSERT INTO folder VALUES ('f1', 'of c', 0, 1, 1, 'c', NULL);
      INSERT INTO folder VALUES ('f2', 'of a lost one', 0, 1, 1, 'lost', NULL);
      INSERT INTO folder VALUES ('f3', 'in that', 0, 1, 1, 'c', 'f2');
      """)
    let file = try DatabaseFile(
      path: ":memory:", schema: .collections, lock: nil, tracesStatements: false,
      notices: &notices)
    let salvage = Salvage(of: place.path("old"), into: file.connection)
    #expect(salvage.sentence.contains("1 rows of collection, 3 rows of folder"))
    let found = try file.connection.rows(
      "SELECT name || ' ' || ifnull(active_environment_id, 'none') FROM collection "
        + "UNION ALL SELECT name FROM folder"
    ) { $0.text(0) }
    #expect(found == ["Shop none", "of c"])
  }

  @Test func `what there was no time for is told, with the file that has it`() throws {
    let place = try TemporaryDirectory()
    let old = try place.openHistory(.history)
    try old.connection.run("INSERT INTO session_value VALUES ('/w', '', 'k', 'v', 1)")
    old.close()
    var notices: [StoreNotice] = []
    let file = try DatabaseFile(
      path: ":memory:", schema: .history, lock: nil, tracesStatements: false, notices: &notices)
    let path = place.store.historyPath
    let sentence = Salvage(of: path, into: file.connection, milliseconds: 0).sentence
    #expect(sentence.contains("take over nothing") && sentence.contains("in \(path) alone"))
    let whole = Salvage(of: path, into: file.connection, milliseconds: 60_000).sentence
    #expect(whole == "The new one has all that was readable: 1 rows of session_value.")
  }

  @Test func `bodies that the kept file refers to are not swept`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(body: .bytes(large(1))))
    let path = store.bodies.path(hash: SHA256.hexDigest(large(1)))
    let other = try DatabaseFile.setAside(place.store.historyPath, "for a test")
    try await store.record(Sample.exchange(1))
    #expect(try await store.sweepBodies(graceSeconds: -60) == 0)
    #expect(FileSystem.exists(path))
    try FileSystem.remove(other)
    try? FileSystem.remove(other + "-wal")
    try? FileSystem.remove(other + "-shm")
    #expect(try await store.sweepBodies(graceSeconds: -60) == 1)
    await store.close()
  }
}

@Suite(.timeLimit(.minutes(10))) struct UncleanStopTests {
  @Test func `a store that is closed in order need not be checked`() async throws {
    let place = try TemporaryDirectory()
    for _ in 0..<2 {
      let store = try await Store.open(place.store)
      let other = try await Store.open(place.store)
      #expect(await !store.isCheckDue)
      await store.close()
      await other.close()
    }
    #expect(try FileSystem.size(place.store.lockPath) == 0)
  }

  @Test func `one that others still have open is theirs to close`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for _ in 0..<3 {
      let other = try await Store.open(place.store)
      #expect(await !other.isCheckDue)
      await other.close()
    }
    #expect(try FileSystem.size(place.store.lockPath) == 1)
    await store.close()
  }

  @Test func `programs that start meanwhile have no part in a store`() async throws {
    let place = try TemporaryDirectory()
    let starting = Task.detached {
      while !Task.isCancelled {
        async let first = Subprocess.run("true")
        async let second = Subprocess.run("true")
        _ = try await (first, second)
      }
    }
    for _ in 0..<40 {
      try await Store.open(place.store).close()
      try place.markUnclean()
      let store = try await Store.open(place.store)
      #expect(await store.isCheckDue)
      await store.checkSmallFiles()
      await store.close()
    }
    starting.cancel()
    try await starting.value
  }

  @Test func `who comes first after a kill looks at the files, once`() async throws {
    let place = try TemporaryDirectory()
    try await Store.open(place.store).close()
    try place.markUnclean()
    let store = try await Store.open(place.store)
    #expect(await store.isCheckDue)
    await store.keepUp()
    while await store.isCheckDue { await Task.yield() }
    await store.close()
    let next = try await Store.open(place.store)
    #expect(await !next.isCheckDue)
    #expect(await next.takeNotices() == [])
    await next.close()
  }

  @Test func `a file that can't be used was closed in order all the same`() async throws {
    let place = try TemporaryDirectory()
    try FileSystem.makeDirectory(place.store.historyPath)
    _ = await #expect(throws: StoreFailure.self) { try await Store.open(place.store) }
    #expect(try FileSystem.size(place.store.lockPath) == 0)
  }

  @Test func `a check that nobody came to do stays due`() async throws {
    let place = try TemporaryDirectory()
    try await Store.open(place.store).close()
    try place.markUnclean()
    for _ in 0..<2 {
      let store = try await Store.open(place.store)
      #expect(await store.isCheckDue)
      await store.close()
    }
  }

  @Test func `a run checks small files itself, when all else is done`() async throws {
    let place = try TemporaryDirectory()
    try await Store.open(place.store).close()
    try place.markUnclean()
    let store = Store.closed(place.store)
    try await store.openForRun()
    try await store.record(Sample.exchange())
    #expect(await store.conclude().notices == [])
    #expect(try FileSystem.size(place.store.lockPath) == 0)
  }
}

extension TemporaryDirectory {
  /// Leaves the lock file as a process does that was killed.
  func markUnclean() throws {
    try StoreLock(path: store.lockPath).mark = .open
  }
}
