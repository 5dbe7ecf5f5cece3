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
  /// their rows, behind bodies, so that no list reads it that doesn't show it. What was forgotten
  /// since the entries were read is left out: nothing is known of it any more.
  package func withOrigins(
    _ entries: [ExchangeSummary]
  ) throws(StoreFailure) -> [ExchangeSummary] {
    let list = entries.map { String($0.sequence) }.joined(separator: ",")
    let found = try history().read("search the history") { connection throws(SQLiteError) in
      try connection.rows(Store.originsSQL, [.text("[\(list)]")]) { row in
        (row.text(0), (row.optionalText(1), row.optionalText(2)))
      }
    }
    // By their ids, as a number may have been given anew.
    let known = Dictionary(found) { first, _ in first }
    return entries.compactMap { entry in
      guard let (origin, purpose) = known[entry.id] else { return nil }
      var entry = entry
      entry.origin = origin.map(ExchangeOrigin.init(rawValue:))
      entry.purpose = purpose.map(ExchangePurpose.init(rawValue:)) ?? .request
      return entry
    }
  }

  private static let originsSQL = """
    SELECT id, origin, purpose FROM exchange
    WHERE sequence IN (SELECT value FROM json_each(?))
    """
}
