// Retention: what is too old or too much goes by itself, in small pieces; what is pinned stays.

import PostKitSupport

/// How much history is kept.
package struct Retention: Sendable, Hashable {
  /// Days after which an exchange goes.
  package var maxAgeDays = 90
  /// Exchanges that are kept; `nil` for any number.
  package var maxEntries: Int?
  /// Bytes of the database and of the bodies beside it.
  package var maxBytes = 2 << 30

  /// The retention of who has set nothing (CONTRACTS.md, section 3).
  package init() {}

  /// The moment before which exchanges are too old, in milliseconds since 1970; `nil` where that is
  /// before all time.
  func oldest(at now: Int64) -> Int64? {
    let (age, isTooLong) = Int64(maxAgeDays).multipliedReportingOverflow(by: 86_400_000)
    let (moment, isTooEarly) = now.subtractingReportingOverflow(age)
    return isTooLong || isTooEarly ? nil : moment
  }
}

/// What trimming by bytes does next.
enum ByteTrim {
  /// To see whether there is too much.
  case measuring
  /// To delete what was recorded up to an exchange; much of it where it is a good part of all.
  case deleting(through: LastExchange, isMuch: Bool)
  /// To merge the index of words. Until then what was deleted takes more space in it than before.
  case merging(WordMerging)

  /// The last exchange that is to go. After somebody has forgotten the whole history numbers begin
  /// anew, so that its id tells whether the number still means the same.
  struct LastExchange {
    var sequence: Int64
    var id: String
  }
}

extension Store {
  /// Deletes some of what is to go, and answers whether there may be more. It is one short
  /// transaction; the space is used again by what comes next. Cookies that have expired go first.
  package func trim(_ retention: Retention, now: Int64) throws(StoreFailure) -> Bool {
    try forgetExpiredCookies(now: now)
    let file = try history()
    // A look that costs no transaction; what goes is decided in the one that deletes it.
    let action = "see how much history there is"
    let hasSurplus = try file.read(action) { connection throws(SQLiteError) in
      try Store.surplus(retention, now: now, connection) != nil
    }
    guard hasSurplus else { return try trimBytes(to: retention.maxBytes, of: file) }
    return try deleteExchanges(limit: Store.trimmedCount, of: file) {
      connection throws(SQLiteError) in
      try Store.surplus(retention, now: now, connection)
    } > 0
  }

  /// Deletes what is to go for some milliseconds, at the end of a run that has time for it, and
  /// looks at a part of the bodies.
  func trimForRun(_ retention: Retention, milliseconds: Int64) throws(StoreFailure) {
    guard milliseconds > 0, historyIfOpen != nil else { return }
    let deadline = Clock.monotonicMicroseconds + milliseconds * 1_000
    while try trim(retention, now: Clock.wallMilliseconds),
      Clock.monotonicMicroseconds < deadline
    {}
    sweepAbandoned()
    try sweepBodies(part: Int(lastRecorded / Store.trimInterval) % BodyFiles.partCount)
  }

  /// Whether a run of one request should trim: one in so many does, which costs the others nothing
  /// and keeps up with them all the same.
  package func isTurnToTrim() -> Bool { trimIsDue }

  /// Notes what was recorded: once in so many exchanges, whoever records them, it is time to trim.
  func noteRecorded(first: Int64, last: Int64) {
    lastRecorded = last
    if last / Store.trimInterval > (first - 1) / Store.trimInterval { trimIsDue = true }
  }

