// How questions to the history are asked of the database, rendered to SQL by pure functions.

import PostKitHTTP

extension HistoryQuery {
  /// The statement that answers the question.
  func rendered(_ search: Search = .reading) -> SQLQuery {
    if case .indexed(let words, let range) = search { return indexed(words, except: range) }
    var descriptor = FetchDescriptor<Model.HistoryEntry>(sortBy: order, fetchLimit: limit)
    descriptor.predicate = text.map { predicate && HistoryQuery.occurrences($0) } ?? predicate
    descriptor.after = after.map(place)
    return descriptor.rendered()
  }

  /// The numbers of all exchanges that are asked for, on whatever page and in no order.
  func renderedNumbers(_ search: Search = .reading) -> SQLQuery {
    var all = self
    (all.after, all.limit, all.sort) = (nil, .max, .time)
    if case .indexed(let words, let range) = search {
      return all.numbers(words, except: range, from: 0)
    }
    return Selection(
      table: "exchange", terms: [.column("sequence")],
      condition: (text.map { predicate && HistoryQuery.occurrences($0) } ?? predicate).term
    ).rendered()
  }

  /// The condition of those of some exchanges that are asked for. Their numbers rise.
  func rendered(_ search: Search, among numbers: ArraySlice<Int64>) -> SQLQuery {
    let list = SQLValue.text("[\(numbers.map(String.init).joined(separator: ","))]")
    var condition = Term.fragment("sequence IN (SELECT value FROM json_each(?))", [list])
    switch (search, text) {
    case (.indexed(let words, _), _):
      let bounds = [numbers.first, numbers.last].map { SQLValue.int($0 ?? 0) }
      condition = condition && .fragment(
        "sequence IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?)",
        [.text(words)] + bounds)
    case (.reading, let text?): condition = condition && HistoryQuery.occurrences(text).term
    case (.reading, nil): break
    }
    var writer = SQLWriter(table: "exchange")
    writer.write(condition && predicate.term)
    return writer.query
  }

  /// The order of the answer; the keys of the table end it.
  private var order: (Model.HistoryEntry.Columns) -> [SortDescriptor<Model.HistoryEntry>] {
    let sort = sort
    return { entry in
      switch sort {
      case .time: [entry.startedAt.descending]
      case .milliseconds: [entry.totalMicroseconds.descending, entry.startedAt.descending]
      case .size: [entry.size.descending, entry.startedAt.descending]
      }
    }
  }

  private func place(_ cursor: Cursor) -> PageKey {
    guard sort == .time else { return PageKey(cursor.value, cursor.startedAt, cursor.id) }
    return PageKey(cursor.startedAt, cursor.id)
  }

  /// Newest first is by `sequence` here: that is the order of the index, so that no more is read
  /// than is answered. The table of words comes first; otherwise its list of matches would be made
  /// for each exchange.
  private func indexed(_ words: String, except range: WordRange?) -> SQLQuery {
    guard sort == .time, range == nil else { return sorted(words, except: range) }
    return matches(
      words, [.fragment(ExchangeSummary.selection, [])], order: [(HistoryQuery.number, .reverse)])
  }

  /// Finds first and brings in order then.
  private func sorted(_ words: String, except range: WordRange?) -> SQLQuery {
    // The rest of a long history is not worth the wait: whoever searches is told of it.
    let rest = (range?.first ?? 0) - HistoryQuery.readingLimit
    var found = self
    if sort != .time { (found.after, found.limit) = (nil, .max) }
    let numbers = found.numbers(words, except: range, from: rest)
    let condition = Term.fragment("sequence IN (\(numbers.sql))", numbers.values)
    guard sort != .time else {
      return Selection(
        table: "exchange", terms: [.fragment(ExchangeSummary.selection, [])],
        condition: condition, order: [(.column("sequence"), .reverse)], limit: limit
      ).rendered()
    }
    var descriptor = FetchDescriptor<Model.HistoryEntry>(sortBy: order, fetchLimit: limit)
    descriptor.predicate = Predicate(term: condition)
    descriptor.after = after.map(place)
    return descriptor.rendered()
  }

  /// The numbers of exchanges by the index of words, and outside a range of it from one on by
  /// reading.
  private func numbers(_ words: String, except range: WordRange?, from rest: Int64) -> SQLQuery {
    let isPage = limit < .max
    let found = matches(
      words, [.fragment("words.rowid AS number", [])],
      order: isPage ? [(HistoryQuery.number, .reverse)] : [])
    guard let range, let text else { return found }
    let parts = [
      found, unindexed(text) { $0.sequence > range.last },
      unindexed(text) { $0.sequence < range.first && $0.sequence >= rest },
    ]
    return SQLQuery(
      sql: parts.map { "SELECT number FROM (\($0.sql))" }.joined(separator: " UNION ALL "),
      values: parts.flatMap(\.values))
  }

  private func matches(
    _ words: String, _ terms: [Term], order: [(Term, SortOrder)]
  ) -> SQLQuery {
    var found = Term.fragment("words MATCH ?", [.text(words)]) && predicate.term
    if sort == .time, let after {
      found = found && .infix(HistoryQuery.number, "<", .value(.int(after.sequence)))
    }
    return Selection(
      table: "exchange",
      source: "words CROSS JOIN exchange ON exchange.sequence = words.rowid",
      terms: terms, condition: found, order: order, limit: limit < .max ? limit : nil
    ).rendered()
  }

  private static let number = Term.fragment("words.rowid", [])

