// Bringing exchanges into groups, and answering by them.

import PostKitSupport

extension Store {
  /// The exchanges that a query asks for, found by groups; `nil` where something else finds them
  /// faster, or where groups don't know the history well enough yet.
  func groupedHistory(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> [ExchangeSummary]? {
    guard let conditions = query.groupConditions, !query.isReadInOrder else { return nil }
    _ = try isGroupedByNow(file)
    return try file.read("search the history") { connection throws(SQLiteError) in
      try connection.snapshot { () throws(SQLiteError) in
        let (last, newer) = try connection.first(Store.newerSQL, [.int(Store.readCount)]) {
          ($0.int64(0), $0.int64(1))
        } ?? (0, Store.readCount)
        guard newer < Store.readCount else { return nil }
        return try GroupReading.entries(query, conditions, connection, groupedTo: last)
      }
    }
  }

  /// Whether groups know the whole history.
  func isGrouped(_ file: DatabaseFile) throws(StoreFailure) -> Bool {
    try file.read("look at the groups") { connection throws(SQLiteError) in
      try connection.integer(Store.isGroupedSQL) != 0
    }
  }

  /// Groups exchanges until none are left or the time is over, and answers whether none are left.
  /// Each transaction is short, so that nobody who sends waits for it.
  @discardableResult
  package func group(milliseconds: Int64) throws(StoreFailure) -> Bool {
    commitQueue()
    let file = try history()
    let deadline = Clock.monotonicMicroseconds + milliseconds * 1_000
    while try !isGrouped(file) {
      if Clock.monotonicMicroseconds >= deadline { return false }
      try groupOnce(file)
    }
    return true
  }

  /// Whether groups know the whole history, after a moment in which they may get to know it.
  func isGroupedByNow(_ file: DatabaseFile) throws(StoreFailure) -> Bool {
    if try isGrouped(file) { return true }
    do throws(StoreFailure) {
      return try waitingHere(atMost: Int(Store.groupingPatience)) { () throws(StoreFailure) in
        try group(milliseconds: Store.groupingPatience)
      }
    } catch {
      // Where nothing can be written, the exchanges are read.
      Log.info("The history can't be grouped: \(error.message)")
      return false
    }
  }

  /// Groups some exchanges in one transaction: what is newer than those that are grouped, and then
  /// backwards.
  func groupOnce(_ file: DatabaseFile) throws(StoreFailure) {
    if try isGrouped(file) { return }
    let action = "group exchanges"
    try file.write(action, scope: nil) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        let newer = try Store.group(
          "WHERE sequence > (SELECT last FROM grouped_range) ORDER BY sequence", connection)
        if let last = newer.last {
          try connection.run("UPDATE grouped_range SET last = ?", [.int(last)])
          return
        }
        let older = try Store.group(
          "WHERE sequence < (SELECT first FROM grouped_range) ORDER BY sequence DESC", connection)
        try connection.run("UPDATE grouped_range SET first = ?", [.int(older.last ?? 0)])
      }
    }
    if file.needsCheckpoint { file.checkpoint() }
  }

  /// Groups the first exchanges of a selection, and answers which.
  private static func group(
    _ condition: String, _ connection: Connection
  ) throws(SQLiteError) -> [Int64] {
    let exchanges = try connection.rows(
      "\(ExchangeGroups.selection) \(condition) LIMIT \(groupingCount)"
    ) { GroupedExchange($0) }
    var known: [[SQLValue]: Int64] = [:]
    for exchange in exchanges {
      var number = known[exchange.group]
      if number == nil {
        number = try connection.first(ExchangeGroups.lookup, exchange.group) { $0.int64(0) }
      }
      if number == nil {
        try connection.run(ExchangeGroups.insertion, exchange.group)
        number = connection.lastRowNumber
      }
      guard let number else { continue }
      known[exchange.group] = number
      try connection.run(ExchangeGroups.figures, exchange.figures(of: number))
    }
    return exchanges.map(\.sequence)
  }

  /// How long a question waits for exchanges to be grouped, in milliseconds.
  private static let groupingPatience: Int64 = 30
  /// Exchanges that are grouped in one transaction.
  private static let groupingCount = 256
  /// Exchanges that are in no group yet and that a question reads one by one, at most.
  private static let readCount: Int64 = 2_000

  private static let isGroupedSQL = """
    SELECT NOT EXISTS (SELECT 1 FROM exchange WHERE sequence < (SELECT first FROM grouped_range))
      AND NOT EXISTS (SELECT 1 FROM exchange WHERE sequence > (SELECT last FROM grouped_range))
    """

  /// How far the groups go, and how many exchanges are newer; the most where older ones lack.
  private static let newerSQL = """
    SELECT last, CASE
      WHEN EXISTS (SELECT 1 FROM exchange WHERE sequence < first AND sequence <= last) THEN ?1
      ELSE (SELECT count(*) FROM (SELECT 1 FROM exchange WHERE sequence > last LIMIT ?1)) END
    FROM grouped_range
    """
}
