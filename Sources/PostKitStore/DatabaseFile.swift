// One file of the store: opens, checks and migrates it, and runs its write transactions under the lock.

import CSQLite
import PostKitSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A database file with its connection; confined to the store's thread.
final class DatabaseFile {
  let path: String
  let schema: Schema
  private(set) var connection: Connection
  private let lock: StoreLock?
  private let traces: Bool
  private var identity: FileIdentity?
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

  /// Closes the file. A long log is copied into the database first, because the next process would
  /// have to read all of it before its first query.
  func close() {
    if connection.logPageCount > DatabaseFile.logPagesAtClose {
      // What stays in the log is as safe there; the next one copies it.
      try? lock?.hold { () throws(StoreFailure) in checkpointPassively() }
    }
    connection.close()
  }

  /// Runs a write transaction under the lock of all processes and raises the revision of `scope`.
  /// With an error nothing is changed.
  @discardableResult
  func write<Result>(
    _ action: String, scope: String,
    _ body: (Connection) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    guard let lock else { return try transaction(action, scope: scope, body) }
    return try lock.hold { () throws(StoreFailure) in
      try reopenIfReplaced()
      let result = try transaction(action, scope: scope, body)
      if connection.logPageCount > DatabaseFile.logPagesInUse { checkpointPassively() }
      return result
    }
  }

  /// Reads; what SQLite reports becomes a failure that names the file.
  func read<Result>(
    _ action: String, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    do {
      return try body(connection)
    } catch {
      throw .make(error, path: path, action: action)
    }
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

  private func checkpointPassively() {
    // A checkpoint that can't run now runs after a later commit.
    try? connection.checkpoint(.passive)
  }

  private func transaction<Result>(
    _ action: String, scope: String, _ body: (Connection) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    do {
      try connection.run("BEGIN IMMEDIATE")
    } catch {
      throw .make(error, path: path, action: action)
    }
    do {
      try requireUsableFormat()
      let result = try body(connection)
      let revision = try sql(action) { connection throws(SQLiteError) in
        let revision = try connection.integer(
          "UPDATE revision SET number = number + 1 WHERE scope = ? RETURNING number",
          [.text(scope)])
        try connection.run("COMMIT")
        return revision
      }
      revisions[scope] = revision
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
    do {
      return try body(connection)
    } catch {
      throw .make(error, path: path, action: action)
    }
  }

  /// A newer PostKit may have migrated the file since it was opened.
  private func requireUsableFormat() throws(StoreFailure) {
    let found = try sql("read the format") { connection throws(SQLiteError) in
      FormatVersion(userVersion: try connection.integer("PRAGMA user_version"))
    }
    guard found.major <= schema.version.major else {
      throw .newerFormat(path: path, version: found.description)
    }
  }

  /// Opens the file again when its name belongs to another file by now, or to none: somebody removed
  /// it, or set it aside as damaged. The caller holds the lock.
  private func reopenIfReplaced() throws(StoreFailure) {
    guard FileIdentity(path) != identity else { return }
    connection.close()
    var notices: [StoreNotice] = []
    try StorePlace.prepareDirectory(FilePath.parent(path))
    connection = try DatabaseFile.open(path, schema, isMemory: false, traces: traces, &notices)
    identity = FileIdentity(path)
  }
}

/// What tells one file from another that took its name.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The identity of what is at a path now; `nil` where nothing is.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
  }
}