  /// The condition of what is to go next; `nil` where nothing is.
  private static func surplus(
    _ retention: Retention, now: Int64, _ connection: Connection
  ) throws(SQLiteError) -> SQLQuery? {
    if let moment = retention.oldest(at: now) {
      let old = SQLQuery(
        sql: "sequence IN (SELECT sequence FROM exchange INDEXED BY exchange_by_time "
          + "WHERE started_at < ? AND pinned = 0 ORDER BY started_at LIMIT \(Store.trimmedCount))",
        values: [.int(moment)])
      let hasOld = try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM exchange WHERE \(old.sql))", old.values)
      if hasOld != 0 { return old }
    }
    let count = try surplusCount(retention, connection)
    return count > 0 ? Store.oldest(min(count, Store.trimmedCount)) : nil
  }

  /// By the order of recording: a clock that was set back makes nothing older.
  private static func oldest(_ count: Int, through last: Int64 = .max) -> SQLQuery {
    SQLQuery(
      sql: "sequence IN (SELECT sequence FROM exchange WHERE pinned = 0 AND sequence <= ? "
        + "ORDER BY sequence LIMIT ?)",
      values: [.int(last), .int(Int64(count))])
  }

  private static func surplusCount(
    _ retention: Retention, _ connection: Connection
  ) throws(SQLiteError) -> Int {
    guard let limit = retention.maxEntries else { return 0 }
    // Numbers without gaps are the most that there can be; that is known at once.
    let most = try connection.integer(
      "SELECT (SELECT max(sequence) FROM exchange) - (SELECT min(sequence) FROM exchange) + 1")
    guard Int(most) > limit else { return 0 }
    return Int(try connection.integer("SELECT count(*) FROM exchange")) - limit
  }

  /// Does the next step towards a number of bytes.
  ///
  /// What has to go is worked out once and then deleted: measuring in between would find hardly
  /// less, because what is deleted from an index of words is only marked there at first. Where much
  /// was deleted the index is merged before it is measured again. Where little was, as after every
  /// few exchanges of a history that is full, SQLite merges in the course of recording, and the
  /// next measurement can wait until then.
  private func trimBytes(to limit: Int, of file: DatabaseFile) throws(StoreFailure) -> Bool {
    switch byteTrim {
    case .measuring:
      guard let next = try oldestInExcess(of: limit, in: file) else { return false }
      byteTrim = next
    case .deleting(let last, let isMuch):
      let count = try deleteExchanges(limit: Store.trimmedCount, of: file) {
        connection throws(SQLiteError) in
        let isThere = try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM exchange WHERE sequence = ? AND id = ?)",
          [.int(last.sequence), .text(last.id)])
        return isThere == 0 ? nil : Store.oldest(Store.trimmedCount, through: last.sequence)
      }
      if count == Store.trimmedCount { return true }
      byteTrim = isMuch && hasFullText ? .merging(WordMerging()) : .measuring
      if case .measuring = byteTrim { return false }
    case .merging(var merging):
      let isMore = try eraseSomeDeletedWords(&merging, of: file)
      byteTrim = isMore ? .merging(merging) : .measuring
    }
    return true
  }

  /// The oldest exchanges that take what is above `limit`, by their share of the database and the
  /// sizes of their bodies; `nil` where nothing is to go.
  private func oldestInExcess(
    of limit: Int, in file: DatabaseFile
  ) throws(StoreFailure) -> ByteTrim? {
    let (database, bodies) = try byteCounts(of: file)
    let (excess, _) = (database + bodies).subtractingReportingOverflow(limit)
    guard excess > 0 else { return nil }
    return try file.read("measure the history") { connection throws(SQLiteError) in
      var excess = excess
      let count = Int(try connection.integer("SELECT count(*) FROM exchange"))
      guard count > 0 else { return nil }
      let share = max(1, database / count)
      var (last, taken): (ByteTrim.LastExchange?, Int) = (nil, 0)
      try connection.each(Store.sizesSQL) { row in
        last = ByteTrim.LastExchange(sequence: row.int64(0), id: row.text(2))
        taken += 1
        excess -= share + row.int(1)
        return excess > 0
      }
      return last.map { .deleting(through: $0, isMuch: taken > count / 8) }
    }
  }

  /// Bytes that the history takes.
  func byteCount() throws(StoreFailure) -> Int {
    let (database, bodies) = try byteCounts(of: history())
    return database + bodies
  }

  /// Bytes of the database's pages in use, and of bodies that are files.
  private func byteCounts(of file: DatabaseFile) throws(StoreFailure) -> (Int, Int) {
    try file.read("measure the history") { connection throws(SQLiteError) in
      let pages = try connection.integer("PRAGMA page_count")
        - connection.integer("PRAGMA freelist_count")
      let size = try connection.integer("PRAGMA page_size")
      return (Int(pages * size), Int(try connection.integer(Store.bodyBytesSQL)))
    }
  }

  /// A body that others share counts in full: then less is deleted than could be, and the next
  /// measurement finds the rest.
  private static let sizesSQL = """
    SELECT sequence,
      CASE WHEN request_body_hash IS NULL THEN 0 ELSE request_body_size END
      + CASE WHEN response_body_hash IS NULL THEN 0 ELSE response_body_size END, id
    FROM exchange WHERE pinned = 0 ORDER BY sequence
    """

  /// Equal bodies are one file.
  static let bodyBytesSQL = """
    SELECT coalesce((
      SELECT sum(size) FROM (
        SELECT max(response_body_size) AS size FROM exchange
        WHERE response_body_hash IS NOT NULL GROUP BY response_body_hash)), 0)
    + coalesce((
      SELECT sum(size) FROM (
        SELECT max(request_body_size) AS size FROM exchange
        WHERE request_body_hash IS NOT NULL GROUP BY request_body_hash)), 0)
    """

  /// Exchanges that are deleted in one transaction.
  private static let trimmedCount = 64
  /// Exchanges after which it is time to trim.
  private static let trimInterval: Int64 = 64
}
