// The first exchanges of a question, found by their groups.

/// Finds the first exchanges of a question, whatever it combines, without visiting those that it
/// doesn't ask for.
///
/// Where few groups meet the conditions, their exchanges are merged: each group is read in the
/// order of the answer, and one whose first exchange comes too late is not read at all. Where many
/// groups do, many exchanges do, so that reading all figures in order soon finds enough of them.
struct GroupReading {
  private let query: HistoryQuery
  private let conditions: GroupConditions
  private let connection: Connection
  private var found: FirstPlaces

  /// Groups that are merged; looking for the first exchange of each takes some microseconds.
  static let mergedCount = 1_000

  /// Reads for a question on the rows of a connection.
  init(_ query: HistoryQuery, _ conditions: GroupConditions, _ connection: Connection) {
    self.query = query
    self.conditions = conditions
    self.connection = connection
    found = FirstPlaces(limit: query.limit)
  }

  /// The exchanges of the page.
  static func entries(
    _ query: HistoryQuery, _ conditions: GroupConditions, _ connection: Connection
  ) throws(SQLiteError) -> [ExchangeSummary] {
    guard query.limit > 0 else { return [] }
    return try connection.snapshot { () throws(SQLiteError) in
      var reading = GroupReading(query, conditions, connection)
      return try reading.entries()
    }
  }

  private mutating func entries() throws(SQLiteError) -> [ExchangeSummary] {
    if conditions.hasGroups {
      let groups = try GroupReading.numbers(conditions, connection)
      if groups.isEmpty { return [] }
      if groups.count <= GroupReading.mergedCount {
        try merge(groups)
      } else {
        try readAll()
      }
    } else {
      try readAll()
    }
    return try summaries(found.numbers + sameAsCursor())
  }

  /// The groups that meet the conditions; of many, one more than are merged.
  static func numbers(
    _ conditions: GroupConditions, _ connection: Connection
  ) throws(SQLiteError) -> [Int64] {
    var writer = SQLWriter(table: "exchange_group")
    writer.write("SELECT number FROM \(conditions.groupTable)")
    writer.writeCondition(conditions.group)
    writer.write(" LIMIT \(mergedCount + 1)")
    return try connection.rows(writer.query.sql, writer.query.values) { $0.int64(0) }
  }

  private mutating func merge(_ groups: [Int64]) throws(SQLiteError) {
    let list = SQLValue.text("[\(groups.map(String.init).joined(separator: ","))]")
    var ordered = groups
    if query.sort == .time {
      // The first exchange of each; what is asked of durations can only make it a later one.
      let (from, to) = (query.since ?? .min, bound)
      let first = try connection.rows(GroupReading.firstSQL, [.int(from), .int(to), list]) {
        (group: $0.int64(0), startedAt: $0.isNull(1) ? nil : $0.int64(1))
      }
      let known = first.compactMap { entry in entry.startedAt.map { (entry.group, $0) } }
        .sorted { ($1.1, $1.0) < ($0.1, $0.0) }
      for (group, startedAt) in known {
        // All others begin later still.
        if !found.wants(Place(value: 0, startedAt: startedAt, sequence: 0)) { return }
        try read(figures(of: group))
      }
      return
    }
    ordered.sort()
    for group in ordered { try read(figures(of: group)) }
  }

  private static let firstSQL = """
    SELECT value, (
      SELECT max(started_at) FROM exchange_figures INDEXED BY exchange_figures_by_group
      WHERE group_number = value AND started_at >= ?1 AND started_at < ?2)
    FROM json_each(?3)
    """

  /// The moment before which exchanges of the page start; `Int64.max` for any.
  private var bound: Int64 {
    min(query.until ?? .max, query.after.map(\.startedAt) ?? .max)
  }

  private mutating func readAll() throws(SQLiteError) {
    var source = "exchange_figures"
    if conditions.hasGroups { source += " CROSS JOIN exchange_group ON number = group_number" }
    try read(statement(source, conditions.group && conditions.figures))
  }

  private func figures(of group: Int64) -> SQLQuery {
    statement(
      "exchange_figures INDEXED BY exchange_figures_by_group",
      .infix(.column("group_number"), "=", .value(.int(group))) && conditions.figures)
  }

