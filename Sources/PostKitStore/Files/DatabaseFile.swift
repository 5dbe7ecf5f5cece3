// One file of the store: opens, checks and migrates it, and runs its write transactions under the
// lock.

import CSQLite
import Libc
import PostKitSupport

/// A database file with its connection; confined to the store's thread.
final class DatabaseFile {
  let path: String
  let schema: Schema
  private(set) var connection: Connection
  private let lock: StoreLock?
  private let traces: Bool
  private var identity: FileIdentity?
  /// Whether SQLite has found damage; what to do about it is decided at the next write.
  private var isDamaged = false
  /// What has happened since the file was opened that a person should know.
  private(set) var notices: [StoreNotice] = []
  /// The revision of each scope as far as this process has seen it.
  private var revisions: [String: Int64] = [:]

  /// Opens the file at `path`, making it where it is missing. The caller holds the lock. `notices`
  /// gets what a person should know. Without a lock the database is in memory.
  init(
    path: String, schema: Schema, lock: StoreLock?, tracesStatements: Bool,
    notices: inout [StoreNotice]
  ) throws(StoreFailure) {
    self.path = path
    self.schema = schema
    self.lock = lock
    traces = tracesStatements
    connection = try DatabaseFile.open(
      path, schema, isMemory: lock == nil, traces: tracesStatements, &notices)
    identity = FileIdentity(path)
    _ = try changedScopes()
  }

  /// The sum of the revisions of all scopes.
  var knownRevision: Int64 { revisions.values.reduce(0, +) }

  /// The scopes that others have changed since this was asked, or since our own last commit.
  func changedScopes() throws(StoreFailure) -> [String] {
    let current = try read("read the revision") { connection throws(SQLiteError) in
      try connection.rows("SELECT scope, number FROM revision") { ($0.text(0), $0.int64(1)) }
    }
    var changed: [String] = []
    for (scope, number) in current where revisions.updateValue(number, forKey: scope) != number {
      changed.append(scope)
    }
    return changed
  }

  /// The revision of a scope as the file has it now; in a transaction nobody else can raise it.
  func revision(of scope: String) throws(StoreFailure) -> Int64 {
    try sql("read the revision") { connection throws(SQLiteError) in
      try connection.integer("SELECT number FROM revision WHERE scope = ?", [.text(scope)])
    }
  }

  /// Whether commits go to a write-ahead log. Where they don't, the file system may be one that
  /// shows the times of files late.
  private(set) lazy var writesLog = connection.journalMode == "wal"

  /// Closes the file. A long log is copied into the database and emptied first: the next process
  /// would have to read all of it before its first query, and could not know what was copied.
  /// Emptying harms no other process, as none of ours maps a database or its log into memory.
  func close() {
    if connection.longestLogPageCount > DatabaseFile.logPagesAtClose {
      connection.stopWaiting()
      // While others read or write the log stays as it is; the last one of them empties it.
      lock?.holdIfFree { try? connection.checkpoint(.truncate) }
    }
    connection.close()
  }

  /// Prepares `statements` and those of each transaction, for a first `write` that takes less time.
  func prepareWrite(_ statements: [String]) {
    connection.prepare(ahead: [
      DatabaseFile.beginning, DatabaseFile.raising, DatabaseFile.committing,
    ] + statements)
  }

  /// Called before a transaction waits for the lock: whatever another process may do then, a test
  /// does there.
  @TaskLocal static var beforeWrite: (@Sendable () -> Void)?

  /// Runs a write transaction under the lock of all processes and raises the revision of `scope`;
  /// `nil` for what changes nothing that anybody could see. With an error nothing is changed.
  @discardableResult
  func write<Result>(
    _ action: String, scope: String?,
    _ body: (Connection) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    DatabaseFile.beforeWrite?()
    guard let lock else { return try transaction(action, scope: scope, body) }
    return try lock.hold { () throws(StoreFailure) in
      try reopenIfReplaced()
      if isDamaged { try replaceIfDamaged() }
      let result: Result
      do throws(StoreFailure) {
        result = try transaction(action, scope: scope, body)
      } catch {
        guard isDamaged, try replaceIfDamaged() else { throw error }
        result = try transaction(action, scope: scope, body)
      }
      return result
    }
  }

