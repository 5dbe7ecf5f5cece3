// Values and statements as data, so that queries can be rendered and tested without a database.

/// A value that is bound to a parameter of a statement.
package enum SQLValue: Sendable, Hashable {
  case null
  case int(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Text, or null for `nil`.
  static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }

  /// An integer, or null for `nil`.
  static func optional(_ number: Int?) -> SQLValue { number.map { .int(Int64($0)) } ?? .null }
}

/// A statement with its bound values in order.
package struct SQLQuery: Sendable, Hashable {
  package var sql: String
  package var values: [SQLValue]
}

/// What SQLite said went wrong.
struct SQLiteError: Error, Hashable {
  /// The extended result code.
  var code: Int32
  /// SQLite's own words in English; for people only, never to be compared.
  var message: String

  /// `SQLITE_CORRUPT_VTAB`, a macro that Swift can't see: a table of a module is damaged, such as
  /// the index of words, and the file is not.
  static let damagedIndexCode: Int32 = 11 | 1 << 8

  /// The primary result code.
  var primaryCode: Int32 { code & 0xFF }
}
