// Typed queries on one connection, for use inside a transaction of several statements.

extension Connection {
  /// The rows that a descriptor asks for.
  func fetch<Row>(_ descriptor: FetchDescriptor<Row>) throws(SQLiteError) -> [Row] {
    let query = descriptor.rendered()
    return try rows(query.sql, query.values, Row.init)
  }

  /// Some values of each row. With aggregates among them there is one result for the rows that are
  /// equal in all others: `{ ($0.host, $0.id.count) }` counts by host.
  func fetch<Row, each Value>(
    _ descriptor: FetchDescriptor<Row>,
    _ properties: (Row.Columns) -> (repeat Column<Row, each Value>)
  ) throws(SQLiteError) -> [(repeat each Value)] {
    var terms: [Term] = []
    var groups: [Term] = []
    var isGrouped = false
    for column in repeat each properties(Row.columns) {
      terms.append(column.term)
      if column.isAggregate { isGrouped = true } else { groups.append(column.term) }
    }
    let query =
      isGrouped ? descriptor.rendered(terms, groups: groups) : descriptor.rendered(terms)
    return try rows(query.sql, query.values) { statement in
      var column: Int32 = -1
      func next() -> Int32 {
        column += 1
        return column
      }
      return (repeat (each Value)(statement, column: next()))
    }
  }

  /// Rows with values that they may not have themselves.
  func rows<Row>(
    of descriptor: FetchDescriptor<Row>, with terms: [Term]
  ) throws(SQLiteError) -> [(row: Row, values: [SQLValue])] {
    let query = descriptor.rendered([.fragment(Row.table.selection, [])] + terms)
    return try rows(query.sql, query.values) { statement in
      let first = statement.columnCount - Int32(terms.count)
      return (row: Row(statement), values: terms.indices.map { statement.value(first + Int32($0)) })
    }
  }

  /// Inserts a row; a key that exists already is an error.
  func insert(_ row: some WritableRow) throws(SQLiteError) {
    let query = row.insertion
    try run(query.sql, query.values)
  }

  /// Sets columns of the rows that meet a condition in one statement; answers how many there were.
  @discardableResult
  func update<Row>(
    _ type: Row.Type, where condition: (Row.Columns) -> Predicate<Row>,
    set assignments: (Row.Columns) -> [Assignment<Row>]
  ) throws(SQLiteError) -> Int {
    let predicate = condition(Row.columns)
    guard let query = Row.update(where: predicate, set: assignments(Row.columns)) else { return 0 }
    return try run(query.sql, query.values)
  }

  /// Deletes the rows that meet a condition in one statement; answers how many there were.
  @discardableResult
  func delete<Row>(
    _ type: Row.Type, where condition: (Row.Columns) -> Predicate<Row>
  ) throws(SQLiteError) -> Int {
    let query = Row.deletion(where: condition(Row.columns))
    return try run(query.sql, query.values)
  }
}
