// Typed columns: conditions and values that the compiler checks against the table.

/// A column of a table, or a value that SQL computes for each of its rows.
///
/// What is asked of an absent value is false. Text is compared byte by byte, where Swift knows
/// canonical equivalence.
package struct Column<Row: StoredRow, Value: StoredValue>: Sendable {
  let term: Term
  /// Whether it is computed from all rows of a group.
  let isAggregate: Bool

  /// A column with a name.
  init(_ name: String) { self.init(term: .column(name)) }

  init(term: Term, isAggregate: Bool = false) {
    self.term = term
    self.isAggregate = isAggregate
  }

  private func compare(_ word: String, _ right: Term) -> Predicate<Row> {
    Predicate(term: .infix(term, word, right))
  }

  private func compare(_ word: String, _ value: some StoredValue) -> Predicate<Row> {
    compare(word, .value(value.sqlValue))
  }

  private var isNullable: Bool { Value.self != Value.Base.self }

  /// Whether both are the same; an absent value is only the same as `nil`.
  package static func == (left: Column, right: Value) -> Predicate<Row> {
    let value = right.sqlValue
    // With `=` the planner knows that a partial index of what is there will do.
    return value == .null
      ? left.compare("IS", .fragment("NULL", [])) : left.compare("=", .value(value))
  }

  /// Whether both differ; an absent value differs from all but `nil`.
  package static func != (left: Column, right: Value) -> Predicate<Row> {
    let value = right.sqlValue
    if value == .null { return left.compare("IS NOT", .fragment("NULL", [])) }
    return left.compare(left.isNullable ? "IS NOT" : "<>", .value(value))
  }

  /// Whether it is there and less.
  package static func < (left: Column, right: Value.Base) -> Predicate<Row> {
    left.compare("<", right)
  }

  /// Whether it is there and at most as large.
  package static func <= (left: Column, right: Value.Base) -> Predicate<Row> {
    left.compare("<=", right)
  }

  /// Whether it is there and larger.
  package static func > (left: Column, right: Value.Base) -> Predicate<Row> {
    left.compare(">", right)
  }

  /// Whether it is there and at least as large.
  package static func >= (left: Column, right: Value.Base) -> Predicate<Row> {
    left.compare(">=", right)
  }

  /// Whether it is one of some values; with none it isn't.
  package func isIn(_ values: some Sequence<Value.Base>) -> Predicate<Row> {
    Predicate(term: .isIn(term, values.map(\.sqlValue)))
  }

  /// What an update sets the column to.
  package func set(to value: Value) -> Assignment<Row> {
    Assignment(column: term, value: .value(value.sqlValue))
  }

  /// The order from the least value on; absent ones come first.
  package var ascending: SortDescriptor<Row> {
    SortDescriptor(term: term, isNullable: isNullable, order: .forward)
  }

  /// The order from the largest value on; absent ones come last.
  package var descending: SortDescriptor<Row> {
    SortDescriptor(term: term, isNullable: isNullable, order: .reverse)
  }
}

extension Column where Value.Base == String {
  /// Whether a text occurs in it; letters of ASCII match in either case, others only themselves.
  package func contains(_ text: String) -> Predicate<Row> {
    Predicate(term: LikePattern.contains(text, in: term))
  }

  /// Whether it ends with a text; letters of ASCII match in either case, others only themselves.
  package func hasSuffix(_ text: String) -> Predicate<Row> {
    Predicate(term: LikePattern.ends(term, with: text))
  }
}

extension Column {
  /// How many rows of a group have a value.
  package var count: Column<Row, Int> {
    Column<Row, Int>(term: .call("count", [term]), isAggregate: true)
  }
}
