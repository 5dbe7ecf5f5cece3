// Bringing exchanges into groups that were recorded before there were any.

import PostKitSupport

extension Store {
  /// The exchanges that a query asks for, found by groups; `nil` where something else finds them
  /// faster, or where groups don't know the whole history yet.
  func groupedHistory(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> [ExchangeSummary]? {
    guard let conditions = query.groupConditions, !query.isReadInOrder,
      try isGroupedByNow(file)
    else { return nil }
    return try file.read("search the history") { connection throws(SQLiteError) in
      try GroupReading.entries(query, conditions, connection)
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
    do throws(StoreFailure) { return try group(milliseconds: Store.groupingPatience) } catch {
      // Where nothing can be written, the exchanges are read.
      Log.info("The history can't be grouped: \(error.message)")
      return false
    }
  }

  /// Groups the newest exchanges that are in no group, in one transaction.
  func groupOnce(_ file: DatabaseFile) throws(StoreFailure) {
    if try isGrouped(file) { return }
    let action = "group exchanges"
    try file.write(action, scope: nil) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        let first = try connection.integer("SELECT first FROM grouped_range")
        let next = try connection.integer(
          Store.nextSQL, [.int(first), .int(Store.groupingCount)])
        let bounds: [SQLValue] = [.int(next), .int(first)]
        try connection.run(ExchangeGroups.additionOfMany, bounds)
        try connection.run(ExchangeGroups.figuresOfMany, bounds)
        try connection.run("UPDATE grouped_range SET first = ?", [.int(next)])
      }
    }
    if file.needsCheckpoint { file.checkpoint() }
  }

  /// How long a question waits for exchanges to be grouped, in milliseconds.
  private static let groupingPatience: Int64 = 30
  /// Exchanges that are grouped in one transaction.
  private static let groupingCount: Int64 = 256

  private static let isGroupedSQL = """
    SELECT NOT EXISTS (
      SELECT 1 FROM exchange WHERE sequence < (SELECT first FROM grouped_range))
    """

  private static let nextSQL = """
    SELECT coalesce(min(sequence), 0) FROM (
      SELECT sequence FROM exchange WHERE sequence < ? ORDER BY sequence DESC LIMIT ?)
    """
}
