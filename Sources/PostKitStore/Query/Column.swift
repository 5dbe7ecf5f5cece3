// Typed columns: conditions and values that the compiler checks against the table.

/// A column of a table, or a value that SQL computes for each of its rows.
///
/// Conditions have two values, as in Swift: what is asked of an absent value is false, and its
/// negation true. Text is compared byte by byte, where Swift knows canonical equivalence.
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

  /// Whether two columns of a row are the same.
  package static func == (left: Column, right: Column) -> Predicate<Row> {
    left.compare(left.isNullable ? "IS" : "=", right.term)
  }

  /// Whether two columns of a row differ.
  package static func != (left: Column, right: Column) -> Predicate<Row> {
    left.compare(left.isNullable ? "IS NOT" : "<>", right.term)
  }

  /// Whether both are there and this one is less.
  package static func < (left: Column, right: Column) -> Predicate<Row> {
    left.compare("<", right.term)
  }

  /// Whether both are there and this one is larger.
  package static func > (left: Column, right: Column) -> Predicate<Row> {
    left.compare(">", right.term)
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

  /// Whether it begins with a text; letters of ASCII match in either case, others only themselves.
  /// No index helps here; a range does: `$0.id >= start && $0.id < end`.
  package func hasPrefix(_ text: String) -> Predicate<Row> {
    Predicate(term: LikePattern.begins(term, with: text))
  }

  /// Whether it ends with a text; letters of ASCII match in either case, others only themselves.
  package func hasSuffix(_ text: String) -> Predicate<Row> {
    Predicate(term: LikePattern.ends(term, with: text))
  }
}

extension Column {
  /// How many rows of a group have a value.
  package var count: Column<Row, Int> { aggregate("count") }

  /// The least value of a group; `nil` where there is none.
  package var min: Column<Row, Value.Base?> { aggregate("min") }

  /// The largest value of a group; `nil` where there is none.
  package var max: Column<Row, Value.Base?> { aggregate("max") }

  private func aggregate<Result>(_ function: String) -> Column<Row, Result> {
    Column<Row, Result>(term: .call(function, [term]), isAggregate: true)
  }
}

extension Column where Value.Base: BinaryInteger {
  /// The sum of a group; `nil` where it has no value.
  package var sum: Column<Row, Value.Base?> { aggregate("sum") }

  /// The average of a group; `nil` where it has no value.
  package var average: Column<Row, Double?> { aggregate("avg") }
}
