// Statements that read and change rows, the one place where they are put together.

/// The parts of a statement that reads.
struct Selection {
  /// The table that columns without a prefix are of.
  var table: String
  /// What comes after FROM where it is more than the table.
  var source: String?
  /// The results.
  var terms: [Term]
  var condition = Term.always
  var groups: [Term] = []
  var order: [(Term, SortOrder)] = []
  var limit: Int?

  /// The statement with its values.
  func rendered() -> SQLQuery {
    var writer = SQLWriter(table: table)
    writer.write("SELECT ")
    writer.write(terms, separator: ", ")
    writer.write(" FROM \(source ?? table)")
    writer.writeCondition(condition)
    if !groups.isEmpty {
      writer.write(" GROUP BY ")
      writer.write(groups, separator: ", ")
    }
    for (index, (term, direction)) in order.enumerated() {
      writer.write(index == 0 ? " ORDER BY " : ", ")
      writer.write(term)
      if direction == .reverse { writer.write(" DESC") }
    }
    guard let limit else { return writer.query }
    writer.write(" LIMIT ")
    // A negative limit is none to SQLite.
    writer.write(.int(Int64(max(limit, 0))))
    return writer.query
  }
}

extension SQLWriter {
  /// Adds the condition of a statement on its own table, where there is one.
  mutating func writeCondition(_ condition: Term) {
    guard condition != .always else { return }
    write(" WHERE ")
    write(condition)
  }
}

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
