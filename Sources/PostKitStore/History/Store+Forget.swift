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
  /// Those that a query asks for, on whatever page.
  case found(HistoryQuery)

  /// The condition of their rows; `nil` where they have to be found first.
  func condition() -> SQLQuery? {
    switch self {
    case .all: SQLQuery(sql: "1", values: [])
    case .host(let host): SQLQuery(sql: "host = ?", values: [.text(host.lowercased())])
    case .since(let moment): SQLQuery(sql: "started_at >= ?", values: [.int(moment)])
    case .ids(let ids): .ids(ids)
    case .found: nil
    }
  }
}

extension Store {
  /// Deletes exchanges with their bodies, words and views, and answers how many there were.
  /// Afterwards none of their bytes is in the files: freed space is overwritten, the log is
  /// emptied, and bodies that nobody else refers to are removed.
  ///
  /// All exchanges go at once, however many they are. Others are deleted in many short
  /// transactions; after a failure between them the rest is forgotten when it is asked for again.
  /// Throws `notErasedYet` when another process kept the log in use; the exchanges are deleted
  /// then. Who forgets all forgets the tokens, too, whose values go with `TokenKeeper.settle`.
  /// With a revision nobody else writes while it deletes; see `editHistory`. Where a query finds
  /// more than `most` by now, nothing is deleted, and it throws `changedMeanwhile`.
  @discardableResult
  package func forget(
    _ scope: ForgetScope, ifRevision expected: Int64? = nil, atMost most: Int? = nil
  ) throws(StoreFailure) -> Int {
    commitQueue()
    try takeIn()
    let file = try history()
    let (count, isReplaced) = try ifUnchanged(since: expected) { () throws(StoreFailure) in
      // Ahead of what empties the file, after which none of their bytes is left there.
      if scope == .all { try unsettleTokens() }
      guard let condition = scope.condition() else {
        return (try deleteFound(scope, atMost: most, of: file), false)
      }
      try removeViews(condition, of: file)
      if scope == .all, let count = try empty(file) { return (count, true) }
      let count = try deleteAll(condition, isAll: scope == .all, of: file)
      // An exchange that came in between went with the others, and its view was not looked at.
      if count > 0 { try removeViews(condition, of: file) }
      return (count, false)
    }
    // Of all nothing is kept for a view that may still be reading.
    if scope == .all {
      try forgetUnreadableWaiting()
      try sweepBodies(modifiedBefore: .max)
    }
    if !isReplaced {
      let hasErased = try eraseDeletedWords(of: file)
      // Without anything deleted there is no more free space than before.
      if count > 0 || hasErased { try file.giveSpaceBack() }
      try file.truncateLog()
    }
    tellOfCopies()
    return count
  }

  /// Removes the whole history at once; `nil` where its rows have to be deleted.
  private func empty(_ file: DatabaseFile) throws(StoreFailure) -> Int? {
    let count = try file.underLock { () throws(StoreFailure) in
      try takeIn()
      return try file.empty(
        Store.exchangeTables, then: WordErasure.allDone, scope: StoreScope.history.rawValue)
    }
    guard let count else { return nil }
    (byteTrim, wordMerging) = (.measuring, nil)
    finishCommit(.history, of: file)
    return count
  }

  /// The exchanges, and what is known of them elsewhere. All other tables outlive the history.
  static let exchangeTables = [
    "exchange", "word_range", "word_task", "exchange_group", "exchange_figures", "grouped_range",
    "exchange_purpose",
  ]

