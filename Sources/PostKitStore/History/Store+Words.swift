// Keeping the index of words, and saying which part of the history it doesn't know yet.

import PostKitSupport

/// How far the index of words is.
package struct WordIndexHealth: Sendable, Hashable {
  /// Whether SQLite has FTS5.
  package var isSupported: Bool
  /// Exchanges that the index doesn't know yet.
  package var pendingCount: Int
}

/// How much is indexed in one transaction.
package enum WordStep: Sendable, Hashable {
  /// Some milliseconds, so that nobody who sends waits for it.
  case short
  /// Some tenths of a second, for the one who does nothing else.
  case long

  /// Microseconds after which a transaction takes nothing more.
  var microseconds: Int64 { self == .short ? 0 : 250_000 }
}

/// How many exchanges the index of words doesn't know.
enum PendingWords: Int {
  /// It knows all.
  case none
  /// So few that they wait for a moment in which nobody sends.
  case few
  /// So many that a search would take long.
  case many
}

/// The exchanges that the index of words doesn't know: those outside a range of sequence numbers.
struct WordRange: Hashable {
  var first: Int64
  var last: Int64
}

extension Store {
  /// Indexes words until none are left or the time is over, and answers whether none are left.
  /// Each transaction is short, so that nobody who sends waits for it.
  ///
  /// Recording an exchange doesn't index it: nobody should wait for that before seeing an answer,
  /// and many at once take less than each alone. Searching begins with what is missing, and a
  /// server indexes the rest in the meantime (`keepUp`).
  ///
  /// Whoever has much to index takes longer steps: each transaction leaves a part of its own in the
  /// index, and these parts are merged again and again.
  @discardableResult
  package func indexWords(
    milliseconds: Int64, step: WordStep = .short
  ) throws(StoreFailure) -> Bool {
    commitQueue()
    let file = try history()
    guard hasFullText else { return true }
    let deadline = Clock.monotonicMicroseconds + milliseconds * 1_000
    if step == .long { file.keepPages(megabytes: 64) }
    while try hasPendingWords(of: file) {
      try indexWordsOnce(step)
      if Clock.monotonicMicroseconds >= deadline { return try !hasPendingWords(of: file) }
      if step == .long { file.letOthersWrite() }
    }
    return true
  }

  /// Merges the parts of the index for some time, and answers whether they are one now: what is
  /// asked of two words is looked up in each of them. It writes the whole index anew, which is only
  /// worth it where much of it is new.
  package func mergeWords(milliseconds: Int64) throws(StoreFailure) -> Bool {
    let file = try history()
    let deadline = Clock.monotonicMicroseconds + milliseconds * 1_000
    var merging = wordMerging ?? WordMerging()
    defer { wordMerging = merging.isDone ? nil : merging }
    while try eraseSomeDeletedWords(&merging, of: file) {
      if Clock.monotonicMicroseconds >= deadline { return false }
      file.letOthersWrite()
    }
    return true
  }