  /// The places of exchanges behind the cursor, in their order where that is the order of time.
  private func statement(_ source: String, _ condition: Term) -> SQLQuery {
    var condition = condition
    if let after = query.after {
      condition = condition && (valueColumn.map { column in
        .infix(.call("", [column, started]), "<", .call("", [
          .value(.int(after.value)), .value(.int(after.startedAt)),
        ]))
      } ?? .infix(started, "<", .value(.int(after.startedAt))))
    }
    var selection = Selection(
      table: "exchange_figures", source: source,
      terms: [valueColumn ?? .fragment("0", []), started, .column("sequence")],
      condition: condition)
    if valueColumn == nil {
      selection.order = [(started, .reverse), (.column("sequence"), .reverse)]
    }
    return selection.rendered()
  }

  private let started = Term.column("started_at")

  /// What the answer is sorted by before the time.
  private var valueColumn: Term? {
    switch query.sort {
    case .time: nil
    case .milliseconds: .column("total_microseconds")
    case .size: .column("response_size")
    }
  }

  private mutating func read(_ query: SQLQuery) throws(SQLiteError) {
    let isInOrder = valueColumn == nil
    var found = found
    self.found = FirstPlaces(limit: 0)
    try connection.each(query.sql, query.values) { row in
      let place = Place(value: row.int64(0), startedAt: row.int64(1), sequence: row.int64(2))
      guard found.wants(place) else { return !isInOrder }
      found.add(place)
      return true
    }
    self.found = found
  }

  /// The exchanges that differ from the cursor by their ids alone.
  private func sameAsCursor() throws(SQLiteError) -> [Int64] {
    guard let after = query.after else { return [] }
    var condition = conditions.group && conditions.figures
      && .infix(started, "=", .value(.int(after.startedAt)))
    if let valueColumn {
      condition = condition && .infix(valueColumn, "=", .value(.int(after.value)))
    }
    let query = Selection(
      table: "exchange_figures",
      source: "exchange_figures CROSS JOIN exchange_group ON number = group_number",
      terms: [.column("sequence")], condition: condition
    ).rendered()
    return try connection.rows(query.sql, query.values) { $0.int64(0) }
  }

  /// The lines of exchanges, in the order of the answer and no more than it has.
  private func summaries(_ numbers: [Int64]) throws(SQLiteError) -> [ExchangeSummary] {
    let list = SQLValue.text("[\(numbers.map(String.init).joined(separator: ","))]")
    let entries = try connection.rows(GroupReading.summarySQL, [list]) { ExchangeSummary($0) }
    let after = query.after.map { ($0.value, $0.startedAt, $0.id) }
    let sort = query.sort
    func key(_ entry: ExchangeSummary) -> (Int64, Int64, String) {
      (HistoryQuery.Cursor(entry, sort: sort).value, entry.startedAt, entry.id)
    }
    return Array(
      entries.filter { entry in after.map { key(entry) < $0 } ?? true }
        .sorted { key($1) < key($0) }.prefix(query.limit))
  }

  private static let summarySQL = """
    SELECT \(ExchangeSummary.selection) FROM exchange
    WHERE sequence IN (SELECT value FROM json_each(?))
    """
}

/// Where an exchange stands in an answer: the larger comes first.
struct Place: Hashable {
  var value: Int64
  var startedAt: Int64
  var sequence: Int64

  /// Whether both are the same but for the exchange.
  func isLevel(with other: Place) -> Bool {
    value == other.value && startedAt == other.startedAt
  }

  /// Whether it comes behind another that isn't level with it.
  func isBehind(_ other: Place) -> Bool {
    (value, startedAt) < (other.value, other.startedAt)
  }
}

/// The first places of those that were added; all that are level with the last one are kept.
struct FirstPlaces {
  private var places: [Place] = []
  private let limit: Int

  /// Keeps so many.
  init(limit: Int) { self.limit = limit }

  /// The numbers of the exchanges.
  var numbers: [Int64] { places.map(\.sequence) }

  /// Whether a place is one of the first.
  func wants(_ place: Place) -> Bool {
    places.count < limit || limit > 0 && !place.isBehind(places[limit - 1])
  }

  /// Adds a place that is wanted.
  mutating func add(_ place: Place) {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].isBehind(place) { high = middle } else { low = middle + 1 }
    }
    places.insert(place, at: low)
    while places.count > limit, let last = places.last, last.isBehind(places[limit - 1]) {
      places.removeLast()
    }
  }
}
