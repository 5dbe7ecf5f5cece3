// The files: who may read them, and what becomes of those that can't be used.

import Foundation
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct StoreFilesTests {
  @Test func `directories are closed to others and files too, whatever the umask`() async throws {
    let place = try TemporaryDirectory()
    let old = umask(0)
    defer { umask(old) }
    let store = try await Store.open(StoreLocation(directory: place.path("a/b/store")))
    try await store.record(Sample.exchange(body: .bytes(large(1))))
    umask(old)
    var modes: [String: Int] = [:]
    let list = try #require(FileManager.default.enumerator(atPath: place.path("a")))
    for case let name as String in list {
      let attributes = try FileManager.default.attributesOfItem(atPath: place.path("a/" + name))
      let mode = try #require(attributes[.posixPermissions] as? Int)
      let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
      #expect(mode == (isDirectory ? 0o700 : 0o600), "\(name) has \(String(mode, radix: 8))")
      modes[name] = mode
    }
    let expected = ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm", "store.lock"]
    for name in expected + ["collections.sqlite", "bodies"] {
      #expect(modes["b/store/" + name] != nil, "\(name) is missing")
    }
    await store.close()
  }

  @Test func `a file that others may read is closed to them`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    await store.close()
    chmod(place.store.historyPath, 0o644)
    let again = try await Store.open(place.store)
    let health = try await again.health()
    #expect(health.files.map(\.mode) == ["600", "600"])
    #expect(health.problems == [])
    await again.close()
  }

  @Test func `a directory that others may change is closed, or told of where it was named`()
    async throws
  {
    let place = try TemporaryDirectory()
    let shared = StoreLocation { ["XDG_DATA_HOME": place.path("data"), "HOME": place.path("")][$0] }
    for (location, mode, isTold) in [
      (place.store, 0o777, true), (place.store, 0o755, false), (shared, 0o777, false),
    ] {
      try FileSystem.makeDirectory(location.directory, mode: 0o700)
      chmod(location.directory, mode_t(mode))
      let store = try await Store.open(location)
      let notices = await store.takeNotices()
      #expect(notices.map(\.kind) == (isTold ? [.openDirectory(path: location.directory)] : []))
      var status = stat()
      #expect(stat(location.directory, &status) == 0)
      let expected = location == shared ? 0o700 : mode
      #expect(Int(status.st_mode & 0o777) == expected)
      if isTold {
        #expect(await store.standing(notices) == notices)
        chmod(location.directory, 0o700)
        #expect(await store.standing(notices) == [])
      }
      await store.close()
    }
  }

  @Test func `the rules of the file hold in every connection`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let found = try await store.settings()
    #expect(
      found == [
        "application_id": "\(0x506B_4869)", "auto_vacuum": "2", "busy_timeout": "0",
        "cell_size_check": "1", "foreign_keys": "1", "journal_mode": "wal",
        "journal_size_limit": "8388608", "mmap_size": "0", "secure_delete": "1",
        "synchronous": "1", "trusted_schema": "0", "user_version": "\(Schema.history.version.userVersion)",
      ])
    // What people have made is on the disk when it is said to be there.
    let others = try await store.settings(ofCollections: true).filter { found[$0.key] != $0.value }
    #expect(
      others == [
        "application_id": "\(0x506B_436F)", "synchronous": "2",
        "user_version": "\(Schema.collections.version.userVersion)",
      ])
    await store.close()
  }

  @Test(arguments: ["This is not a database, it only has its name.", "SQLite format 3\u{0}", "x"])
  func `what is not a usable database is set aside, kept and replaced`(text: String) async throws {
    let place = try TemporaryDirectory()
    try place.write("store/history.sqlite", text + String(repeating: "\u{1}", count: 2_000))
    try place.write("store/history.sqlite-wal", "log")
    let store = try await Store.open(place.store)
    let notice = try #require(await store.takeNotices().first)
    guard case .setAside(let path, let kept) = notice.kind else {
      Issue.record("the notice is \(notice)")
      return
    }
    #expect(path == place.store.historyPath && notice.message.contains(kept))
    #expect(FileManager.default.contents(atPath: kept)?.starts(with: Data(text.utf8)) == true)
    #expect(FileSystem.exists(kept + "-wal"))
    #expect(await store.takeNotices() == [])
    try await store.record(Sample.exchange())
    #expect(try await store.history(HistoryQuery()).count == 1)
    #expect(try await store.health().setAside == [kept])
    await store.close()
  }

  @Test func `a database of another program is set aside, never written to`() async throws {
    let place = try TemporaryDirectory()
    let path = try place.write("store/history.sqlite", bytes: [])
    let other = try Connection(path: path)
    try other.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
    other.close()
    let before = try FileSystem.read(path: path, limit: 1 << 20)
    let store = try await Store.open(place.store)
    guard case .setAside(_, let kept)? = await store.takeNotices().first?.kind else {
      Issue.record("nothing was set aside")
      return
    }
    #expect(try FileSystem.read(path: kept, limit: 1 << 20) == before)
    await store.close()
  }

  @Test func `a newer major version is refused and left as it is`() async throws {
    let place = try TemporaryDirectory()
    try await Store.open(place.store).close()
    try change(place.store.historyPath, "PRAGMA user_version = \(2 << 16 | 3)")
    let before = try FileSystem.read(path: place.store.historyPath, limit: 1 << 20)
    await #expect(throws: StoreFailure.newerFormat(path: place.store.historyPath, version: "2.3")) {
      try await Store.open(place.store)
    }
    #expect(try FileSystem.read(path: place.store.historyPath, limit: 1 << 20) == before)
  }

  @Test func `a newer minor version is used and keeps its number`() async throws {
    let place = try TemporaryDirectory()
    try await Store.open(place.store).close()
    try change(
      place.store.historyPath,
      "ALTER TABLE exchange ADD COLUMN mood TEXT; PRAGMA user_version = \(1 << 16 | 9)")
    let store = try await Store.open(place.store)
    try await store.record(Sample.full)
    #expect(try await store.exchange(id: Sample.full.id) == Sample.full)
    #expect(try await store.health().files.first?.formatVersion == "1.9")
    await store.close()
  }

  @Test func `a file that turns newer under an open store is not written any more`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try change(place.store.historyPath, "PRAGMA user_version = \(2 << 16)")
    await #expect(throws: StoreFailure.newerFormat(path: place.store.historyPath, version: "2.0")) {
      try await store.record(Sample.exchange())
    }
    await store.close()
  }

  @Test func `newer collections leave the history working and are told of`() async throws {
    let place = try TemporaryDirectory()
    try await Store.open(place.store).close()
    try change(place.store.collectionsPath, "PRAGMA user_version = \(2 << 16)")
    let store = try await Store.open(place.store)
    #expect(await store.takeNotices().map(\.kind) == [.collectionsUnavailable])
    try await store.record(Sample.exchange())
    #expect(try await store.health().problems.count == 1)
    await store.close()
  }

  @Test func `a place under a file is a failure that names it and a way out`() async throws {
    let place = try TemporaryDirectory()
    try place.write("file", "x")
    let path = place.path("file/store")
    let failure = await #expect(throws: StoreFailure.self) {
      try await Store.open(StoreLocation(directory: path))
    }
    guard case .cannotMakeDirectory(path: path, _)? = failure else {
      Issue.record("the failure is \(String(describing: failure))")
      return
    }
    #expect(failure?.message(on: .commandLine).contains("--store or POSTKIT_HOME") == true)
    #expect(failure?.message.contains("Choose another place in POSTKIT_HOME;") == true)
  }

  @Test func `a directory in the place of the database is a failure that names it`() async throws {
    let place = try TemporaryDirectory()
    try FileSystem.makeDirectory(place.store.historyPath)
    let failure = await #expect(throws: StoreFailure.self) { try await Store.open(place.store) }
    #expect(failure?.message.contains(place.store.historyPath) == true)
  }

  @Test func `a directory that is removed under an open store is made again`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(1))
    try FileManager.default.removeItem(atPath: place.store.directory)
    try await store.record(Sample.exchange(2))
    let other = try await Store.open(place.store)
    #expect(try await other.history(HistoryQuery()).map(\.id) == [Sample.exchange(2).id])
    try await other.record(Sample.exchange(3))
    #expect(try await store.history(HistoryQuery()).count == 2)
    await other.close()
    await store.close()
  }

  @Test func `damage inside the file is found at use, set aside at the next write`() async throws {
    let place = try TemporaryDirectory()
    let store = try await damaged(place)
    let failure = await #expect(throws: StoreFailure.self) {
      try await store.history(HistoryQuery(text: "%%", limit: 1_000))
    }
    guard case .damaged? = failure else {
      Issue.record("the failure is \(String(describing: failure))")
      return
    }
    let exchange = Sample.exchange(1_000, body: .bytes(large(1)))
    try await store.record(exchange)
    let recorded = try await store.exchange(id: exchange.id)
    let found = try await store.history(HistoryQuery(limit: 1_000)).map(\.id)
    #expect(found.first == exchange.id && (100..<301).contains(found.count))
    #expect(recorded?.response?.body.count == 100_000 && recorded?.response?.isTruncated == false)
    let kinds = await store.takeNotices().map(\.kind)
    guard case .setAside(_, let kept)? = kinds.first else {
      Issue.record("the notices are \(kinds)")
      return
    }
    #expect(FileSystem.exists(kept))
    await store.close()
  }

  @Test func `the exchange whose write finds the damage is in the new file, with its body`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await damaged(place)
    let exchanges = (300..<340).map { Sample.exchange($0, body: .bytes(large(UInt8($0 - 300)))) }
    for exchange in exchanges { try await store.record(exchange) }
    let found = Set(try await store.history(HistoryQuery(limit: 500)).map(\.id))
    #expect(await store.takeNotices().count == 1)
    // Those before it went into pages that were well, and were taken over.
    for exchange in exchanges {
      #expect(found.contains(exchange.id))
      let body = try await store.exchange(id: exchange.id)?.response
      #expect(body?.body.count == 100_000 && body?.isTruncated == false)
    }
    await store.close()
  }

  @Test func `what was committed survives a process that never closed its store`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 0..<20 { try await store.record(Sample.exchange(number)) }
    // What a crash leaves: the files as they are, the log not copied.
    let copy = try await Subprocess.run(
      "cp", ["-r", place.store.directory, place.path("crashed")], timeoutSeconds: 60)
    #expect(copy.status == 0)
    let other = try await Store.open(StoreLocation(directory: place.path("crashed")))
    #expect(try await other.history(HistoryQuery()).count == 20)
    #expect(try await other.health().files.allSatisfy { $0.problems.isEmpty })
    await other.close()
    await store.close()
  }

  /// A store of 300 exchanges whose history is damaged inside.
  private func damaged(_ place: TemporaryDirectory) async throws -> Store {
    let store = try await Store.open(place.store)
    for number in 0..<300 { try await store.record(Sample.exchange(number)) }
    try await store.emptyLog()
    await store.close()
    try damage(place.store.historyPath)
    return try await Store.open(place.store)
  }

  /// Overwrites all but the first pages, which hold the schema.
  private func damage(_ path: String) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: 48 * 4_096)
    try handle.write(contentsOf: Data(repeating: 0x5A, count: 40 * 4_096))
    try handle.close()
  }

  private func change(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path)
    try connection.execute(sql)
    try connection.checkpoint(.truncate)
    connection.close()
  }
}

/// A body that is kept as a file.
func large(_ seed: UInt8, count: Int = 100_000) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ seed }
}

extension Store {
  /// The values of the pragmas that the rules of the file name.
  func settings(ofCollections: Bool = false) throws -> [String: String] {
    let names = [
      "application_id", "auto_vacuum", "busy_timeout", "cell_size_check", "foreign_keys",
      "journal_mode", "journal_size_limit", "mmap_size", "secure_delete", "synchronous",
      "trusted_schema", "user_version",
    ]
    let file = ofCollections ? collections : try history()
    guard let connection = file?.connection else { return [:] }
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try connection.text("PRAGMA \($0)")) })
  }

  /// Copies the log into the database.
  func emptyLog() throws { try history().truncateLog() }
}
