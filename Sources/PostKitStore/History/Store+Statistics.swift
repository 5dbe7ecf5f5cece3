// Figures of the exchanges that a query asks for.

import PostKitSupport

extension Store {
  /// The figures of all exchanges that a query asks for, on whatever page, by what they are equal
  /// in: the largest count first, and days from the last one on.
  package func statistics(
    by key: StatisticsKey, where query: HistoryQuery
  ) throws(StoreFailure) -> [HistoryStatistics] {
    commitQueue()
    let file = try history()
    // All are asked for: to group them takes no longer than to read them.
    while try !isGroupedByNow(file) {
      do throws(StoreFailure) {
        if try group(milliseconds: Store.groupingStep) { break }
        file.letOthersWrite()
      } catch {
        Log.info("The history can't be grouped: \(error.message)")
        break
      }
    }
    let query = try withPurposes(query, in: file)
    let groups: [StatisticsGroup]
    let conditions = try isGrouped(file) ? query.groupConditions : nil
    if let conditions, let column = key.groupColumn {
      groups = try file.read(Store.measuring) { connection throws(SQLiteError) in
        try connection.snapshot { () throws(SQLiteError) in
          try FiguresReading.groups(column, conditions, connection)
        }
      }
    } else if key == .path, let conditions, conditions.areNone {
      groups = try file.read(Store.measuring) { connection throws(SQLiteError) in
        try connection.snapshot { () throws(SQLiteError) in
          try FiguresReading.paths(connection)
        }
      }
    } else {
      groups = try statisticsByReading(key, query, file)
    }
    return StatisticsKey.sorted(groups.map { $0.concluded() }, by: key)
  }

  private static let measuring = "measure the history"
  /// Milliseconds after which others may write.
  private static let groupingStep: Int64 = 100

  /// The figures of exchanges whose rows have to be read.
  private func statisticsByReading(
    _ key: StatisticsKey, _ query: HistoryQuery, _ file: DatabaseFile
  ) throws(StoreFailure) -> [StatisticsGroup] {
    let numbers = try numbers(query, in: file).statement
    let sql = "SELECT \(key.selection), \(Store.hasFailedSQL), \(Store.figuresSQL), "
      + "request_name IS NOT NULL FROM exchange WHERE sequence IN (\(numbers.sql))"
    var days = LocalDays()
    var groups: [FiguresReading.Value: StatisticsGroup] = [:]
    return try file.read(Store.measuring) { connection throws(SQLiteError) in
      try connection.each(sql, numbers.values) { row in
        let value = key == .day ? days.text(row.int64(3)) : row.optionalText(0)
        let place = FiguresReading.Value(value: value, file: row.optionalText(1))
        let isNamed = key == .request && row.int(7) != 0
        groups[place, default: StatisticsGroup(value: value, file: place.file)]
          .add(row, from: 3, hasFailed: row.int(2) != 0, isNamed: isNamed)
        return true
      }
      return try FiguresReading.named(Array(groups.values), key == .day, connection)
    }
  }

  private static let hasFailedSQL =
    "state <> 'done' OR coalesce(status, 0) >= 400 OR coalesce(failed_test_count, 0) > 0"
  private static let figuresSQL =
    "started_at, total_microseconds, request_size, decoded_size"
}

/// Adds up the figures of exchanges by what their groups are equal in.
enum FiguresReading {
  /// What exchanges are equal in.
  struct Value: Hashable {
    var value: String?
    var file: String?
  }

  /// The column of groups by which exchanges are counted.
  enum Column {
    case named(String)
    /// The day, which no group has.
    case day
  }

  /// What is known of a group.
  private struct Group {
    /// Where its exchanges are added up; none before 0.
    var slot: Int32 = -1
    var hasFailed = false
  }

  /// The exchanges that meet some conditions.
  static func groups(
    _ column: Column, _ conditions: GroupConditions, _ connection: Connection
  ) throws(SQLiteError) -> [StatisticsGroup] {
    var name = "NULL"
    if case .named(let column) = column { name = column }
    var writer = SQLWriter(table: "exchange_group")
    writer.write("SELECT number, \(name), \(hasFailed) FROM \(conditions.groupTable)")
    writer.writeCondition(conditions.group)
    var known: [Group] = []
    var numbers: [Int64] = []
    var slots: [String?: Int32] = [:]
    var groups: [StatisticsGroup] = []
    try connection.each(writer.query.sql, writer.query.values) { row in
      let (number, value) = (row.int64(0), row.optionalText(1))
      let slot = slots[value] ?? Int32(groups.count)
      if slot == groups.count {
        slots[value] = slot
        groups.append(StatisticsGroup(value: value))
      }
      let place = Int(number)
      if place >= known.count {
        known += Array(repeating: Group(), count: place + 1 - known.count)
      }
      known[place] = Group(slot: slot, hasFailed: row.int(2) != 0)
      numbers.append(number)
      return true
    }
    var days = LocalDays()
    var isByDay = false
    if case .day = column {
      isByDay = true
      groups = []
    }
    for query in statements(numbers, conditions) {
      try connection.each(query.sql, query.values) { row in
        let place = Int(row.int64(0))
        guard place < known.count, known[place].slot >= 0 else { return true }
        var slot = Int(known[place].slot)
        if isByDay { slot = days.slot(row.int64(1), &groups) }
        groups[slot].add(row, from: 1, hasFailed: known[place].hasFailed)
        return true
      }
    }
    return try named(groups.filter { !$0.isEmpty }, isByDay, connection)
  }

