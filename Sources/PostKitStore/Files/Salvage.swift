// Taking over what can still be read of a damaged file.

import CSQLite
import PostKitSupport

/// Copies rows of a damaged file into the new one that takes its place, as many as can be read. The
/// damaged file is only read. The caller holds the lock and no transaction.
struct Salvage {
  /// How many rows of each table were taken over.
  private(set) var counts: [(table: String, rows: Int)] = []
  private let connection: Connection
  private let path: String
  private var failures = 0
  private let deadline: Int64
  /// Whether the time was over before all was tried.
  private var isUnfinished = false

  /// Others wait for the lock for five seconds. What is left then is in the kept file.
  private static let patience: Int64 = 4_000
  /// A range of rows that can't be read is halved until the row is found that can't, but not for
  /// ever.
  private static let failureLimit = 20_000
  private static let chunk: Int64 = 1_024

  /// Copies what can be read of the file at `path`.
  init(
    of path: String, into connection: Connection, milliseconds: Int64 = Salvage.patience
  ) {
    self.path = path
    self.connection = connection
    deadline = Clock.monotonicMicroseconds + milliseconds * 1_000
    connection.tolerateDamage(true)
    if let tables = attempt({ () throws(SQLiteError) in try begin(path) }) {
      for (name, hasRowID) in tables { take(name, hasRowID) }
    }
    _ = attempt { () throws(SQLiteError) in try end() }
    connection.tolerateDamage(false)
  }

  /// What was taken over, for a person.
  var sentence: String {
    let taken = counts.filter { $0.rows > 0 }
    if isUnfinished {
      return "There was time to take over \(taken.isEmpty ? "nothing" : words(taken)), the newest "
        + "first; what is older is in \(path) alone, where sqlite3 can read it."
    }
    if taken.isEmpty { return "None of it was readable." }
    return "The new one has all that was readable: \(words(taken))."
  }

  private func words(_ taken: [(table: String, rows: Int)]) -> String {
    taken.map { "\($0.rows) rows of \($0.table)" }.joined(separator: ", ")
  }

  private mutating func hasTime() -> Bool {
    isUnfinished = isUnfinished || Clock.monotonicMicroseconds >= deadline
    return !isUnfinished
  }

  /// What can't be read or written is what is lost; the kept file still has it.
  private func attempt<Result>(_ body: () throws(SQLiteError) -> Result) -> Result? {
    // The failure says no more than that.
    try? body()
  }

  /// Answers the tables of the new file that hold what people did, and whether their rows have
  /// numbers. Counters, and what is known of the index of words, begin anew; triggers make groups,
  /// and what exchanges were made for is read from them at the end.
  private func begin(_ path: String) throws(SQLiteError) -> [(name: String, hasRowID: Bool)] {
    let tables = try connection.rows(
      """
      SELECT name, wr FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
        AND name NOT IN (
          'migration', 'revision', 'word_range', 'word_task', 'word_erasure', 'grouped_range',
          'exchange_group', 'exchange_figures', 'exchange_purpose')
      ORDER BY name
      """
    ) { (name: $0.text(0), hasRowID: $0.int(1) == 0) }
    // Rows may come before those that they refer to.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.run("ATTACH DATABASE ? AS damaged", [.text(path)])
    return tables
  }

  private func end() throws(SQLiteError) {
    try dropLooseRows()
    if !names(of: "exchange_purpose", in: "main").isEmpty {
      try connection.execute(
        """
        INSERT OR IGNORE INTO exchange_purpose
          SELECT sequence, purpose FROM exchange WHERE purpose IS NOT NULL
        """)
    }
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute("DETACH DATABASE damaged")
  }

  private mutating func take(_ table: String, _ hasRowID: Bool) {
    let known = names(of: table, in: "damaged")
    let columns = names(of: table, in: "main").filter(known.contains).joined(separator: ", ")
    if columns.isEmpty { return }
    let copy = """
      INSERT OR IGNORE INTO main.\(table) (\(columns)) SELECT \(columns) FROM damaged.\(table)
      """
    counts.append((table, 0))
    if !hasRowID { return takeInOrder(table, copy) }
    var high = lastRow(of: table)
    // The newest first: time may run out.
    while high > 0 {
      let low = max(1, high - Salvage.chunk + 1)
      take(low...high, copy)
      high = low - 1
    }
  }

  /// Each statement is a transaction of its own, so that one that fails costs its rows alone.
  private mutating func take(_ range: ClosedRange<Int64>, _ copy: String) {
    guard failures < Salvage.failureLimit, hasTime() else { return }
    let bounds = [SQLValue.int(range.lowerBound), .int(range.upperBound)]
    if add("\(copy) WHERE rowid BETWEEN ? AND ?", bounds) != nil { return }
    failures += 1
    guard range.count > 1 else { return }
    let middle = range.lowerBound + Int64(range.count / 2)
    take(middle...range.upperBound, copy)
    take(range.lowerBound...(middle - 1), copy)
  }

  /// Rows without numbers: all at once, else one by one from both ends.
  private mutating func takeInOrder(_ table: String, _ copy: String) {
    guard hasTime() else { return }
    if add(copy, []) != nil { return }
    for direction in ["ASC", "DESC"] {
      for offset in 0..<Salvage.failureLimit where hasTime() {
        let place = " ORDER BY 1 \(direction), 2 \(direction), 3 \(direction) LIMIT 1 OFFSET ?"
        // Nothing is added behind the last row, and where the other end has been.
        if (add(copy + place, [.int(Int64(offset))]) ?? 0) == 0 { break }
      }
    }
  }

  /// Copies rows, and answers how many; `nil` where one of them can't be read.
  private mutating func add(_ copy: String, _ values: [SQLValue]) -> Int? {
    let count = attempt { () throws(SQLiteError) in try connection.run(copy, values) }
    counts[counts.count - 1].rows += count ?? 0
    return count
  }

  private func names(of table: String, in schema: String) -> [String] {
    attempt { () throws(SQLiteError) in
      try connection.rows(
        "SELECT name FROM pragma_table_info(?, ?)", [.text(table), .text(schema)]
      ) { $0.text(0) }
    } ?? []
  }

  /// The number of the last row; where it can't be read, one that is not below it.
  private func lastRow(of table: String) -> Int64 {
    for query in [
      "SELECT max(rowid) FROM damaged.\(table)",
      "SELECT page_count * \(Salvage.rowsOfPage) FROM pragma_page_count('damaged')",
    ] {
      if let last = attempt({ () throws(SQLiteError) in try connection.integer(query) }) {
        return last
      }
    }
    return 0
  }

  /// No table has rows so short that more of them fit on a page.
  private static let rowsOfPage: Int64 = 64

  /// Does to rows whose owner is lost what deleting the owner does.
  private func dropLooseRows() throws(SQLiteError) {
    while true {
      let loose = try connection.rows("PRAGMA foreign_key_check") {
        (table: $0.text(0), row: $0.int64(1), key: $0.int64(3))
      }
      if loose.isEmpty { return }
      for (table, row, key) in loose {
        let rule = try connection.first(
          "SELECT [from], on_delete FROM pragma_foreign_key_list(?) WHERE id = ?",
          [.text(table), .int(key)]
        ) { (column: $0.text(0), action: $0.text(1)) }
        if let rule, rule.action == "SET NULL" {
          try connection.run(
            "UPDATE \(table) SET \(rule.column) = NULL WHERE rowid = ?", [.int(row)])
        } else {
          try connection.run("DELETE FROM \(table) WHERE rowid = ?", [.int(row)])
        }
      }
    }
  }
}
