// One connection to one database file; with Statement.swift the only file that holds SQLite's
// pointers.

import CSQLite
import Libc
import PostKitSupport

/// A connection with its prepared statements. It is confined to the store's thread: SQLite itself
/// is told not to lock (`SQLITE_OPEN_NOMUTEX`).
final class Connection {
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private let traces: Bool

  /// How many statements were run.
  private(set) var statementCount = 0

  /// How many instructions of SQLite's machine the statements took that are still prepared.
  var instructionCount: Int { statements.values.reduce(0) { $0 + $1.instructionCount } }

  /// Pages in the write-ahead log after this connection's last commit.
  var logPageCount: Int { logPages.count }
  /// The most pages that it had after a commit of this connection, since it was emptied: what is
  /// copied is written over, and the file stays as long as it was.
  var longestLogPageCount: Int { logPages.longest }
  private let logPages = LogPages()

  private final class LogPages {
    var count = 0 { didSet { longest = max(longest, count) } }
    var longest = 0
  }

  /// Opens a file for reading and writing; it must exist. `path` may be `:memory:`.
  init(path: String, tracesStatements: Bool = false) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
      | (path == ":memory:" ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened, code == SQLITE_OK else {
      let message = String(cString: opened.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
      let extended = opened.map { sqlite3_extended_errcode($0) } ?? code
      sqlite3_close_v2(opened)
      throw SQLiteError(code: extended, message: message)
    }
    handle = opened
    traces = tracesStatements
    configure()
  }

  deinit { close() }

  /// Whether `close()` was called; every use fails then.
  private(set) var isClosed = false

  /// Frees the statements and closes the file; the log is left as it is.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for statement in statements.values { statement.finalize() }
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Runs statements that return no rows and are used once, such as a migration.
  func execute(_ sql: String) throws(SQLiteError) {
    try requireOpen()
    let start = Clock.monotonicMicroseconds
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    trace(sql, since: start)
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  /// Runs a statement that returns no rows, and tells how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) -> Int {
    let statement = try prepare(sql)
    defer { statement.reset() }
    let start = Clock.monotonicMicroseconds
    try statement.bind(values)
    while try statement.step() {}
    trace(sql, since: start)
    return statement.isReadOnly ? 0 : Int(sqlite3_changes(handle))
  }

  /// All rows of a statement, each read by `read` while it is the current one.
  func rows<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (Statement) -> Row
  ) throws(SQLiteError) -> [Row] {
    let statement = try prepare(sql)
    defer { statement.reset() }
    let start = Clock.monotonicMicroseconds
    try statement.bind(values)
    var result: [Row] = []
    while try statement.step() { result.append(read(statement)) }
    trace(sql, since: start)
    return result
  }

  /// Hands each row of a statement to `body` while it is the current one, until it answers `false`.
  func each(
    _ sql: String, _ values: [SQLValue] = [], _ body: (Statement) -> Bool
  ) throws(SQLiteError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    let start = Clock.monotonicMicroseconds
    try statement.bind(values)
    while try statement.step(), body(statement) {}
    trace(sql, since: start)
  }