  /// All exchanges by their paths, in the order of the index that has these: no row of an exchange
  /// is read, and no path computed.
  static func paths(_ connection: Connection) throws(SQLiteError) -> [StatisticsGroup] {
    var failed: Set<Int64> = []
    try connection.each("SELECT number FROM exchange_group WHERE \(hasFailed)", []) { row in
      failed.insert(row.int64(0))
      return true
    }
    var groups: [StatisticsGroup] = []
    try connection.each(pathsSQL, []) { row in
      let path = row.optionalText(0)
      if groups.isEmpty || groups[groups.count - 1].value != path {
        groups.append(StatisticsGroup(value: path))
      }
      groups[groups.count - 1].add(row, from: 2, hasFailed: failed.contains(row.int64(1)))
      return true
    }
    return groups
  }

  private static let pathsSQL = """
    SELECT path, group_number, figures.started_at, figures.total_microseconds,
      figures.request_size, figures.response_size
    FROM exchange INDEXED BY exchange_by_path CROSS JOIN exchange_figures AS figures
      ON figures.started_at = exchange.started_at AND figures.sequence = exchange.sequence
    ORDER BY path
    """

  private static let hasFailed =
    "state <> 'done' OR coalesce(status, 0) >= 400 OR has_failed_test"

  /// The figures of few groups are read group by group, otherwise all in one go.
  private static func statements(
    _ numbers: [Int64], _ conditions: GroupConditions
  ) -> [SQLQuery] {
    func statement(_ source: String?, _ condition: Term) -> SQLQuery {
      Selection(
        table: "exchange_figures", source: source,
        terms: [.fragment(columns, [])], condition: condition && conditions.figures
      ).rendered()
    }
    guard conditions.hasGroups, numbers.count <= separateCount else {
      return [statement(nil, .always)]
    }
    return numbers.map { number in
      statement(
        "exchange_figures INDEXED BY exchange_figures_by_group",
        .infix(.column("group_number"), "=", .value(.int(number))))
    }
  }

  private static let separateCount = 100
  private static let columns =
    "group_number, started_at, total_microseconds, request_size, response_size"

  /// Groups of days have their dates in place of their numbers.
  static func named(
    _ groups: [StatisticsGroup], _ isByDay: Bool, _ connection: Connection
  ) throws(SQLiteError) -> [StatisticsGroup] {
    guard isByDay else { return groups }
    var named: [StatisticsGroup] = []
    for var group in groups {
      let day = group.value.flatMap { Int64($0) } ?? 0
      group.value = try connection.text(
        "SELECT date(? * 86400, 'unixepoch')", [.int(day)])
      named.append(group)
    }
    return named
  }
}

/// Days in local time, by their numbers since 1970.
private struct LocalDays {
  private var slots: [Int64: Int] = [:]
  /// The quarter of an hour that was looked at last, and its day: clocks are changed between them.
  private var last: (quarter: Int64, day: Int64)?

  private mutating func number(_ milliseconds: Int64) -> Int64 {
    let quarter = LocalDays.quotient(milliseconds, 900_000)
    if let last, last.quarter == quarter { return last.day }
    let offset = Int64(Clock.localOffsetSeconds(at: LocalDays.quotient(milliseconds, 1_000)))
    let day = LocalDays.quotient(milliseconds + offset * 1_000, 86_400_000)
    last = (quarter, day)
    return day
  }

  /// The number of a day as a text.
  mutating func text(_ milliseconds: Int64) -> String { String(number(milliseconds)) }

  /// Where a day is added up.
  mutating func slot(_ milliseconds: Int64, _ groups: inout [StatisticsGroup]) -> Int {
    let day = number(milliseconds)
    if let slot = slots[day] { return slot }
    slots[day] = groups.count
    groups.append(StatisticsGroup(value: String(day)))
    return groups.count - 1
  }

  /// Rounds down, also before 1970.
  private static func quotient(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}

extension StatisticsKey {
  /// The column of groups; `nil` where only the exchanges tell.
  fileprivate var groupColumn: FiguresReading.Column? {
    switch self {
    case .host, .status, .method, .environment: .named(rawValue)
    case .day: .day
    case .request, .path: nil
    }
  }

  /// The value of an exchange, and its file where that belongs to it.
  fileprivate var selection: String {
    switch self {
    case .request: "coalesce(request_name, method || ' ' || coalesce(path, url)), file"
    case .host, .path, .status, .method, .environment: "\(rawValue), NULL"
    case .day: "NULL, NULL"
    }
  }

  fileprivate static func sorted(
    _ found: [HistoryStatistics], by key: StatisticsKey
  ) -> [HistoryStatistics] {
    found.sorted { left, right in
      if key == .day { return left.last > right.last }
      return (right.count, left.value ?? "", left.file ?? "")
        < (left.count, right.value ?? "", right.file ?? "")
    }
  }
}
