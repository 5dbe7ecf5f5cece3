// Fetching what belongs to rows along with them: one statement for each level, never one a row.

/// What is fetched along with the rows of a table; relationships make it.
package struct Prefetch<Row: StoredRow, Output: Sendable>: Sendable {
  /// The columns of a row whose values lead to what belongs to it.
  let columns: [String]
  /// Fetches what belongs to rows with these values, in the order of the rows.
  let load: @Sendable ([[SQLValue]], Connection) throws(SQLiteError) -> [Output]

  /// Both this and something else.
  package func and<Other>(_ other: Prefetch<Row, Other>) -> Prefetch<Row, (Output, Other)> {
    Prefetch<Row, (Output, Other)>(columns: columns + other.columns) {
      [self] values, connection throws(SQLiteError) in
      let first = try load(values, connection)
      let second = try other.load(values.map { Array($0[columns.count...]) }, connection)
      return Array(zip(first, second))
    }
  }
}

extension ToMany {
  /// The children of each row.
  package func prefetch() -> Prefetch<Row, [Child]> {
    Prefetch(columns: [join.ownColumn]) { values, connection throws(SQLiteError) in
      let found = try connection.rows(of: children(of: values), with: [.column(join.column)])
      let byParent = Dictionary(grouping: found) { $0.values[0] }
      return values.map { byParent[$0[0], default: []].map(\.row) }
    }
  }

  private func children(of values: [[SQLValue]]) -> FetchDescriptor<Child> {
    FetchDescriptor(
      where: { _ in Predicate(term: join.condition(of: values)) }, sortBy: order)
  }
}

extension ToOne {
  /// The row that each belongs to.
  package func prefetch() -> Prefetch<Row, Parent?> {
    Prefetch(columns: [join.ownColumn]) { values, connection throws(SQLiteError) in
      let parents = FetchDescriptor<Parent>(
        where: { _ in Predicate(term: join.condition(of: values)) })
      let found = try connection.rows(of: parents, with: [.column(join.column)])
      let byKey = Dictionary(found.map { ($0.values[0], $0.row) }) { first, _ in first }
      return values.map { byKey[$0[0]] }
    }
  }
}

extension Join {
  /// The condition of the rows of the other table that belong to rows with these values.
  fileprivate func condition(of values: [[SQLValue]]) -> Term {
    // What is null leads nowhere.
    .isIn(.column(column), Array(Set(values.map { $0[0] }).subtracting([.null])))
  }
}

extension Connection {
  /// Rows with what belongs to them, all as it was at one moment.
  func fetch<Row, Output>(
    _ descriptor: FetchDescriptor<Row>,
    prefetching: (Row.Columns) -> Prefetch<Row, Output>
  ) throws(SQLiteError) -> [(Row, Output)] {
    let prefetch = prefetching(Row.columns)
    return try snapshot { () throws(SQLiteError) in
      let found = try rows(of: descriptor, with: prefetch.columns.map(Term.column))
      return Array(zip(found.map(\.row), try prefetch.load(found.map(\.values), self)))
    }
  }
}
