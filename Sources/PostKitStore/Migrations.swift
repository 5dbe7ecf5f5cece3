// The schema, step by step. Append only: a migration that was released is never changed again.

import PostKitSupport

/// A version of a file's format. A newer minor version can be used, a newer major one can't.
struct FormatVersion: Comparable, Hashable, CustomStringConvertible {
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

/// One step from a format to the next; it runs in a transaction.
struct Migration {
  /// What the file is afterwards.
  var version: FormatVersion
  var name: String
  var sql: String

  /// The SHA-256 of the statements; a test holds it, so that a released step can't change.
  var hash: String { SHA256.hexDigest(Array(sql.utf8)) }
}

/// The steps of one kind of file, and how such a file is known.
struct Schema {
  /// `PRAGMA application_id`: four letters that tell our files from others'.
  var applicationID: Int64
  /// `PRAGMA synchronous`.
  var synchronous: String
  var migrations: [Migration]

  /// The newest format that this PostKit knows.
  var version: FormatVersion { migrations.last?.version ?? FormatVersion(0, 0) }

  /// `history.sqlite`. Losing the last commits with the power is bearable here, waiting for the
  /// disk at each send is not.
  static let history = Schema(
    applicationID: 0x506B_4869, synchronous: "NORMAL",
    migrations: [
      Migration(version: FormatVersion(1, 0), name: "history", sql: historySQL),
      Migration(version: FormatVersion(1, 1), name: "cookies", sql: cookiesSQL),
    ])

  /// `collections.sqlite`: people's own work.
  static let collections = Schema(
    applicationID: 0x506B_436F, synchronous: "FULL",
    migrations: [Migration(version: FormatVersion(1, 0), name: "collections", sql: collectionsSQL)])
}

/// What every file has: the record of its migrations, and counters that rise with each commit so
/// that other processes know what changed.
private let commonSQL = """
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

/// The tables of the model come with the collections themselves.
private let collectionsSQL = commonSQL + "\nINSERT INTO revision VALUES ('collections', 0);"

/// Columns that lists show come first: a row's later part may lie on overflow pages, which are read
/// only when a column there is asked for. Bodies come last.
private let historySQL =
  commonSQL + """

    INSERT INTO revision VALUES ('history', 0), ('session', 0);
    CREATE TABLE exchange (
      sequence INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      started_at INTEGER NOT NULL,
      file TEXT NOT NULL,
      line INTEGER NOT NULL,
      request_name TEXT,
      environment TEXT,
      method TEXT NOT NULL,
      url TEXT NOT NULL,
      state TEXT NOT NULL,
      status INTEGER,
      reason TEXT,
      total_microseconds INTEGER NOT NULL,
      decoded_size INTEGER NOT NULL,
      failure_code TEXT,
      failure_message TEXT,
      pinned INTEGER NOT NULL DEFAULT 0,
      label TEXT,
      note TEXT,
      workspace_folder TEXT NOT NULL,
      dialect TEXT NOT NULL,
      run_id TEXT NOT NULL,
      is_redacted INTEGER NOT NULL,
      http_version TEXT,
      remote_address TEXT NOT NULL,
      name_lookup_microseconds INTEGER NOT NULL,
      connect_microseconds INTEGER NOT NULL,
      tls_microseconds INTEGER NOT NULL,
      first_byte_microseconds INTEGER NOT NULL,
      wire_size INTEGER NOT NULL,
      request_size INTEGER NOT NULL,
      template TEXT NOT NULL,
      request_headers TEXT NOT NULL,
      response_headers TEXT,
      hops TEXT,
      tests TEXT,
      request_body_hash TEXT,
      request_body_size INTEGER NOT NULL,
      response_body_hash TEXT,
      response_body_size INTEGER NOT NULL,
      response_is_truncated INTEGER NOT NULL,
      request_body BLOB,
      response_body BLOB,
      status_class INTEGER GENERATED ALWAYS AS (status / 100) VIRTUAL,
      authority TEXT GENERATED ALWAYS AS (
        CASE WHEN instr(url, '://') > 0 THEN
          substr(
            substr(url, instr(url, '://') + 3), 1,
            instr(
              replace(replace(substr(url, instr(url, '://') + 3), '?', '/'), '#', '/') || '/', '/')
            - 1)
        END) VIRTUAL,
      host TEXT GENERATED ALWAYS AS (
        lower(
          CASE WHEN instr(substr(authority, instr(authority, '@') + 1), '[') = 1 THEN
            substr(
              substr(authority, instr(authority, '@') + 1), 1,
              instr(substr(authority, instr(authority, '@') + 1), ']'))
          ELSE
            substr(
              substr(authority, instr(authority, '@') + 1), 1,
              instr(substr(authority, instr(authority, '@') + 1) || ':', ':') - 1)
          END)) VIRTUAL
    ) STRICT;
    CREATE INDEX exchange_by_time ON exchange (started_at, id);
    CREATE INDEX exchange_by_host ON exchange (host, started_at, id);
    CREATE INDEX exchange_by_status ON exchange (status_class, started_at, id);
    CREATE INDEX exchange_by_request
      ON exchange (file, request_name, environment, started_at, id);
    CREATE INDEX exchange_by_place ON exchange (file, request_name, line, started_at, id);
    CREATE INDEX exchange_by_request_body ON exchange (request_body_hash)
      WHERE request_body_hash IS NOT NULL;
    CREATE INDEX exchange_by_response_body ON exchange (response_body_hash)
      WHERE response_body_hash IS NOT NULL;
    CREATE TABLE session_value (
      workspace_folder TEXT NOT NULL,
      environment TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (workspace_folder, environment, key)
    ) STRICT, WITHOUT ROWID;
    """

/// Cookies by workspace folder and environment, and what else is known of an exchange.
private let cookiesSQL = """
  INSERT INTO revision VALUES ('cookies', 0);
  CREATE TABLE cookie (
    workspace_folder TEXT NOT NULL,
    environment TEXT NOT NULL,
    domain TEXT NOT NULL,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at INTEGER,
    includes_subdomains INTEGER NOT NULL,
    is_secure INTEGER NOT NULL,
    is_http_only INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_folder, environment, domain, path, name)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE exchange ADD COLUMN saved_to TEXT;
  ALTER TABLE exchange ADD COLUMN is_unverified INTEGER NOT NULL DEFAULT 0;
  """
