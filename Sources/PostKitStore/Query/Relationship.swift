// Relationships between tables of a file, and the paths over them.

/// Rows of another table that belong to a row.
package struct ToMany<Row: StoredRow, Child: StoredRow>: Sendable {
  let join: Join
  /// The order in which the children of a row are fetched. It is asked for late, because a table
  /// may be related to itself.
  let order: @Sendable (Child.Columns) -> [SortDescriptor<Child>]

  /// The rows whose `column` is the key of a row.
  init(column: String, order: @escaping @Sendable (Child.Columns) -> [SortDescriptor<Child>]) {
    join = Join(table: Child.table.name, column: column, ownColumn: Row.table.key)
    self.order = order
  }

  /// How many there are.
  package var count: Column<Row, Int> { count { _ in Predicate(term: .always) } }

  /// How many meet a condition.
  package func count(where condition: (Child.Columns) -> Predicate<Child>) -> Column<Row, Int> {
    Column(term: .related(.fragment("count(*)", []), join, condition(Child.columns).term))
  }
}

/// The row of another table that a row belongs to, or none.
package struct ToOne<Row: StoredRow, Parent: StoredRow>: Sendable {
  let join: Join

  /// The row whose key is in `column`.
  init(column: String) {
    join = Join(table: Parent.table.name, column: Parent.table.key, ownColumn: column)
  }
}