  private func unindexed(
    _ text: String, in place: (Model.HistoryEntry.Columns) -> Predicate<Model.HistoryEntry>
  ) -> SQLQuery {
    let entry = Model.HistoryEntry.columns
    var bounds = place(entry)
    if sort == .time, let after { bounds = bounds && entry.sequence < after.sequence }
    let words = SearchText(text).words.map { HistoryQuery.occurrences($0.text) }
    return Selection(
      table: "exchange", terms: [.fragment("sequence AS number", [])],
      condition: (bounds && predicate && .all(words)).term,
      order: [(.column("sequence"), .reverse)], limit: limit < .max ? limit : nil
    ).rendered()
  }

  /// All conditions but those of the text and the page.
  var predicate: Predicate<Model.HistoryEntry> {
    let entry = Model.HistoryEntry.columns
    var conditions: [Predicate<Model.HistoryEntry>] = []
    func require<Value>(
      _ value: Value?, _ condition: (Value) -> Predicate<Model.HistoryEntry>
    ) {
      if let value { conditions.append(condition(value)) }
    }
    let leading = leadingColumn
    func indexed(_ column: Leading, _ condition: Predicate<Model.HistoryEntry>) {
      // SQLite chooses no index by what stands behind a plus.
      conditions.append(column == leading ? condition : Predicate(term: condition.term.unindexed))
    }
    if let file { indexed(.file, entry.file == file) }
    require(requestName) { entry.requestName == $0 }
    require(environment) { entry.environment == $0 }
    require(method) { entry.method == $0 }
    if let host { indexed(.host, entry.host == host.lowercased()) }
    require(status) { entry.status == $0 }
    // The class as well, because it is what the index knows.
    if let known = statusClass ?? status.map({ $0 / 100 }) {
      indexed(.statusClass, entry.statusClass == known)
    }
    require(state) { entry.state == $0 }
    if let runID { indexed(.run, entry.runID == runID) }
    if let path { indexed(.path, entry.path >= path && entry.path < path + "\u{10FFFF}") }
    require(minMilliseconds) { entry.totalMicroseconds >= Int64($0) * 1_000 }
    require(maxMilliseconds) { entry.totalMicroseconds <= Int64($0) * 1_000 }
    require(minSize) { entry.size >= $0 }
    require(maxSize) { entry.size <= $0 }
    // The constants are what indexes are chosen by.
    if hasFailedTests { conditions.append(Predicate(term: .fragment("failed_test_count > 0", []))) }
    require(isPinned) { Predicate(term: .fragment("pinned = \($0 ? 1 : 0)", [])) }
    if let label { indexed(.label, entry.label == label) }
    require(since) { entry.startedAt >= $0 }
    require(until) { entry.startedAt < $0 }
    if let storedRequestID {
      indexed(.stored, entry.storedRequestID == storedRequestID.lowercased())
    }
    require(origin) { entry.origin == $0.rawValue }
    if let condition = purposeCondition(table: "exchange") {
      conditions.append(Predicate(term: condition))
    }
    return .all(conditions)
  }

  /// What is asked of what exchanges were made for, by their numbers in a table; `nil` where all
  /// are asked for.
  func purposeCondition(table: String) -> Term? {
    switch purpose {
    case .usual, .only(.request):
      hasOtherPurposes
        ? .fragment(
          """
          NOT EXISTS (
            SELECT 1 FROM exchange_purpose WHERE exchange_purpose.sequence = \(table).sequence)
          """, [])
        : nil
    case .all: nil
    case .only(let purpose):
      .fragment(
        "\(table).sequence IN (SELECT sequence FROM exchange_purpose WHERE purpose = ?)",
        [.text(purpose.rawValue)])
    }
  }

  /// Conditions that have an index of their own, those first that few exchanges meet.
  private enum Leading {
    case stored, run, label, path, file, host, statusClass
  }

  /// The condition whose index is read. Without statistics SQLite would take any of them, and
  /// compute the host of each exchange that a worse one finds.
  private var leadingColumn: Leading? {
    if storedRequestID != nil { return .stored }
    if runID != nil { return .run }
    if label != nil { return .label }
    // Their indexes have no columns to be told apart by.
    if isPinned == true || hasFailedTests { return nil }
    // An index is chosen for a path that few have; many would have to be sorted.
    if path != nil, !pathIsCommon { return .path }
    if file != nil { return .file }
    if host != nil { return .host }
    return statusClass == nil && status == nil ? nil : .statusClass
  }

  /// Whether anything is asked for but the newest.
  package var hasConditions: Bool {
    hasFilters || text?.isEmpty == false || purpose == .only(.request)
  }

  /// Whether anything is asked for but words and the newest.
  var hasFilters: Bool { predicate.term != .always }

  /// Answers whether this many entries have a path.
  static let commonPathSQL = """
    SELECT count(*) FROM (
      SELECT 1 FROM exchange WHERE path >= ?1 AND path < ?1 || char(1114111) LIMIT ?2)
    """
  /// Entries of a path that are found and sorted in a few milliseconds.
  static let commonPathCount: Int64 = 1_000

  /// Exchanges that the index doesn't know yet and that a search reads one by one.
  private static let readingLimit: Int64 = 10_000

  /// That a text occurs anywhere in what is kept in the database; letters of ASCII match without
  /// regard to case. True for the empty text.
  private static func occurrences(_ text: String) -> Predicate<Model.HistoryEntry> {
    guard !text.isEmpty else { return .all([]) }
    let entry = Model.HistoryEntry.columns
    return .any([
      entry.url.contains(text), entry.requestName.contains(text),
      entry.requestHeaders.contains(text), entry.responseHeaders.contains(text),
      entry.label.contains(text), entry.note.contains(text), entry.requestBody.contains(text),
      entry.responseBody.contains(text),
    ])
  }
}
