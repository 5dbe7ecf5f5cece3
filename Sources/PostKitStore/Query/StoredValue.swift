// The Swift types that stand in columns, and how they are written and read.

import PostKitHTTP

/// A type that a column can hold.
package protocol StoredValue: Sendable {
  /// The type without its absence: that of the values that comparisons are made with.
  associatedtype Base: StoredValue = Self

  /// The value as it is bound to a parameter.
  var sqlValue: SQLValue { get }

  /// Reads a column of the current row.
  init(_ row: Statement, column: Int32)
}

extension Int: StoredValue {
  package var sqlValue: SQLValue { .int(Int64(self)) }

  /// Reads a column of the current row; 0 for null.
  package init(_ row: Statement, column: Int32) { self = row.int(column) }
}

extension Int64: StoredValue {
  package var sqlValue: SQLValue { .int(self) }

  /// Reads a column of the current row; 0 for null.
  package init(_ row: Statement, column: Int32) { self = row.int64(column) }
}

extension Double: StoredValue {
  package var sqlValue: SQLValue { .real(self) }

  /// Reads a column of the current row; 0 for null.
  package init(_ row: Statement, column: Int32) { self = row.double(column) }
}

extension Bool: StoredValue {
  package var sqlValue: SQLValue { .int(self ? 1 : 0) }

  /// Reads a column of the current row; `false` for null.
  package init(_ row: Statement, column: Int32) { self = row.int(column) != 0 }
}

extension String: StoredValue {
  package var sqlValue: SQLValue { .text(self) }

  /// Reads a column of the current row; empty for null.
  package init(_ row: Statement, column: Int32) { self = row.text(column) }
}

extension Optional: StoredValue where Wrapped: StoredValue {
  package typealias Base = Wrapped.Base

  package var sqlValue: SQLValue { self?.sqlValue ?? .null }

  /// Reads a column of the current row; `nil` for null.
  package init(_ row: Statement, column: Int32) {
    self = row.isNull(column) ? nil : Wrapped(row, column: column)
  }
}

extension ExchangeState: StoredValue {
  package var sqlValue: SQLValue { .text(rawValue) }

  /// Reads a column of the current row. A newer PostKit may know more states; whatever they are,
  /// the exchange didn't simply end well.
  package init(_ row: Statement, column: Int32) {
    self = ExchangeState(rawValue: row.text(column)) ?? .failed
  }
}
