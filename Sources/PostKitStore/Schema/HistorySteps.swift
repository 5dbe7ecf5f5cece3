// `history.sqlite`, step by step. Append only: a step that was released is never changed again.

extension Schema {
  /// `history.sqlite`. Losing the last commits with the power is bearable here, waiting for the
  /// disk at each send is not.
  static let history = Schema(
    applicationID: 0x506B_4869, synchronous: "NORMAL",
    migrations: [
      Migration(version: FormatVersion(1, 0), name: "history", sql: historySQL),
      Migration(version: FormatVersion(1, 1), name: "cookies", sql: cookiesSQL),
      Migration(version: FormatVersion(1, 2), name: "stored requests", sql: storedRequestsSQL),
      Migration(version: FormatVersion(1, 3), name: "words", sql: wordsSQL),
      Migration(version: FormatVersion(1, 4), name: "filters", sql: filtersSQL),
      Migration(version: FormatVersion(1, 5), name: "erasure", sql: erasureSQL),
      Migration(version: FormatVersion(1, 6), name: "groups", sql: groupsSQL),
      Migration(version: FormatVersion(1, 7), name: "origins", sql: originsSQL),
      Migration(version: FormatVersion(1, 8), name: "described services", sql: servicesSQL),
      Migration(version: FormatVersion(1, 9), name: "tokens", sql: tokensSQL),
    ])
}

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

/// The request of a collection from which something was sent.
private let storedRequestsSQL = """
  ALTER TABLE exchange ADD COLUMN http_request_id TEXT;
  CREATE INDEX exchange_by_stored_request ON exchange (http_request_id, started_at, id)
    WHERE http_request_id IS NOT NULL;
  """

/// Which exchanges are in the index of words: those from `first` to `last`. `word_task` has those
/// whose words have changed or are to be removed; the trigger works in every SQLite, and in an
/// older PostKit as well. Nothing is indexed here, so that the step stays short however long the
/// history is. After deletions the next exchange gets the number after the last one's.
private let wordsSQL = """
  CREATE TABLE word_range (first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
  INSERT INTO word_range
    SELECT coalesce(max(sequence), 0) + 1, coalesce(max(sequence), 0) FROM exchange;
  CREATE TABLE word_task (sequence INTEGER PRIMARY KEY) STRICT;
  CREATE TRIGGER words_of_deleted_exchange AFTER DELETE ON exchange BEGIN
    INSERT OR IGNORE INTO word_task
      SELECT old.sequence FROM word_range WHERE old.sequence BETWEEN first AND last;
    UPDATE word_range SET last = (SELECT coalesce(max(sequence), 0) FROM exchange)
    WHERE last > (SELECT coalesce(max(sequence), 0) FROM exchange);
  END;
  """

/// What filters ask for. Few exchanges are pinned or labelled or have failed tests, so that their
/// indexes cost the others nothing. The last index knows the sizes of bodies that are files.
private let filtersSQL = """
  ALTER TABLE exchange ADD COLUMN path TEXT GENERATED ALWAYS AS (
    CASE WHEN instr(url, '://') > 0 THEN
      coalesce(
        nullif(
          substr(
            substr(url, instr(url, '://') + 3 + length(authority)), 1,
            instr(
              replace(substr(url, instr(url, '://') + 3 + length(authority)), '#', '?') || '?', '?')
            - 1),
          ''),
        '/')
    END) VIRTUAL;
  ALTER TABLE exchange ADD COLUMN failed_test_count INTEGER GENERATED ALWAYS AS (
    (length(tests) - length(replace(tests, '"passed":false', ''))) / 14) VIRTUAL;
  CREATE INDEX exchange_by_file ON exchange (file, started_at, id);
  CREATE INDEX exchange_by_path ON exchange (path, started_at, id);
  CREATE INDEX exchange_by_failed_tests ON exchange (started_at, id)
    WHERE failed_test_count > 0;
  CREATE INDEX exchange_by_pin ON exchange (started_at, id) WHERE pinned = 1;
  CREATE INDEX exchange_by_label ON exchange (label, started_at, id) WHERE label IS NOT NULL;
  CREATE INDEX exchange_by_run ON exchange (run_id, started_at, id);
  CREATE INDEX exchange_by_response_file ON exchange (response_body_hash, response_body_size)
    WHERE response_body_hash IS NOT NULL;
  """

/// Of how many exchanges the words were deleted from the index, and of how many when it was last
/// written without them. The trigger counts what an older PostKit deletes as well; what was deleted
/// before this step nobody has counted.
private let erasureSQL = """
  CREATE TABLE word_erasure (deleted INTEGER NOT NULL, erased INTEGER NOT NULL) STRICT;
  INSERT INTO word_erasure SELECT EXISTS (SELECT 1 FROM exchange), 0;
  CREATE TRIGGER words_to_erase AFTER DELETE ON word_task BEGIN
    UPDATE word_erasure SET deleted = deleted + 1;
  END;
  """

