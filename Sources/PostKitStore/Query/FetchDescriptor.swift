// Which rows are asked for, in which order and how many, and the statement that answers.

/// The direction of a sort.
package enum SortOrder: Sendable, Hashable {
  case forward, reverse
}

/// An order of rows, such as `$0.startedAt.descending`.
package struct SortDescriptor<Row: StoredRow>: Sendable, Hashable {
  let term: Term
  let isNullable: Bool
  let order: SortOrder
}

/// A place in an order of rows; rows that come or go don't move it.
package struct PageKey: Sendable, Hashable {
  /// The values of the row in what it is sorted by, the keys of its table among them.
  let values: [SQLValue]

  /// The place of a row with these values, in the order of the sort descriptors.
  package init(_ values: any StoredValue...) { self.values = values.map(\.sqlValue) }

  init(values: [SQLValue]) { self.values = values }
}

/// A question for rows, which `Store.fetch` answers:
///
///     FetchDescriptor<Model.HistoryEntry>(
///       where: { $0.status >= 400 && $0.url.contains("users") },
///       sortBy: { [$0.startedAt.descending] }, fetchLimit: 50)
package struct FetchDescriptor<Row: StoredRow>: Sendable, Hashable {
  /// Which rows.
  package var predicate: Predicate<Row>
  /// The order. The keys of the table end each, so that it is never left to chance.
  package var sortBy: [SortDescriptor<Row>]
  /// The most rows that are answered; `nil` for all.
  package var fetchLimit: Int?
  /// Begins behind this place of the order.
  package var after: PageKey?

  /// Asks for rows.
  package init(
    where predicate: (Row.Columns) -> Predicate<Row> = { _ in .all([]) },
    sortBy: (Row.Columns) -> [SortDescriptor<Row>] = { _ in [] }, fetchLimit: Int? = nil,
    after: PageKey? = nil
  ) {
    self.predicate = predicate(Row.columns)
    self.sortBy = sortBy(Row.columns)
    self.fetchLimit = fetchLimit
    self.after = after
  }

  /// The statement that answers the question, one result a row.
  func rendered() -> SQLQuery { rendered([.fragment(Row.table.selection, [])]) }

  /// The statement whose results are `terms` of each row.
  func rendered(_ terms: [Term]) -> SQLQuery {
    selection(of: terms, in: completeOrder).rendered()
  }

  /// The statement whose results are `terms` of all rows that are equal in `groups`.
  func rendered(_ terms: [Term], groups: [Term]) -> SQLQuery {
    let order = groups.map { SortDescriptor<Row>(term: $0, isNullable: true, order: .forward) }
    var selection = selection(of: terms, in: sortBy + order)
    selection.groups = groups
    return selection.rendered()
  }

  private func selection(of terms: [Term], in order: [SortDescriptor<Row>]) -> Selection {
    Selection(
      table: Row.table.name, terms: terms,
      condition: predicate.term && (after.map { place($0, in: order[...]) } ?? .always),
      order: order.map { ($0.term, $0.order) }, limit: fetchLimit)
  }

  /// The order with the keys of the table, in the direction of what stands before it.
  var completeOrder: [SortDescriptor<Row>] {
    let order = sortBy.last?.order ?? .forward
    let keys = Row.table.keys.map(Term.column).filter { key in
      !sortBy.contains { $0.term == key }
    }
    return sortBy + keys.map { SortDescriptor(term: $0, isNullable: false, order: order) }
  }

  /// The condition of the rows behind a place. A place of another order has none.
  private func place(_ key: PageKey, in order: ArraySlice<SortDescriptor<Row>>) -> Term {
    guard let first = order.first, key.values.count == order.endIndex else { return .any([]) }
    let values = key.values[order.startIndex...]
    let isUniform = order.allSatisfy { $0.order == first.order && !$0.isNullable }
    if isUniform, order.count > 1 {
      // A row value is what an index is searched by.
      return .infix(
        .call("", order.map(\.term)), first.order == .forward ? ">" : "<",
        .call("", values.map(Term.value)))
    }
    guard let value = values.first else { return .any([]) }
    let behind = first.isBehind(value)
    if order.count == 1 { return behind }
    let same: Term =
      value == .null
      ? .infix(first.term, "IS", .fragment("NULL", [])) : .infix(first.term, "=", .value(value))
    return behind || same && place(key, in: order.dropFirst())
  }
}

extension SortDescriptor {
  /// The condition of the rows that come later than a value; null is the least one.
  fileprivate func isBehind(_ value: SQLValue) -> Term {
    let null = Term.fragment("NULL", [])
    switch (order, value) {
    case (.forward, .null): return .infix(term, "IS NOT", null)
    case (.reverse, .null): return .any([])
    case (.forward, _): return .infix(term, ">", .value(value))
    case (.reverse, _):
      let less = Term.infix(term, "<", .value(value))
      return isNullable ? less || .infix(term, "IS", null) : less
    }
  }
}