  /// Searches by words. Where the index is damaged it is made anew, once: it is derived from what
  /// is in the file. The pages of the file may be what is damaged, and often those of the index.
  func search(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> [ExchangeSummary] {
    guard hasFullText else {
      note(
        .searchIsPartial,
        "This SQLite has no FTS5, so large bodies were not searched. "
          + "Install a SQLite with FTS5 to search them.")
      return try summaries(query.rendered(), of: file)
    }
    do throws(StoreFailure) {
      return try searchIndex(query, in: file)
    } catch {
      switch error {
      case .damagedIndex: try renewWords(in: file)
      case .damaged: try file.replaceDamaged()
      default:
        // Somebody who forgets the whole history removes the index between two looks at it; then
        // there is nothing to mend.
        if try hasWords(file) {
          guard try lacksFormat(file) else { throw error }
          try replaceDamagedWords(of: file)
        }
      }
      return try searchIndex(query, in: file)
    }
  }

  private func searchIndex(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> [ExchangeSummary] {
    do throws(StoreFailure) {
      try indexWords(milliseconds: Store.searchPatience)
    } catch {
      // Where nothing can be written, what isn't indexed is read.
      Log.info("The search index is not up to date: \(error.message)")
    }
    let range = try rangeOfWords(of: file)
    if range != nil {
      wantWords()
      let count = try wordIndexHealth().pendingCount
      note(
        .searchIsPartial,
        "\(count) exchanges are still to be indexed, so that some may not have been found. Search "
          + "again in a moment, or run `postkit history index`.")
    }
    var words = try spelled(query, in: file)
    if words == nil {
      if range == nil, let newest = try newestWithBeginning(query, in: file) { return newest }
      words = try expression(query, in: file)
    }
    guard let words else {
      return try summaries(query.rendered(), of: file)
    }
    return try summaries(query.rendered(.indexed(words: words, except: range)), of: file)
  }

  /// How long a search indexes what is missing before it answers.
  private static let searchPatience: Int64 = 30

  /// Indexes the next exchanges in one transaction. A damaged index is made anew.
  func indexWordsOnce(_ step: WordStep = .short) throws(StoreFailure) {
    let file = try history()
    do throws(StoreFailure) {
      try indexBatch(step, of: file)
    } catch {
      if case .damagedIndex = error {
        try renewWords(in: file)
      } else {
        guard try lacksFormat(file) else { throw error }
        try replaceDamagedWords(of: file)
      }
      try indexBatch(step, of: file)
    }
    // The words are several times the exchange: the log would outgrow the database.
    if file.needsCheckpoint { file.checkpoint() }
  }

  /// How far the index is.
  package func wordIndexHealth() throws(StoreFailure) -> WordIndexHealth {
    let file = try history()
    let count = try file.read("look at the index of words") { connection throws(SQLiteError) in
      try connection.integer(Store.pendingCountSQL)
    }
    return WordIndexHealth(isSupported: hasFullText, pendingCount: Int(count))
  }

  /// The most exchanges that the index may not know yet: numbers without gaps, so that it is known
  /// at once.
  package func pendingWordBound() throws(StoreFailure) -> Int {
    try history().read("look at the index of words") { connection throws(SQLiteError) in
      Int(try connection.integer(Store.pendingBoundSQL))
    }
  }

  /// Whether so many exchanges are a good part of a long history, so that after indexing them the
  /// parts of the index are worth merging.
  package func isGoodPart(_ count: Int) throws(StoreFailure) -> Bool {
    guard count >= Store.longCount else { return false }
    return try history().read("count the exchanges") { connection throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM exchange") <= Int64(count) * 4
    }
  }

  /// Exchanges whose index has more parts than a search looks up in no time.
  private static let longCount = 10_000

  private static let pendingBoundSQL = """
    SELECT max(0, (SELECT coalesce(max(sequence), 0) FROM exchange) - last)
      + max(0, min(first - 1, last) + 1 - (SELECT coalesce(min(sequence), 1) FROM exchange))
    FROM word_range
    """

  /// Whether the index has to be brought up to date by somebody who has time.
  func hasManyPendingWords() -> Bool { pendingWords() == .many }

  /// How much the index lacks.
  func pendingWords() -> PendingWords {
    guard hasFullText, let file = historyIfOpen else { return .none }
    let found = try? file.read("look at the index of words") { connection throws(SQLiteError) in
      try connection.integer(Store.pendingSQL, [.int(Store.wordBatchCount)])
    }
    // What can't be read now is looked at again after the next commit.
    return found.flatMap { PendingWords(rawValue: Int($0)) } ?? .none
  }

  /// The exchanges that a search by words has to look at one by one; `nil` where there are none.
  func rangeOfWords(of file: DatabaseFile) throws(StoreFailure) -> WordRange? {
    guard try hasPendingWords(of: file) else { return nil }
    return try file.read("look at the index of words") { connection throws(SQLiteError) in
      try connection.first("SELECT first, last FROM word_range") {
        WordRange(first: $0.int64(0), last: $0.int64(1))
      }
    }
  }

  /// Makes an index anew in which damage was found before anybody searched, and says so.
  func replaceDamagedWords(of file: DatabaseFile) throws(StoreFailure) {
    try renewWords(in: file)
    note(
      .mended(path: file.path),
      "The search index in \(file.path) was damaged. PostKit rebuilds it from the history; "
        + "nothing is lost. If this happens again, check the disk.")
  }

  /// Makes the index anew, empty: it was damaged, or all of it is to go. Without FTS5 it is
  /// emptied, and filled again by a PostKit that has it.
  func renewWords(in file: DatabaseFile) throws(StoreFailure) {
    try file.write("make the index of words", scope: StoreScope.history.rawValue) {
      _ throws(StoreFailure) in
      try file.sql("make the index of words") { connection throws(SQLiteError) in
        let exists = try connection.integer(Store.wordsExistSQL) != 0
        if hasFullText {
          if exists {
            if try !WordIndex.hasFormat(connection) {
              try connection.changeInternalTables(WordIndex.formatting)
            }
            try connection.execute("DROP TABLE words")
          }
          try connection.execute(WordIndex.creation)
        } else if exists {
          try connection.changeInternalTables(WordIndex.emptying)
        }
        try connection.execute(WordIndex.emptyRange)
        try connection.run("DELETE FROM word_task")
        try connection.run(WordErasure.allDone)
      }
    }
  }

  /// Whether there is an index that FTS5 can't even open.
  private func lacksFormat(_ file: DatabaseFile) throws(StoreFailure) -> Bool {
    guard try hasWords(file) else { return false }
    return try file.read("look at the index of words") { connection throws(SQLiteError) in
      try !WordIndex.hasFormat(connection)
    }
  }

  /// Whether there is an index at the moment. A transaction that needs one asks for it itself.
  func hasWords(_ file: DatabaseFile) throws(StoreFailure) -> Bool {
    try file.read("look at the index of words") { connection throws(SQLiteError) in
      try connection.integer(Store.wordsExistSQL) != 0
    }
  }

  private func hasPendingWords(of file: DatabaseFile) throws(StoreFailure) -> Bool {
    try file.read("look at the index of words") { connection throws(SQLiteError) in
      try connection.integer(Store.hasPendingSQL) != 0
    }
  }

  /// Indexes the next exchanges in one transaction: what has changed, the newest, then backwards.
  private func indexBatch(_ step: WordStep, of file: DatabaseFile) throws(StoreFailure) {
    let action = "index words"
    try file.write(action, scope: nil) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        let deadline = Clock.monotonicMicroseconds + step.microseconds
        if try connection.integer(Store.wordsExistSQL) == 0 {
          try connection.execute(WordIndex.creation)
        }
        while try indexNext(connection), Clock.monotonicMicroseconds < deadline {}
      }
    }
  }

