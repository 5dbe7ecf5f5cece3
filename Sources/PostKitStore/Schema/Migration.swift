// What a step from one format of a file to the next is; the steps stand beside, file by file.

import PostKitSupport

/// A version of a file's format. A newer minor version can be used, a newer major one can't.
struct FormatVersion: Comparable, Hashable, Sendable, CustomStringConvertible {
  var major: Int
  var minor: Int

  /// The form in which it stands in `PRAGMA user_version`.
  var userVersion: Int64 { Int64(major) << 16 | Int64(minor) }

  var description: String { "\(major).\(minor)" }

  /// Reads what stands in `PRAGMA user_version`.
  init(userVersion: Int64) {
    major = Int(userVersion >> 16)
    minor = Int(userVersion & 0xFFFF)
  }

  /// Makes a version.
  init(_ major: Int, _ minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Whether one format is older than another.
  static func < (left: FormatVersion, right: FormatVersion) -> Bool {
    left.userVersion < right.userVersion
  }
}

/// One step from a format to the next; all of it runs in a transaction. Within a major version a
/// step only adds, so that older PostKits can go on using the file.
struct Migration: Sendable {
  /// Something that code does to the rows.
  typealias Stage = @Sendable (Connection) throws(SQLiteError) -> Void

  /// What the file is afterwards.
  var version: FormatVersion
  var name: String
  var sql: String
  /// What is done to the rows ahead of the statements, where SQL alone can't.
  var before: Stage?
  /// What is done to the rows after the statements, where SQL alone can't.
  var after: Stage?

  /// The SHA-256 of the statements; a test holds it, so that a released step can't change. What a
  /// stage does is held by the files of released formats.
  var hash: String { SHA256.hexDigest(Array(sql.utf8)) }

  /// Whether code changes the rows; a copy of the file is kept then.
  var isCustom: Bool { before != nil || after != nil }
}

/// The steps of one kind of file, and how such a file is known.
struct Schema: Sendable {
  /// `PRAGMA application_id`: four letters that tell our files from others'.
  var applicationID: Int64
  /// `PRAGMA synchronous`.
  var synchronous: String
  var migrations: [Migration]

  /// The newest format that this PostKit knows.
  var version: FormatVersion { migrations.last?.version ?? FormatVersion(0, 0) }
}

/// What every file has: the record of its migrations, and counters that rise with each commit so
/// that other processes know what changed.
let commonSQL = """
  CREATE TABLE migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    applied_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE revision (
    scope TEXT PRIMARY KEY,
    number INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  """
