// Forgetting: what a person asks to be gone is gone from the files, too.

import PostKitSupport

/// Which exchanges are to be forgotten; pinned ones as well.
package enum ForgetScope: Sendable, Hashable {
  case all
  /// Those sent to a host, without port and in any case.
  case host(String)
  /// Those that started at a moment or later, in milliseconds since 1970.
  case since(Int64)
  /// Those with these ids.
  case ids([String])

  /// The condition of their rows.
  func condition() -> SQLQuery {
    switch self {
    case .all: SQLQuery(sql: "1", values: [])
    case .host(let host): SQLQuery(sql: "host = ?", values: [.text(host.lowercased())])
    case .since(let moment): SQLQuery(sql: "started_at >= ?", values: [.int(moment)])
    case .ids(let ids):
      SQLQuery(
        sql: "id IN (SELECT value FROM json_each(?))",
        values: [.text(StoredJSON.text(ids.map { $0.lowercased() }))])
    }
  }
}

extension Store {
  /// Deletes exchanges with their bodies and answers how many there were. Afterwards none of their
  /// bytes is in the files: freed space is overwritten, the log is emptied, and bodies that nobody
  /// else refers to are removed. Throws `notErasedYet` when another process kept the log in use;
  /// the exchanges are deleted then.
  @discardableResult
  package func forget(_ scope: ForgetScope) throws(StoreFailure) -> Int {
    commitQueue()
    let file = try history()
    let action = "forget a part of the history"
    let condition = scope.condition()
    let (count, hashes) = try file.write(action, scope: StoreScope.history.rawValue) {
      _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        let hashes = try connection.rows(
          """
          SELECT request_body_hash FROM exchange
          WHERE request_body_hash IS NOT NULL AND \(condition.sql)
          UNION SELECT response_body_hash FROM exchange
          WHERE response_body_hash IS NOT NULL AND \(condition.sql)
          """, condition.values + condition.values
        ) { $0.text(0) }
        let count = try connection.run(
          "DELETE FROM exchange WHERE \(condition.sql)", condition.values)
        return (count, hashes)
      }
    }
    finishCommit(.history, of: file)
    try removeBodies(hashes, of: file)
    try file.compact()
    return count
  }

  /// Removes the files of bodies that no row refers to, and temporary files that a process left
  /// when it died; both only when they are older than `graceSeconds`, because a view may still be
  /// reading them. Answers how many were removed. For quiet moments: it looks at every file.
  @discardableResult
  package func sweepBodies(graceSeconds: Int64 = 3_600) throws(StoreFailure) -> Int {
    guard location != nil else { return 0 }
    let file = try history()
    return try file.underLock { () throws(StoreFailure) in
      let before = (Clock.wallMilliseconds / 1_000 - graceSeconds) * 1_000_000_000
      var removed = bodies.removeTemporaryFiles(modifiedBefore: before)
      for hash in bodies.hashes(modifiedBefore: before)
      where try !isReferenced(hash, in: file) && bodies.remove(hash: hash) {
        removed += 1
      }
      return removed
    }
  }

  /// Under the lock no process can begin to refer to one of them.
  private func removeBodies(_ hashes: [String], of file: DatabaseFile) throws(StoreFailure) {
    guard !hashes.isEmpty else { return }
    try file.underLock { () throws(StoreFailure) in
      for hash in hashes where try !isReferenced(hash, in: file) { bodies.remove(hash: hash) }
    }
  }

  private func isReferenced(_ hash: String, in file: DatabaseFile) throws(StoreFailure) -> Bool {
    try file.read("count the users of a body") { connection throws(SQLiteError) in
      try connection.integer(Store.bodyUseSQL, [.text(hash)]) != 0
    }
  }

  static let bodyUseSQL = """
    SELECT EXISTS (SELECT 1 FROM exchange WHERE request_body_hash = ?1)
      OR EXISTS (SELECT 1 FROM exchange WHERE response_body_hash = ?1)
    """
}