/// Filters that people have named, and what lists and figures are found by.
///
/// `filter` of a named one is the line that lists are asked with.
///
/// Exchanges that are equal in all that people filter by are a group: there are few groups, so that
/// any combination of filters is decided without a look at an exchange. `exchange_figures` has
/// what lists are sorted by and what is added up, in a few bytes each. Those from `first` to `last`
/// are grouped. Others are by `Store.group`: recording waits for nothing, while a trigger would
/// compute the host of each exchange once more, and the step stays short however long the history
/// is. The triggers work in an older PostKit as well.
private let groupsSQL = """
  CREATE TABLE saved_search (
    name TEXT PRIMARY KEY NOT NULL,
    filter TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE exchange_group (
    number INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    host TEXT,
    method TEXT NOT NULL,
    status INTEGER,
    environment TEXT,
    state TEXT NOT NULL,
    label TEXT,
    has_failed_test INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX exchange_group_by_file ON exchange_group
    (file, host, method, status, environment, state, label, has_failed_test);
  CREATE INDEX exchange_group_by_host ON exchange_group
    (host, status, method, environment, state, label, has_failed_test);
  CREATE INDEX exchange_group_by_status ON exchange_group
    (status, method, environment, state, label, has_failed_test);
  CREATE INDEX exchange_group_by_environment ON exchange_group
    (environment, method, state, label, has_failed_test);
  CREATE INDEX exchange_group_by_method ON exchange_group (method, state);
  CREATE INDEX exchange_group_by_label ON exchange_group
    (label, environment, method, state, has_failed_test) WHERE label IS NOT NULL;
  CREATE TABLE exchange_figures (
    started_at INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    group_number INTEGER NOT NULL,
    total_microseconds INTEGER NOT NULL,
    request_size INTEGER NOT NULL,
    response_size INTEGER NOT NULL,
    PRIMARY KEY (started_at, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX exchange_figures_by_group ON exchange_figures (group_number, started_at, sequence);
  CREATE TABLE grouped_range (first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
  INSERT INTO grouped_range
    SELECT coalesce(max(sequence), 0) + 1, coalesce(max(sequence), 0) FROM exchange;
  CREATE TRIGGER group_of_labelled_exchange AFTER UPDATE OF label ON exchange
  WHEN OLD.label IS NOT NEW.label BEGIN
    DELETE FROM exchange_figures
      WHERE started_at = OLD.started_at AND sequence = OLD.sequence;
    \(ExchangeGroups.addition)
  END;
  CREATE TRIGGER group_of_deleted_exchange AFTER DELETE ON exchange BEGIN
    DELETE FROM exchange_figures
      WHERE started_at = OLD.started_at AND sequence = OLD.sequence;
    UPDATE grouped_range SET last = (SELECT coalesce(max(sequence), 0) FROM exchange)
    WHERE last > (SELECT coalesce(max(sequence), 0) FROM exchange);
  END;
  CREATE TRIGGER empty_group AFTER DELETE ON exchange_figures BEGIN
    DELETE FROM exchange_group WHERE number = OLD.group_number AND NOT EXISTS (
      SELECT 1 FROM exchange_figures WHERE group_number = OLD.group_number);
  END;
  """

/// What scripts have printed, who asked for an exchange, and what it was made for: `NULL` for a
/// request that somebody wrote, which nearly all are. The others stand in `exchange_purpose`, so
/// that a list leaves them out without a look at the last column of each row. Whoever records one
/// writes that; a trigger would cost each request a third of its insertion.
private let originsSQL = """
  ALTER TABLE exchange ADD COLUMN output TEXT;
  ALTER TABLE exchange ADD COLUMN origin TEXT;
  ALTER TABLE exchange ADD COLUMN purpose TEXT;
  CREATE TABLE exchange_purpose (sequence INTEGER PRIMARY KEY, purpose TEXT NOT NULL) STRICT;
  CREATE INDEX exchange_purpose_by_word ON exchange_purpose (purpose);
  CREATE TRIGGER purpose_of_deleted_exchange AFTER DELETE ON exchange BEGIN
    DELETE FROM exchange_purpose WHERE sequence = OLD.sequence;
  END;
  """

/// What a service has said of itself, by what it is (`kind`) and whose it is (`key`). `environment`
/// is empty for what depends on none, `time` in milliseconds since 1970-01-01T00:00:00Z.
private let servicesSQL = """
  CREATE TABLE described_service (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    environment TEXT NOT NULL DEFAULT '',
    time INTEGER NOT NULL DEFAULT 0,
    content BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (kind, key, environment)
  ) STRICT;
  """

/// What is known of tokens of OAuth 2; their values are no part of the file. A row says no more
/// than its key while its `state` is `unsettled`: its value is to be written, or to be deleted.
/// Times are in milliseconds since 1970-01-01T00:00:00Z.
private let tokensSQL = """
  INSERT INTO revision VALUES ('tokens', 0);
  CREATE TABLE token (
    key TEXT PRIMARY KEY NOT NULL,
    workspace_folder TEXT NOT NULL DEFAULT '',
    environment TEXT NOT NULL DEFAULT '',
    configuration TEXT NOT NULL DEFAULT '',
    grant_type TEXT NOT NULL DEFAULT '',
    client_id TEXT,
    host TEXT NOT NULL DEFAULT '',
    subject TEXT,
    scope TEXT,
    acquired_at INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    refresh_expires_at INTEGER,
    used_at INTEGER NOT NULL DEFAULT 0,
    is_refreshable INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'unsettled',
    error TEXT
  ) STRICT;
  """
