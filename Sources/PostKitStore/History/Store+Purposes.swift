// What exchanges were made for and who asked for them, where lists say so.

import PostKitHTTP

extension Store {
  /// The question with what is known of other purposes: where there are none, nothing is left out.
  func withPurposes(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> HistoryQuery {
    var query = query
    query.hasOtherPurposes = try file.read("search the history") { connection throws(SQLiteError) in
      try connection.integer("SELECT EXISTS (SELECT 1 FROM exchange_purpose)") != 0
    }
    return query
  }

  /// The entries with who asked for them and what they were made for. That stands at the end of
  /// their rows, behind bodies, so that no list reads it that doesn't show it.
  package func withOrigins(
    _ entries: [ExchangeSummary]
  ) throws(StoreFailure) -> [ExchangeSummary] {
    let list = entries.map { String($0.sequence) }.joined(separator: ",")
    let found = try history().read("search the history") { connection throws(SQLiteError) in
      try connection.rows(Store.originsSQL, [.text("[\(list)]")]) { row in
        (row.int64(0), row.optionalText(1), row.optionalText(2))
      }
    }
    let known = Dictionary(found.map { ($0.0, ($0.1, $0.2)) }) { first, _ in first }
    return entries.map { entry in
      var entry = entry
      let (origin, purpose) = known[entry.sequence] ?? (nil, nil)
      entry.origin = origin.map(ExchangeOrigin.init(rawValue:))
      entry.purpose = purpose.map(ExchangePurpose.init(rawValue:)) ?? .request
      return entry
    }
  }

  private static let originsSQL = """
    SELECT sequence, origin, purpose FROM exchange
    WHERE sequence IN (SELECT value FROM json_each(?))
    """
}