  /// Indexes the next exchanges, and answers whether there may be more.
  private func indexNext(_ connection: Connection) throws(SQLiteError) -> Bool {
    if try indexChanged(connection) > 0 { return true }
    let newer = try index(
      connection, "WHERE sequence > (SELECT last FROM word_range) ORDER BY sequence")
    if let last = newer.last {
      try connection.run("UPDATE word_range SET last = ?", [.int(last)])
      return true
    }
    let older = try index(
      connection, "WHERE sequence < (SELECT first FROM word_range) ORDER BY sequence DESC")
    try connection.run("UPDATE word_range SET first = ?", [.int(older.last ?? 0)])
    return !older.isEmpty
  }

  /// Brings a part of the index up to date with exchanges that have changed or are gone, in one
  /// transaction, and answers whether there may be more.
  func indexSomeChanged(of file: DatabaseFile) throws(StoreFailure) -> Bool {
    guard hasFullText else { return false }
    let action = "index words"
    return try file.write(action, scope: nil) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        guard try connection.integer(Store.wordsExistSQL) != 0 else { return false }
        return try indexChanged(connection) == Int(Store.wordBatchCount)
      }
    }
  }

  /// Indexes exchanges whose words have changed; removes those of exchanges that are gone.
  private func indexChanged(_ connection: Connection) throws(SQLiteError) -> Int {
    let tasks = try connection.rows(
      "SELECT sequence FROM word_task ORDER BY sequence LIMIT ?", [.int(Store.wordBatchCount)]
    ) { $0.int64(0) }
    for sequence in tasks {
      try connection.run("DELETE FROM words WHERE rowid = ?", [.int(sequence)])
      _ = try index(connection, "WHERE sequence = ?", [.int(sequence)])
      try connection.run("DELETE FROM word_task WHERE sequence = ?", [.int(sequence)])
    }
    return tasks.count
  }

  /// Indexes the first exchanges of a selection, and answers which.
  private func index(
    _ connection: Connection, _ condition: String, _ values: [SQLValue] = []
  ) throws(SQLiteError) -> [Int64] {
    var byteCount = 0
    var taken: [IndexedExchange] = []
    let sql = "\(IndexedExchange.selection) \(condition) LIMIT ?"
    try connection.each(sql, values + [.int(Store.wordBatchCount)]) { row in
      taken.append(IndexedExchange(row, bodies: bodies))
      byteCount += taken[taken.count - 1].byteCount
      return byteCount < Store.wordBatchBytes
    }
    for exchange in taken { try connection.run(WordIndex.insertion, exchange.values) }
    return taken.map(\.sequence)
  }

  /// Exchanges that are indexed in one transaction, which takes some milliseconds.
  static let wordBatchCount: Int64 = 64
  /// Bytes of text after which a transaction takes no more exchanges.
  private static let wordBatchBytes = 256 << 10

  static let wordsExistSQL = "SELECT count(*) FROM sqlite_schema WHERE name = 'words'"

  private static let hasPendingSQL = """
    SELECT EXISTS (SELECT 1 FROM exchange WHERE sequence > (SELECT last FROM word_range))
      OR EXISTS (SELECT 1 FROM exchange WHERE sequence < (SELECT first FROM word_range))
      OR EXISTS (SELECT 1 FROM word_task)
    """

  private static let pendingSQL = """
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM exchange WHERE sequence < (SELECT first FROM word_range)) OR (
        SELECT count(*) FROM (
          SELECT 1 FROM exchange WHERE sequence > (SELECT last FROM word_range) LIMIT ?1)) >= ?1
        THEN 2
      WHEN EXISTS (SELECT 1 FROM exchange WHERE sequence > (SELECT last FROM word_range))
        OR EXISTS (SELECT 1 FROM word_task) THEN 1
      ELSE 0 END
    """

  private static let pendingCountSQL = """
    SELECT (SELECT count(*) FROM exchange WHERE sequence > (SELECT last FROM word_range))
      + (SELECT count(*) FROM exchange
         WHERE sequence < (SELECT first FROM word_range)
           AND sequence <= (SELECT last FROM word_range))
      + (SELECT count(*) FROM word_task WHERE sequence IN (SELECT sequence FROM exchange))
    """
}
