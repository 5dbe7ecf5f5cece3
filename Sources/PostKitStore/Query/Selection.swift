// SELECT statements, the one place where they are put together.

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