  /// The first row of a statement.
  func first<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (Statement) -> Row
  ) throws(SQLiteError) -> Row? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    let start = Clock.monotonicMicroseconds
    try statement.bind(values)
    let row = try statement.step() ? read(statement) : nil
    trace(sql, since: start)
    return row
  }

  /// The integer in the first column of the first row; 0 where there is no row.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) -> Int64 {
    try first(sql, values) { $0.int64(0) } ?? 0
  }

  /// The text in the first column of the first row; empty where there is no row.
  func text(_ sql: String, _ values: [SQLValue] = []) throws(SQLiteError) -> String {
    try first(sql, values) { $0.text(0) } ?? ""
  }

  /// The number of the row that was inserted last.
  var lastRowNumber: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Rows that were changed since the connection was opened, those that SQLite's own tables keep
  /// for an index of words included.
  var totalChangeCount: Int { Int(sqlite3_total_changes(handle)) }

  /// Reads with several statements as if it were one: no commit of others comes between.
  func snapshot<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard !isInTransaction else { return try body() }
    try run("BEGIN")
    do throws(SQLiteError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // What failed is told, not that the transaction could not be ended after it.
      if isInTransaction { _ = try? run("ROLLBACK") }
      throw error
    }
  }

  /// Bytes of the database without its log.
  func fileSize() throws(SQLiteError) -> Int64 {
    try integer("PRAGMA page_count") * integer("PRAGMA page_size")
  }

  /// The first damage that is found in the file, or in one table with its indexes, in one line;
  /// `nil` where none is.
  func damage(in table: String? = nil) throws(SQLiteError) -> String? {
    let found = try text("PRAGMA quick_check(\(table.map { "\"\($0)\"" } ?? "1"))")
    if found == "ok" { return nil }
    return found.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { !isClosed && sqlite3_get_autocommit(handle) == 0 }

  /// Lets a file be read that ends before its last page, or not; by default SQLite reads nothing of
  /// it.
  func tolerateDamage(_ does: Bool) {
    isDefensive = !does
    sqlite3_exec(handle, "PRAGMA writable_schema = \(does ? "ON" : "OFF")", nil, nil, nil)
  }

  /// Changes tables that SQLite keeps for an index of words.
  func changeInternalTables(_ sql: String) throws(SQLiteError) {
    isDefensive = false
    defer { isDefensive = true }
    try execute(sql)
  }

  /// Whether SQLite guards its own tables against statements.
  private var isDefensive = true {
    didSet { postkit_sqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, isDefensive ? 1 : 0) }
  }

  /// Such as `wal`; a file system that can't do what was asked for keeps what it has.
  var journalMode: String {
    // One that can't be read is none.
    (try? text("PRAGMA journal_mode")) ?? ""
  }

  private func requireOpen() throws(SQLiteError) {
    guard !isClosed else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file could not be opened again")
    }
  }

  /// Prepares statements that will be run soon. What is wrong with one is told when it is run.
  func prepare(ahead statements: [String]) {
    for sql in statements { _ = try? prepare(sql) }
  }

  private func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try requireOpen()
    if let known = statements[sql] { return known }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw lastError(code) }
    let statement = Statement(handle: prepared, database: handle)
    if statements.count >= Connection.statementLimit { dropStatements() }
    statements[sql] = statement
    if traces { tracePlan(sql) }
    return statement
  }

  /// Queries are rendered, so their number has no natural bound.
  private static let statementLimit = 128

  /// One whose rows are being read stays.
  private func dropStatements() {
    for (sql, statement) in statements where !statement.isBusy {
      statement.finalize()
      statements[sql] = nil
    }
  }

  private func configure() {
    sqlite3_extended_result_codes(handle, 1)
    // The last connection to close would otherwise run a checkpoint outside the store's lock.
    postkit_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    postkit_sqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    postkit_sqlite_configure(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    postkit_sqlite_configure(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    sqlite3_busy_handler(
      handle, { _, attempt in Patience.pause(attempt: Int(attempt)) ? 1 : 0 }, nil)
    // Our own hook replaces the automatic checkpoint, which would run outside the store's lock. It
    // gets a pointer to `logPages`, which lives as long as this connection.
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        if let context {
          Unmanaged<LogPages>.fromOpaque(context).takeUnretainedValue().count = Int(pages)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(logPages).toOpaque())
  }

  /// Lets every later call fail at once where it would have to wait for another connection.
  func stopWaiting() { sqlite3_busy_handler(handle, nil, nil) }

  /// Copies what it can of the log into the database; `mode` is one of `SQLITE_CHECKPOINT_…`.
  func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) {
    try requireOpen()
    let start = Clock.monotonicMicroseconds
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode.code, nil, nil)
    trace("checkpoint \(mode)", since: start)
    // A passive checkpoint that finds readers does less; that is no error.
    if code == SQLITE_OK || mode == .passive && code & 0xFF == SQLITE_BUSY {
      if mode == .truncate { (logPages.count, logPages.longest) = (0, 0) }
      return
    }
    throw lastError(code)
  }

  /// How much a checkpoint insists.
  enum CheckpointMode {
    case passive, truncate

    fileprivate var code: Int32 {
      self == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
    }
  }

  private func lastError(_ code: Int32) -> SQLiteError {
    SQLiteError(
      code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
  }

  /// Statements are logged without their values: those may be private.
  private func trace(_ sql: @autoclosure () -> String, since start: Int64) {
    statementCount += 1
    guard traces else { return }
    let line = sql().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let elapsed = Clock.monotonicMicroseconds - start
    StandardStream.writeIfRoom("sql \(elapsed) us: \(line)", to: STDERR_FILENO)
  }

  private func tracePlan(_ sql: String) {
    let head = sql.prefix { !$0.isWhitespace }.uppercased()
    guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(head) else { return }
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN " + sql, -1, &prepared, nil) == SQLITE_OK,
      let prepared
    else { return }
    let plan = Statement(handle: prepared, database: handle)
    defer { plan.finalize() }
    while true {
      // A plan that can't be read is only missing from the log.
      guard let isRow = try? plan.step(), isRow else { return }
      StandardStream.writeIfRoom("sql plan: \(plan.text(3))", to: STDERR_FILENO)
    }
  }
}

/// What is known of the SQLite in use.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`.
  static var version: String { String(cString: sqlite3_libversion()) }

  /// Whether it has FTS5, the module for an index of words.
  package static var hasFullText: Bool { sqlite3_compileoption_used("ENABLE_FTS5") != 0 }
}
