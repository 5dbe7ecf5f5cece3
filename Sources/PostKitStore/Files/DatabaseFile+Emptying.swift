// Emptying tables at once: what stays is copied into a file that takes the place of the old one.
// And giving back what is free after smaller changes.

import CSQLite
import PostKitSupport

/// What takes the place of a file whose tables are emptied.
///
/// Deleting a million rows would read and overwrite all of their pages. Writing the few rows that
/// stay takes milliseconds, and what goes is in no file any more as soon as the old one is removed.
///
/// The new file is made apart and is complete and on the disk before the old one is removed. From
/// that moment everybody finds the old one gone and opens the file again, under the lock, which
/// ends what was begun: whoever was killed meanwhile has emptied all or nothing. Nobody can write
/// to a file that is gone, because each transaction begins with a look at the name.
struct Successor {
  /// The file that is replaced.
  let path: String

  /// The new file, complete.
  private var place: String { path + ".emptied" }
  /// The new file while it is written.
  private var unfinished: String { place + ".part" }

  /// Makes the new file: with the rows of all tables but some, as a statement leaves them, and with
  /// the revision of `scope` raised. The file in use has the newest format and is not changed.
  func make(
    _ schema: Schema, without tables: [String], then statement: String, raising scope: String,
    traces: Bool
  ) throws(SQLiteError) {
    do {
      try FileSystem.remove(unfinished)
      // SQLite would make it readable for others.
      try FileSystem.writeAtomically([], to: unfinished, mode: 0o600)
      try copy(schema, without: tables, then: statement, raising: scope, traces: traces)
      try FileSystem.synchronise(unfinished)
      try FileSystem.rename(unfinished, to: place)
      try FileSystem.synchronise(FilePath.parent(path))
    } catch {
      // What is left of it is removed when the file is opened.
      try? FileSystem.remove(unfinished)
      if let error = error as? SQLiteError { throw error }
      if case .noSpace? = error as? FileFailure {
        throw SQLiteError(code: SQLITE_FULL, message: "\(error)")
      }
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "\(error)")
    }
  }

  /// Puts the new file in the place of one that was removed, and removes what attempts that were
  /// interrupted have left. The caller holds the lock.
  func takePlace() throws(StoreFailure) {
    // What can't be removed now, as where nothing may be written, is removed at a later opening.
    try? FileSystem.remove(unfinished)
    if FileSystem.exists(path) {
      try? FileSystem.remove(place)
      return
    }
    guard FileSystem.exists(place) else { return }
    do {
      // SQLite would take a log that is left for that of the new file.
      for suffix in ["-wal", "-shm", "-journal"] { try FileSystem.remove(path + suffix) }
      try FileSystem.synchronise(FilePath.parent(path))
      try FileSystem.rename(place, to: path)
    } catch {
      throw .cannotOpen(path: path, reason: "\(error)")
    }
  }

  private func copy(
    _ schema: Schema, without tables: [String], then statement: String, raising scope: String,
    traces: Bool
  ) throws(SQLiteError) {
    var notices: [StoreNotice] = []
    // One that is interrupted is thrown away, so that it needs no journal.
    let connection = try DatabaseFile.connect(
      unfinished, schema, journal: "MEMORY", traces, &notices)
    defer { connection.close() }
    try connection.run("ATTACH ? AS source", [.text(path)])
    try connection.execute("BEGIN IMMEDIATE")
    let all = try connection.rows(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
      """
    ) { $0.text(0) }
    for table in all where !tables.contains(table) {
      try connection.execute(
        "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM source.\(table)")
    }
    try connection.execute(statement)
    try connection.run(DatabaseFile.raising, [.text(scope)])
    try connection.execute("COMMIT")
  }
}

extension DatabaseFile {
  /// Gives free pages back to the disk, some at a time.
  func giveSpaceBack() throws(StoreFailure) {
    while try vacuum() {
      if needsCheckpoint { checkpoint() }
      letOthersWrite()
    }
  }

  /// Gives some of the free pages back to the disk, and answers whether there are more.
  func vacuum() throws(StoreFailure) -> Bool {
    try underLock { () throws(StoreFailure) in
      try sql("give back free space") { connection throws(SQLiteError) in
        let before = try connection.integer("PRAGMA freelist_count")
        guard before > 0 else { return false }
        try connection.execute("PRAGMA incremental_vacuum(\(DatabaseFile.vacuumedPages))")
        return try (1..<before).contains(connection.integer("PRAGMA freelist_count"))
      }
    }
  }

  /// Keeps up to so many MiB of pages in memory from now on, for work on many of them: what has no
  /// place there is read again by each search, and written to the log several times in one
  /// transaction.
  func keepPages(megabytes: Int) {
    // Without it the work only takes longer.
    try? connection.execute("PRAGMA cache_size = -\(megabytes << 10)")
  }

  private static let vacuumedPages = 1_000
}
