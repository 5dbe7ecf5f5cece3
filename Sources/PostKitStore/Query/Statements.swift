// The statements that change rows, rendered from typed columns.

extension StoredRow {
  /// The statement that deletes the rows that meet a condition.
  static func deletion(where predicate: Predicate<Self>) -> SQLQuery {
    var writer = SQLWriter(table: table.name)
    writer.write("DELETE FROM \(table.name)")
    writer.writeCondition(predicate.term)
    return writer.query
  }

  /// The statement that sets columns of the rows that meet a condition; `nil` where it sets none.
  static func update(
    where predicate: Predicate<Self>, set assignments: [Assignment<Self>]
  ) -> SQLQuery? {
    guard !assignments.isEmpty else { return nil }
    var writer = SQLWriter(table: table.name)
    writer.write("UPDATE \(table.name) SET ")
    writer.write(
      assignments.map { .infix($0.column, "=", $0.value) }, separator: ", ")
    writer.writeCondition(predicate.term)
    return writer.query
  }
}

extension WritableRow {
  /// The statement that inserts the row.
  var insertion: SQLQuery {
    let assignments = assignments
    var writer = SQLWriter(table: Self.table.name)
    writer.write("INSERT INTO \(Self.table.name) (")
    writer.write(assignments.map(\.column), separator: ", ")
    writer.write(") VALUES (")
    writer.write(assignments.map(\.value), separator: ", ")
    writer.write(")")
    return writer.query
  }
}
