// Questions that groups of exchanges answer without a look at an exchange (`exchange_group`).

import PostKitHTTP

/// What a question asks of groups and of the figures of their exchanges.
struct GroupConditions {
  /// The condition of a group.
  var group: Term
  /// The condition of the figures of an exchange.
  var figures: Term
  /// The index that finds the groups; `nil` where all are looked at.
  var index: String?

  /// Whether only some groups are asked for.
  var hasGroups: Bool { group != .always }

  /// Whether all exchanges are asked for.
  var areNone: Bool { group == .always && figures == .always }

  /// The numbers of all exchanges, in no order.
  func renderedNumbers() -> SQLQuery {
    guard hasGroups else {
      let isAll = figures == .always
      return Selection(
        table: "exchange_figures", source: isAll ? "exchange" : nil,
        terms: [.column("sequence")], condition: figures
      ).rendered()
    }
    let source = groupTable + " CROSS JOIN exchange_figures INDEXED BY exchange_figures_by_group"
      + " ON group_number = number"
    return Selection(
      table: "exchange_figures", source: source, terms: [.column("sequence")],
      condition: group && figures
    ).rendered()
  }

  /// The groups as a table of a statement.
  var groupTable: String { "exchange_group" + (index.map { " INDEXED BY \($0)" } ?? "") }
}

extension HistoryQuery {
  /// What the question asks of groups; `nil` where it asks for what only the exchanges tell.
  var groupConditions: GroupConditions? {
    guard text?.isEmpty != false, requestName == nil, runID == nil, path == nil, isPinned == nil,
      storedRequestID == nil, origin == nil
    else { return nil }
    // The first index whose column is asked for has the columns of those behind it as well.
    let values: [(column: String, value: SQLValue?, index: String?)] = [
      ("file", file.map(SQLValue.text), "exchange_group_by_file"),
      ("host", host.map { .text($0.lowercased()) }, "exchange_group_by_host"),
      ("status", status.map { .int(Int64($0)) }, "exchange_group_by_status"),
      ("label", label.map(SQLValue.text), "exchange_group_by_label"),
      ("environment", environment.map(SQLValue.text), "exchange_group_by_environment"),
      ("method", method.map(SQLValue.text), "exchange_group_by_method"),
      ("state", state.map { .text($0.rawValue) }, nil),
    ]
    var terms: [Term] = []
    var index: String?
    for (column, value, name) in values {
      guard let value else { continue }
      terms.append(.infix(.column(column), "=", .value(value)))
      index = index ?? name
    }
    if let statusClass {
      // Few groups have a class; many have an environment or a method.
      if host == nil, file == nil { index = "exchange_group_by_status" }
      terms.append(.infix(.column("status"), ">=", .value(.int(Int64(statusClass) * 100))))
      terms.append(.infix(.column("status"), "<", .value(.int(Int64(statusClass) * 100 + 100))))
    }
    if hasFailedTests { terms.append(.fragment("has_failed_test = 1", [])) }
    return GroupConditions(group: .all(terms), figures: figureConditions, index: index)
  }

  /// What is asked of times, durations, sizes, and of what exchanges were made for.
  private var figureConditions: Term {
    let bounds: [(column: String, word: String, value: Int64?)] = [
      ("started_at", ">=", since), ("started_at", "<", until),
      ("total_microseconds", ">=", minMilliseconds.map { Int64($0) * 1_000 }),
      ("total_microseconds", "<=", maxMilliseconds.map { Int64($0) * 1_000 }),
      ("response_size", ">=", minSize.map(Int64.init)),
      ("response_size", "<=", maxSize.map(Int64.init)),
    ]
    let terms: [Term] = bounds.compactMap { column, word, value in
      value.map { .infix(.column(column), word, .value(.int($0))) }
    }
    return .all(terms + [purposeCondition(table: "exchange_figures")].compactMap(\.self))
  }

  /// Whether one index of the exchanges has the answer in its order, so that groups would only
  /// take longer.
  var isReadInOrder: Bool {
    let figures = [minMilliseconds, maxMilliseconds, minSize, maxSize]
    guard sort == .time, figures.allSatisfy({ $0 == nil }) else { return false }
    let indexed = [host != nil, statusClass != nil && status == nil, file != nil, label != nil]
    let others = [
      status != nil, environment != nil, method != nil, state != nil, hasFailedTests,
    ]
    return !others.contains(true) && indexed.count { $0 } <= 1
  }
}
