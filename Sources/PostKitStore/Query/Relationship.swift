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

  /// Whether one of them meets a condition.
  package func contains(where condition: (Child.Columns) -> Predicate<Child>) -> Predicate<Row> {
    Predicate(term: .exists(join, condition(Child.columns).term))
  }

  /// Whether each of them meets a condition; so it is with none.
  package func allSatisfy(_ condition: (Child.Columns) -> Predicate<Child>) -> Predicate<Row> {
    !contains { !condition($0) }
  }

  /// Whether there is none.
  package var isEmpty: Predicate<Row> { Predicate(term: .not(.exists(join, .always))) }

  /// How many there are.
  package var count: Column<Row, Int> { count { _ in Predicate(term: .always) } }

  /// How many meet a condition.
  package func count(where condition: (Child.Columns) -> Predicate<Child>) -> Column<Row, Int> {
    Column(term: .related(.fragment("count(*)", []), join, condition(Child.columns).term))
  }

  /// What an aggregate of their columns is, such as `{ $0.size.sum }`.
  package func value<Value>(
    _ aggregate: (Child.Columns) -> Column<Child, Value>
  ) -> Column<Row, Value> {
    Column(term: .related(aggregate(Child.columns).term, join, .always))
  }
}

/// The row of another table that a row belongs to, or none.
@dynamicMemberLookup
package struct ToOne<Row: StoredRow, Parent: StoredRow>: Sendable {
  let join: Join

  /// The row whose key is in `column`.
  init(column: String) {
    join = Join(table: Parent.table.name, column: Parent.table.key, ownColumn: column)
  }

  /// Whether it is there and meets a condition.
  package func matches(_ condition: (Parent.Columns) -> Predicate<Parent>) -> Predicate<Row> {
    Predicate(term: .exists(join, condition(Parent.columns).term))
  }

  /// One of its columns; absent where there is no such row.
  package subscript<Value>(
    dynamicMember column: KeyPath<Parent.Columns, Column<Parent, Value>>
  ) -> Column<Row, Value.Base?> {
    Column(term: .related(Parent.columns[keyPath: column].term, join, .always))
  }
}
