// A prepared statement; with Connection.swift the only file that holds SQLite's pointers.

import CSQLite

/// A prepared statement. It belongs to its connection and never leaves the store's thread; other
/// targets know only its name, as that of what rows are read from.
package final class Statement {
  /// Finalised by `finalize()`, which the connection calls before it closes.
  private let handle: OpaquePointer
  private let database: OpaquePointer

  /// Takes over a prepared statement of a connection.
  init(handle: OpaquePointer, database: OpaquePointer) {
    self.handle = handle
    self.database = database
  }

  /// Frees the statement; it must not be used afterwards.
  func finalize() { sqlite3_finalize(handle) }

  /// Whether it leaves the database as it is.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Binds values to the parameters, the first to parameter 1.
  func bind(_ values: [SQLValue]) throws(SQLiteError) {
    for (index, value) in values.enumerated() {
      try check(bind(value, at: Int32(index + 1)))
    }
  }

  /// Moves to the next row; `false` when there is none.
  func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw error(code)
  }

  /// Makes it ready for its next use and lets go of bound values and of the read transaction.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// How many columns a row has.
  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Whether a column is null.
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// An integer column; 0 for null.
  func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// An integer column; 0 for null.
  func int(_ column: Int32) -> Int { Int(int64(column)) }

  /// An integer column, `nil` for null.
  func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

  /// A floating-point column; 0 for null.
  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// A text column; empty for null.
  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// A text column, `nil` for null.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// How many instructions of SQLite's machine it took so far.
  var instructionCount: Int {
    Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0))
  }

  /// Whether its rows are being read.
  var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// A column's bytes; empty for null.
  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Looks at a column's bytes where they lie; there are none for null.
  func look<Result>(
    at column: Int32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }

  /// A column's value as it is stored.
  func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .int(int64(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(bytes(column))
    default: .null
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .int(let number): sqlite3_bind_int64(handle, index, number)
    case .real(let number): sqlite3_bind_double(handle, index, number)
    case .text(var text):
      text.withUTF8 { buffer in
        buffer.withMemoryRebound(to: CChar.self) { characters in
          // A null pointer would bind NULL, which empty text is not.
          guard let start = characters.baseAddress else {
            return postkit_sqlite_bind_text(handle, index, "", 0)
          }
          return postkit_sqlite_bind_text(handle, index, start, Int32(clamping: characters.count))
        }
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_zeroblob(handle, index, 0)
        }
        return postkit_sqlite_bind_blob(handle, index, start, Int32(clamping: buffer.count))
      }
    }
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> SQLiteError {
    let extended = sqlite3_extended_errcode(database)
    return SQLiteError(
      code: extended & 0xFF == code & 0xFF ? extended : code,
      message: String(cString: sqlite3_errmsg(database)))
  }
}
