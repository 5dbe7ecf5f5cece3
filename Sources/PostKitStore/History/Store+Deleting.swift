// Deleting exchanges with what belongs to them: bodies that are files, and words.

import PostKitSupport

extension Store {
  /// Deletes exchanges of a condition in one transaction, at most `limit`, and then the
  /// files of bodies that nobody else refers to. Answers how many exchanges it deleted.
  ///
  /// The condition is made in the transaction, of what the history has then: two processes that
  /// find too much at the same time delete it once. `nil` deletes nothing.
  func deleteExchanges(
    limit: Int, of file: DatabaseFile,
    where condition: (Connection) throws(SQLiteError) -> SQLQuery?
  ) throws(StoreFailure) -> Int {
    do throws(StoreFailure) {
      return try deleteOnce(limit: limit, of: file, where: condition)
    } catch {
      guard case .damagedIndex = error else { throw error }
      try renewWords(in: file)
      return try deleteOnce(limit: limit, of: file, where: condition)
    }
  }

  private func deleteOnce(
    limit: Int, of file: DatabaseFile,
    where condition: (Connection) throws(SQLiteError) -> SQLQuery?
  ) throws(StoreFailure) -> Int {
    let (count, hashes) = try file.underLock { () throws(StoreFailure) in
      // What is in the history and waits as well would come back.
      try takeIn()
      return try deleteRows(limit: limit, of: file, where: condition)
    }
    finishCommit(.history, of: file)
    try removeBodies(hashes, of: file)
    return count
  }

  private func deleteRows(
    limit: Int, of file: DatabaseFile,
    where condition: (Connection) throws(SQLiteError) -> SQLQuery?
  ) throws(StoreFailure) -> (count: Int, hashes: [String]) {
    let action = "delete a part of the history"
    return try file.write(action, scope: StoreScope.history.rawValue) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        guard let condition = try condition(connection) else { return (0, [String]()) }
        let sequences = try connection.rows(
          "SELECT sequence FROM exchange WHERE \(condition.sql) LIMIT ?",
          condition.values + [.int(Int64(limit))]
        ) { $0.int64(0) }
        let chosen = SQLValue.text("[\(sequences.map(String.init).joined(separator: ","))]")
        let hashes = try connection.rows(Store.bodiesSQL, [chosen]) { $0.text(0) }
        let count = try connection.run(Store.deletionSQL("exchange", "sequence"), [chosen])
        // Without FTS5 the words are left to a process that has it.
        if hasFullText, try connection.integer(Store.wordsExistSQL) != 0 {
          try connection.run(Store.deletionSQL("words", "rowid"), [chosen])
          try connection.run(Store.deletionSQL("word_task", "sequence"), [chosen])
        }
        return (count, hashes)
      }
    }
  }

  /// Makes sure that no deleted word can be read in the index: it is written anew without them, in
  /// short transactions. Answers whether there were any.
  func eraseDeletedWords(of file: DatabaseFile) throws(StoreFailure) -> Bool {
    guard try hasWords(file) else { return false }
    while try indexSomeChanged(of: file) { file.letOthersWrite() }
    let isDue = try file.read("look at the index of words") { connection throws(SQLiteError) in
      try connection.integer("SELECT \(WordErasure.isDue)") != 0
    }
    guard isDue else { return false }
    var merging = WordMerging()
    while try eraseSomeDeletedWords(&merging, of: file) { file.letOthersWrite() }
    return true
  }

  /// Does a part of that in one transaction, and answers whether there is more to do. Once all is
  /// done, it is noted how far.
  func eraseSomeDeletedWords(
    _ merging: inout WordMerging, of file: DatabaseFile
  ) throws(StoreFailure) -> Bool {
    guard hasFullText else { return false }
    let action = "erase words"
    let next: WordMerging? = try file.write(action, scope: nil) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        // Somebody who forgot the whole history has removed the index with it.
        guard try connection.integer(Store.wordsExistSQL) != 0 else { return nil }
        return try merging.next(connection)
      }
    }
    if file.needsCheckpoint { file.checkpoint() }
    guard let next else { return false }
    merging = next
    return !merging.isDone
  }

  /// Removes the files of contents that no row refers to, and answers how many there were. Under
  /// the lock no process can begin to refer to one of them.
  @discardableResult
  func removeBodies(_ hashes: [String], of file: DatabaseFile) throws(StoreFailure) -> Int {
    guard !hashes.isEmpty else { return 0 }
    return try file.underLock { () throws(StoreFailure) in
      var count = 0
      for hash in hashes where try !isReferenced(hash, in: file) && bodies.remove(hash: hash) {
        count += 1
      }
      return count
    }
  }

  /// Whether a row refers to a content.
  func isReferenced(_ hash: String, in file: DatabaseFile) throws(StoreFailure) -> Bool {
    try file.read("count the users of a body") { connection throws(SQLiteError) in
      try connection.integer(Store.bodyUseSQL, [.text(hash)]) != 0
    }
  }

  static let bodyUseSQL = """
    SELECT EXISTS (SELECT 1 FROM exchange WHERE request_body_hash = ?1)
      OR EXISTS (SELECT 1 FROM exchange WHERE response_body_hash = ?1)
    """

  private static let bodiesSQL = """
    SELECT request_body_hash FROM exchange
    WHERE request_body_hash IS NOT NULL AND sequence IN (SELECT value FROM json_each(?1))
    UNION SELECT response_body_hash FROM exchange
    WHERE response_body_hash IS NOT NULL AND sequence IN (SELECT value FROM json_each(?1))
    """

  private static func deletionSQL(_ table: String, _ key: String) -> String {
    "DELETE FROM \(table) WHERE \(key) IN (SELECT value FROM json_each(?))"
  }
}

extension SQLQuery {
  /// The condition of the exchanges with these ids.
  static func ids(_ ids: [String]) -> SQLQuery {
    SQLQuery(
      sql: "id IN (SELECT value FROM json_each(?))",
      values: [.text(StoredJSON.text(ids.map { $0.lowercased() }))])
  }
}