  private func deleteAll(
    _ condition: SQLQuery, isAll: Bool, of file: DatabaseFile
  ) throws(StoreFailure) -> Int {
    let action = "see what there is to forget"
    let (hasAny, isDue) = try file.read(action) { connection throws(SQLiteError) in
      (
        try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM exchange WHERE \(condition.sql))", condition.values) != 0,
        try connection.integer("SELECT \(WordErasure.isDue)") != 0
      )
    }
    // Where nothing is left of the index it need not be picked apart word by word, and without FTS5
    // it can't be: the words of what remains are derived from it again.
    if isAll && hasAny || !hasFullText && (hasAny || isDue) { try renewWords(in: file) }
    guard hasAny else { return 0 }
    var count = 0
    while true {
      let part = try deleteExchanges(limit: Store.forgetBatchCount, of: file) { _ in condition }
      count += part
      if part < Store.forgetBatchCount { return count }
      file.letOthersWrite()
    }
  }

  /// Deletes what a query finds. What is found is decided under the lock, and each exchange is
  /// looked at again in the transaction that deletes it.
  private func deleteFound(
    _ scope: ForgetScope, atMost most: Int?, of file: DatabaseFile
  ) throws(StoreFailure) -> Int {
    guard case .found(let shown) = scope else { return 0 }
    // Whoever agreed to a number has seen that of the lists.
    let query = shown.ofAnyPurpose
    let found = try file.underLock { () throws(StoreFailure) in
      if most != nil, query != shown { _ = try self.found(shown, atMost: most, of: file) }
      return try self.found(query, atMost: query == shown ? most : nil, of: file)
    }
    if !hasFullText, !found.numbers.isEmpty { try renewWords(in: file) }
    var count = 0
    for batch in found.batches {
      let condition = query.rendered(found.search, among: batch)
      try removeViews(condition, of: file)
      count += try deleteExchanges(limit: batch.count, of: file) { _ in condition }
      file.letOthersWrite()
    }
    return count
  }

  /// Removes the copies that editors were shown, but those of exchanges that remain. Directories
  /// there hold opened requests of collections, which are no history.
  private func removeViews(_ condition: SQLQuery, of file: DatabaseFile) throws(StoreFailure) {
    guard let directory = location?.viewDirectory, FileSystem.exists(directory) else { return }
    do {
      let names = try FileSystem.list(directory).filter {
        !FileSystem.isDirectory(FilePath.join(directory, $0))
      }
      let kept = try remaining(names.flatMap(Identifier.all), after: condition, of: file)
      for name in names {
        let ids = Identifier.all(in: name)
        // A list of exchanges has an id of its own; what has none shows no exchange.
        if !ids.allSatisfy(kept.contains) {
          try FileSystem.remove(FilePath.join(directory, name))
        }
      }
    } catch let error as StoreFailure {
      throw error
    } catch {
      throw .viewsRemain(path: directory, reason: "\(error)")
    }
  }

  /// Those of some exchanges that are in the history.
  package func exchanges(among ids: [String]) throws(StoreFailure) -> Set<String> {
    commitQueue()
    return Set(try remaining(ids, after: SQLQuery(sql: "0", values: []), of: try history()))
  }

  private func remaining(
    _ ids: [String], after condition: SQLQuery, of file: DatabaseFile
  ) throws(StoreFailure) -> [String] {
    let given = SQLQuery.ids(ids)
    return try file.read("look up the views") { connection throws(SQLiteError) in
      try connection.rows(
        "SELECT id FROM exchange WHERE \(given.sql) AND (\(condition.sql)) IS NOT TRUE",
        given.values + condition.values
      ) { $0.text(0) }
    }
  }

  /// Copies of the file that were kept when it was damaged or migrated are a person's to remove.
  private func tellOfCopies() {
    let copies = historyCopies
    guard let location, !copies.isEmpty else { return }
    note(
      .copiesRemain,
      "\(location.directory) has older copies of the history, which are unchanged: "
        + "\(copies.sorted().joined(separator: ", ")). Remove them when you don't need them.")
  }

  /// The names of those copies.
  var historyCopies: [String] {
    guard let location else { return [] }
    // A directory that can't be listed shows none.
    let names = (try? FileSystem.list(location.directory)) ?? []
    let file = FilePath.name(location.historyPath)
    return names.filter {
      ["\(file).set-aside-", "\(file).format-"].contains(where: $0.hasPrefix)
    }
  }

  /// Exchanges that are deleted in one transaction.
  static let forgetBatchCount = 500
}
