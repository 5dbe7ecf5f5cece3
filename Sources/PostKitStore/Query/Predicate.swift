// Conditions on rows, joined with the operators of Swift.

/// A condition on rows of a table, built from its columns:
/// `{ $0.status >= 400 && $0.url.contains(text) }`.
package struct Predicate<Row: StoredRow>: Sendable, Hashable {
  let term: Term

  init(term: Term) { self.term = term }

  /// The condition that a closure makes from the columns of a table.
  package init(_ build: (Row.Columns) -> Predicate) { self = build(Row.columns) }

  /// Whether all are true; so it is with none. For conditions that are known when it runs.
  package static func all(_ predicates: [Predicate]) -> Predicate {
    predicates.reduce(Predicate(term: .always)) { $0 && $1 }
  }

  /// Whether one is true; with none it isn't. For conditions that are known when it runs.
  package static func any(_ predicates: [Predicate]) -> Predicate {
    predicates.reduce(Predicate(term: .any([]))) { $0 || $1 }
  }

  /// Whether both are true.
  package static func && (left: Predicate, right: Predicate) -> Predicate {
    Predicate(term: left.term && right.term)
  }

  /// Whether one of them is true.
  package static func || (left: Predicate, right: Predicate) -> Predicate {
    Predicate(term: left.term || right.term)
  }
}

/// What an update or an insertion sets one column to.
package struct Assignment<Row: StoredRow>: Sendable, Hashable {
  let column: Term
  let value: Term
}
