// Files in formats that this PostKit no longer writes, or does not know yet.

import PostKitSupport
import PostKitTestSupport

@testable import PostKitStore

extension Schema {
  /// What a later PostKit of the same major version might have: more columns, tables and triggers.
  static var newerMinor: Schema {
    var schema = Schema.history
    schema.migrations.append(
      Migration(
        version: FormatVersion(1, 99), name: "moods",
        sql: """
          ALTER TABLE exchange ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
          CREATE TABLE mood_count (mood TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT;
          CREATE INDEX exchange_by_mood ON exchange (mood);
          CREATE TRIGGER exchange_counted AFTER INSERT ON exchange BEGIN
            INSERT INTO mood_count VALUES (new.mood, 1)
              ON CONFLICT (mood) DO UPDATE SET number = number + 1;
          END;
          """))
    return schema
  }

  /// What a later PostKit might have that older ones can't use: the history under another name,
  /// with its methods in small letters.
  static var newerMajor: Schema {
    custom(FormatVersion(2, 0), sql: "ALTER TABLE exchange RENAME TO call") {
      connection throws(SQLiteError) in
      try connection.run("UPDATE call SET method = lower(method)")
    }
  }

  /// The history's steps with one more, in which code changes the rows.
  static func custom(
    _ version: FormatVersion, sql: String, before: Migration.Stage? = nil,
    after: @escaping Migration.Stage
  ) -> Schema {
    var schema = Schema.history
    schema.migrations.append(
      Migration(version: version, name: "custom", sql: sql, before: before, after: after))
    return schema
  }

  /// The steps up to a version, as an earlier PostKit had them.
  func upTo(_ version: FormatVersion) -> Schema {
    var schema = self
    schema.migrations.removeAll { $0.version > version }
    return schema
  }
}

extension TemporaryDirectory {
  /// Opens the history of `store` as a PostKit with other steps would.
  func openHistory(_ schema: Schema, _ notices: inout [StoreNotice]) throws -> DatabaseFile {
    try FileSystem.makeDirectory(store.directory)
    let lock = try StoreLock(path: store.lockPath)
    return try lock.hold { () throws(StoreFailure) in
      try DatabaseFile(
        path: store.historyPath, schema: schema, lock: lock, tracesStatements: false,
        notices: &notices)
    }
  }

  /// Opens the history of `store` as a PostKit with other steps would, which has nothing to tell.
  func openHistory(_ schema: Schema) throws -> DatabaseFile {
    var notices: [StoreNotice] = []
    let file = try openHistory(schema, &notices)
    guard notices.isEmpty else { throw UnexpectedNotices(notices: notices) }
    return file
  }

  /// Makes a file out of statements, such as the dump of a released format.
  func makeDatabase(_ path: String, _ sql: String) throws {
    try FileSystem.makeDirectory(FilePath.parent(path))
    try StorePlace.makeFile(path)
    let connection = try Connection(path: path)
    defer { connection.close() }
    try connection.execute(sql)
  }
}

/// What opening a file told although it had no reason to.
struct UnexpectedNotices: Error {
  let notices: [StoreNotice]
}

extension Connection {
  /// All that is in a database, in the words of its statements and values.
  func everything() throws -> [String] {
    let names = try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
      $0.text(0)
    }
    let statements = try rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") {
      $0.text(0)
    }
    let version = "format \(try integer("PRAGMA user_version"))"
    return [version] + statements
      + (try names.flatMap { try content(of: $0, columns: columns(of: $0)) })
  }

  /// The columns of a table that were given values, in order.
  func columns(of table: String) throws -> [String] {
    try rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(table)]) { $0.text(0) }
  }

  /// The rows of a table, each as the SQL of its values.
  func content(of table: String, columns: [String]) throws -> [String] {
    let values = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
    return try rows("SELECT \(values) FROM \(table) ORDER BY 1") { "\(table) \($0.text(0))" }
  }
}