  /// Reads; what SQLite reports becomes a failure that names the file.
  func read<Result>(
    _ action: String, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    if let lock, isReplaced {
      try lock.hold { () throws(StoreFailure) in try reopenIfReplaced() }
    }
    do throws(StoreFailure) {
      return try sql(action, body)
    } catch {
      // What a newer PostKit made of the tables need not be known by their old names.
      if let found = try? format() { try requireUsable(found) }
      throw error
    }
  }

  /// Reads with several statements what the file has at one moment.
  func readAtOnce<Result>(
    _ action: String, _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    try read(action) { connection throws(SQLiteError) in try connection.execute("BEGIN") }
    // It has written nothing, so that nothing can be lost.
    defer { try? connection.execute("ROLLBACK") }
    return try body()
  }

  /// Whether the log is so long that it should be copied into the database.
  var needsCheckpoint: Bool { connection.logPageCount > DatabaseFile.logPagesInUse }

  /// Empties tables, however long they are, runs a statement on the others, and raises the
  /// revision of `scope`; answers how many rows the first of the tables had. It answers `nil`, and
  /// nothing is changed, where only deleting rows will do: in memory, behind a link, and in a newer
  /// format, whose tables nobody here knows.
  func empty(
    _ tables: [String], then statement: String, scope: String
  ) throws(StoreFailure) -> Int? {
    guard let lock else { return nil }
    var replaced: Connection?
    // The pages of the old file are given back when nobody waits for the lock any more.
    defer { replaced?.close() }
    return try lock.hold { () throws(StoreFailure) in
      try reopenIfReplaced()
      if isDamaged { try replaceIfDamaged() }
      guard try format() == schema.version, !isLink else { return nil }
      let count: Int
      do throws(StoreFailure) {
        count = try makeSuccessor(without: tables, statement, raising: scope)
      } catch {
        guard isDamaged, try replaceIfDamaged() else { throw error }
        count = try makeSuccessor(without: tables, statement, raising: scope)
      }
      replaced = connection
      do {
        try FileSystem.remove(path)
      } catch {
        throw .cannotOpen(path: path, reason: "\(error)")
      }
      try openAnew()
      _ = try changedScopes()
      return count
    }
  }

  /// Copies what it can of the log into the database, without waiting for readers.
  func checkpoint() {
    // A checkpoint that can't run now runs after a later commit.
    try? lock?.hold { () throws(StoreFailure) in try? connection.checkpoint(.passive) }
  }

  /// Whether no other process is writing at the moment.
  var isFree: Bool { lock?.holdIfFree {} ?? true }

  /// Does something to files beside the database that must not race with a commit.
  func underLock<Result>(
    _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    guard let lock else { return try body() }
    return try lock.hold(body)
  }

  /// Whether this process has the lock now.
  var holdsLock: Bool { lock?.isHeld ?? true }

  /// Leaves the lock to others for a moment, in between long pieces of work: they look for it each
  /// millisecond (`Patience`), and would hardly meet the moment between two pieces.
  func letOthersWrite() {
    if lock != nil { usleep(DatabaseFile.momentForOthers) }
  }

  /// Empties the log, so that nothing that was deleted can be read in it. The caller holds no
  /// transaction. Fails when others go on reading.
  func truncateLog() throws(StoreFailure) {
    guard let lock else { return }
    try lock.hold { () throws(StoreFailure) in
      do throws(SQLiteError) {
        try connection.checkpoint(.truncate)
      } catch {
        if error.primaryCode == SQLITE_BUSY { throw .notErasedYet(path: path) }
        throw .make(error, path: path, action: "empty the log")
      }
    }
  }

  private static let logPagesInUse = 1_000
  private static let logPagesAtClose = 128
  /// Microseconds in which everybody who waits has looked for the lock.
  private static let momentForOthers: UInt32 = 2_500

  private static let beginning = "BEGIN IMMEDIATE"
  /// Raises the revision of a scope.
  static let raising =
    "UPDATE revision SET number = number + 1 WHERE scope = ? RETURNING number"
  private static let committing = "COMMIT"

  private func transaction<Result>(
    _ action: String, scope: String?, _ body: (Connection) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    try sql(action) { connection throws(SQLiteError) in
      _ = try connection.run(DatabaseFile.beginning)
    }
    do {
      try requireUsable(format())
      let result = try body(connection)
      let revision = try sql(action) { connection throws(SQLiteError) in
        let revision = try scope.map { scope throws(SQLiteError) in
          try connection.integer(DatabaseFile.raising, [.text(scope)])
        }
        try connection.run(DatabaseFile.committing)
        return revision
      }
      if let scope { revisions[scope] = revision }
      return result
    } catch {
      // After some errors SQLite has rolled back by itself.
      if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
      throw error
    }
  }

