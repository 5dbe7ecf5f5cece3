// Typed queries of the store: each is one stay on its thread, and each change one transaction.

extension Store {
  /// The rows that a descriptor asks for.
  package func fetch<Row>(_ descriptor: FetchDescriptor<Row>) throws(StoreFailure) -> [Row] {
    try query(Row.self) { connection throws(SQLiteError) in try connection.fetch(descriptor) }
  }

  /// Some values of each row, without reading the others. With aggregates among them there is one
  /// result for the rows that are equal in all others: `{ ($0.host, $0.id.count) }` counts by host.
  package func fetch<Row, each Value>(
    _ descriptor: FetchDescriptor<Row>,
    _ properties: (Row.Columns) -> (repeat Column<Row, each Value>)
  ) throws(StoreFailure) -> [(repeat each Value)] {
    try query(Row.self) { connection throws(SQLiteError) in
      try connection.fetch(descriptor, properties)
    }
  }

  /// Rows with what belongs to them, in one statement for each relationship, however many rows:
  ///
  ///     try await store.fetch(environments, prefetching: {
  ///       $0.variables.prefetch().and($0.collection.prefetch())
  ///     })
  package func fetch<Row, Output>(
    _ descriptor: FetchDescriptor<Row>,
    prefetching: (Row.Columns) -> Prefetch<Row, Output>
  ) throws(StoreFailure) -> [(Row, Output)] {
    try query(Row.self) { connection throws(SQLiteError) in
      try connection.fetch(descriptor, prefetching: prefetching)
    }
  }

  /// Deletes the rows that meet a condition in one statement; answers how many there were. Bodies
  /// of exchanges are left to `sweepBodies`.
  @discardableResult
  package func delete<Row: StoredRow>(
    _ type: Row.Type, where condition: (Row.Columns) -> Predicate<Row>
  ) throws(StoreFailure) -> Int {
    try change(Row.self) { connection throws(SQLiteError) in
      try connection.delete(type, where: condition)
    }
  }

  /// Reads rows in one stay.
  func query<Row: StoredRow, Result>(
    _ type: Row.Type, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    commitQueue()
    return try file(of: Row.table.scope).read("read the table \(Row.table.name)", body)
  }

  /// Changes rows in one transaction and tells listeners.
  func change<Row: StoredRow, Result>(
    _ type: Row.Type, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    commitQueue()
    let scope = Row.table.scope
    let file = try file(of: scope)
    let action = "change the table \(Row.table.name)"
    let result = try file.write(action, scope: scope.rawValue) { _ throws(StoreFailure) in
      try file.sql(action, body)
    }
    finishCommit(scope, of: file)
    return result
  }

  /// The open file in which something changes.
  private func file(of scope: StoreScope) throws(StoreFailure) -> DatabaseFile {
    let history = try history()
    return scope == .collections ? try openCollections() : history
  }
}
