// The space of a file: what is free goes back to the disk, and what is kept of it in memory.

import CSQLite

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