  /// Does something in an open transaction; what SQLite reports becomes a failure.
  func sql<Result>(
    _ action: String, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    do throws(SQLiteError) {
      return try body(connection)
    } catch {
      // A damaged index of words is no damage of the file.
      let isCore = error.code != SQLiteError.damagedIndexCode
      if isCore && [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode) { isDamaged = true }
      throw .make(error, path: path, action: action)
    }
  }

  /// Makes sure that the file is damaged, and mends it then, or sets it aside and opens a new one.
  /// Answers whether it did. The caller holds the lock and no transaction.
  @discardableResult
  private func replaceIfDamaged() throws(StoreFailure) -> Bool {
    isDamaged = false
    let found: String
    do throws(SQLiteError) {
      guard let problem = try connection.damage() else { return false }
      found = problem
    } catch {
      // A check that can't even run says enough.
      found = "it can't be read"
    }
    // What hinders the mending is no news: the file is set aside then.
    if (try? mend()) == true {
      notices.append(DatabaseFile.mended(path, found))
      return true
    }
    connection.close()
    let name = try DatabaseFile.setAside(path, found)
    try reopen()
    notices.append(DatabaseFile.replaced(path, name, found, connection))
    return true
  }

  /// Mends a file in which damage was found from outside, or sets it aside; not if it is well after
  /// all.
  func replaceDamaged() throws(StoreFailure) {
    try lock?.hold { () throws(StoreFailure) in
      try reopenIfReplaced()
      try replaceIfDamaged()
    }
  }

  /// Answers what should be told, once.
  func takeNotices() -> [StoreNotice] {
    defer { notices = [] }
    return notices
  }

  private func format() throws(StoreFailure) -> FormatVersion {
    try sql("read the format") { connection throws(SQLiteError) in
      FormatVersion(userVersion: try connection.integer("PRAGMA user_version"))
    }
  }

  /// A newer PostKit may have migrated the file since it was opened.
  private func requireUsable(_ found: FormatVersion) throws(StoreFailure) {
    guard found.major <= schema.version.major else {
      throw .newerFormat(path: path, version: found.description)
    }
  }

  /// Opens the file again when its name belongs to another file by now, or to none: somebody
  /// removed it, or set it aside as damaged. The caller holds the lock.
  private func reopenIfReplaced() throws(StoreFailure) {
    guard isReplaced else { return }
    connection.close()
    try reopen()
  }

  private var isReplaced: Bool { connection.isClosed || FileIdentity(path) != identity }

  private func makeSuccessor(
    without tables: [String], _ statement: String, raising scope: String
  ) throws(StoreFailure) -> Int {
    try sql("empty the history") { connection throws(SQLiteError) in
      try Successor(path: path).make(
        schema, without: tables, then: statement, raising: scope, traces: traces)
      return Int(try tables.first.map { table throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM \(table)")
      } ?? 0)
    }
  }

  /// Whether the file itself lies elsewhere: removing its name would leave it there.
  private var isLink: Bool {
    let parent = FileSystem.realPath(FilePath.parent(path))
    return FileSystem.realPath(path) != parent.map { FilePath.join($0, FilePath.name(path)) }
  }

  private func openAnew() throws(StoreFailure) {
    connection = try DatabaseFile.open(path, schema, isMemory: false, traces: traces, &notices)
    writesLog = connection.journalMode == "wal"
    identity = FileIdentity(path)
  }

  private func reopen() throws(StoreFailure) {
    try StorePlace.prepareDirectory(FilePath.parent(path))
    try openAnew()
    // A revision only rises, also for those who remember one of the file that was here.
    _ = orLog("go on counting revisions") { try raiseRevisions() }
  }

  private func raiseRevisions() throws(StoreFailure) {
    try sql("raise the revisions") { connection throws(SQLiteError) in
      for (scope, number) in revisions {
        try connection.run(
          "UPDATE revision SET number = ? WHERE scope = ? AND number <= ?",
          [.int(number + 1), .text(scope), .int(number)])
      }
    }
  }
}
