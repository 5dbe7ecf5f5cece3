// Mending a file all of whose content can be read: what is damaged is derived from it.

extension DatabaseFile {
  /// Makes anew what is not content, and answers whether the file is well then. Without that it is
  /// as it was. The caller holds the lock and no transaction.
  ///
  /// A damaged page of the index of words may be one that the content has, too. So nothing counts
  /// as mended before all of the file was looked at again.
  func mend() throws(SQLiteError) -> Bool {
    for table in try contentTables() where try connection.damage(in: table) != nil { return false }
    if try removeWords() { return true }
    try rebuild()
    return try connection.damage() == nil
  }

  /// The tables that hold what people did, and what the file knows of itself.
  private func contentTables() throws(SQLiteError) -> [String] {
    let tables = try connection.rows(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
      """
    ) { $0.text(0) }
    // Without FTS5 its tables are like any other.
    return tables.filter { !WordIndex.tables.contains($0) }
  }

  /// Removes the index where that is enough to make the file well.
  private func removeWords() throws(SQLiteError) -> Bool {
    guard try connection.integer(Store.wordsExistSQL) != 0 else { return false }
    try connection.execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      try connection.execute(WordIndex.removal)
      let isWell = try connection.damage() == nil
      try connection.execute(isWell ? "COMMIT" : "ROLLBACK")
      return isWell
    } catch {
      // Its own pages can't be given back; they are left out of the file that is made anew.
      if connection.isInTransaction { try connection.execute("ROLLBACK") }
      return false
    }
  }

  /// Writes all pages anew. When this is interrupted, the file is as it was or has pages that
  /// nobody uses, which the next attempt leaves out.
  private func rebuild() throws(SQLiteError) {
    // The copy may be larger than the memory.
    try connection.execute("PRAGMA temp_store = FILE")
    defer { try? connection.execute("PRAGMA temp_store = MEMORY") }
    // Where only the list of free pages is wrong, nothing can be deleted before it is made anew.
    if (try? connection.execute("VACUUM")) != nil, try connection.damage() == nil {
      return try connection.checkpoint(.passive)
    }
    if try connection.integer(Store.wordsExistSQL) != 0 {
      connection.tolerateDamage(true)
      defer { connection.tolerateDamage(false) }
      try connection.execute(WordIndex.abandoning)
    }
    try connection.execute("VACUUM")
    try connection.checkpoint(.passive)
  }
}
