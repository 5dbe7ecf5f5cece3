CREATE TRIGGER empty_group AFTER DELETE ON exchange_figures BEGIN
  DELETE FROM exchange_group WHERE number = OLD.group_number AND NOT EXISTS (
    SELECT 1 FROM exchange_figures WHERE group_number = OLD.group_number);
END;
CREATE TRIGGER group_of_deleted_exchange AFTER DELETE ON exchange BEGIN
  DELETE FROM exchange_figures
    WHERE started_at = OLD.started_at AND sequence = OLD.sequence;
  UPDATE grouped_range SET last = (SELECT coalesce(max(sequence), 0) FROM exchange)
  WHERE last > (SELECT coalesce(max(sequence), 0) FROM exchange);
END;
CREATE TRIGGER group_of_labelled_exchange AFTER UPDATE OF label ON exchange
WHEN OLD.label IS NOT NEW.label BEGIN
  DELETE FROM exchange_figures
    WHERE started_at = OLD.started_at AND sequence = OLD.sequence;
  INSERT INTO exchange_group (file, host, method, status, environment, state, label, has_failed_test)
    SELECT NEW.file, NEW.host, NEW.method, NEW.status, NEW.environment, NEW.state, NEW.label,
      coalesce(NEW.failed_test_count, 0) > 0
    WHERE NOT EXISTS (
      SELECT 1 FROM exchange_group WHERE file = NEW.file AND host IS NEW.host AND method = NEW.method
      AND status IS NEW.status AND environment IS NEW.environment AND state = NEW.state
      AND label IS NEW.label AND has_failed_test = (coalesce(NEW.failed_test_count, 0) > 0));
  INSERT INTO exchange_figures
    SELECT NEW.started_at, NEW.sequence, number, NEW.total_microseconds,
      NEW.request_size, NEW.decoded_size
    FROM exchange_group WHERE file = NEW.file AND host IS NEW.host AND method = NEW.method
      AND status IS NEW.status AND environment IS NEW.environment AND state = NEW.state
      AND label IS NEW.label AND has_failed_test = (coalesce(NEW.failed_test_count, 0) > 0);
END;
CREATE TRIGGER purpose_of_deleted_exchange AFTER DELETE ON exchange BEGIN
  DELETE FROM exchange_purpose WHERE sequence = OLD.sequence;
END;
CREATE TRIGGER words_of_deleted_exchange AFTER DELETE ON exchange BEGIN
  INSERT OR IGNORE INTO word_task
    SELECT old.sequence FROM word_range WHERE old.sequence BETWEEN first AND last;
  UPDATE word_range SET last = (SELECT coalesce(max(sequence), 0) FROM exchange)
  WHERE last > (SELECT coalesce(max(sequence), 0) FROM exchange);
END;
CREATE TRIGGER words_to_erase AFTER DELETE ON word_task BEGIN
  UPDATE word_erasure SET deleted = deleted + 1;
END;
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
CREATE TABLE described_service (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  environment TEXT NOT NULL DEFAULT '',
  time INTEGER NOT NULL DEFAULT 0,
  content BLOB NOT NULL DEFAULT x'',
  PRIMARY KEY (kind, key, environment)
) STRICT;
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
, saved_to TEXT, is_unverified INTEGER NOT NULL DEFAULT 0, http_request_id TEXT, path TEXT GENERATED ALWAYS AS (
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
  END) VIRTUAL, failed_test_count INTEGER GENERATED ALWAYS AS (
  (length(tests) - length(replace(tests, '"passed":false', ''))) / 14) VIRTUAL, output TEXT, origin TEXT, purpose TEXT) STRICT;
CREATE TABLE exchange_figures (
  started_at INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  group_number INTEGER NOT NULL,
  total_microseconds INTEGER NOT NULL,
  request_size INTEGER NOT NULL,
  response_size INTEGER NOT NULL,
  PRIMARY KEY (started_at, sequence)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE exchange_purpose (sequence INTEGER PRIMARY KEY, purpose TEXT NOT NULL) STRICT;
CREATE TABLE grouped_range (first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
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
CREATE TABLE saved_search (
  name TEXT PRIMARY KEY NOT NULL,
  filter TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE session_value (
  workspace_folder TEXT NOT NULL,
  environment TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_folder, environment, key)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE word_erasure (deleted INTEGER NOT NULL, erased INTEGER NOT NULL) STRICT;
CREATE TABLE word_range (first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
CREATE TABLE word_task (sequence INTEGER PRIMARY KEY) STRICT;
CREATE INDEX exchange_by_failed_tests ON exchange (started_at, id)
  WHERE failed_test_count > 0;
CREATE INDEX exchange_by_file ON exchange (file, started_at, id);
CREATE INDEX exchange_by_host ON exchange (host, started_at, id);
CREATE INDEX exchange_by_label ON exchange (label, started_at, id) WHERE label IS NOT NULL;
CREATE INDEX exchange_by_path ON exchange (path, started_at, id);
CREATE INDEX exchange_by_pin ON exchange (started_at, id) WHERE pinned = 1;
CREATE INDEX exchange_by_place ON exchange (file, request_name, line, started_at, id);
CREATE INDEX exchange_by_request
  ON exchange (file, request_name, environment, started_at, id);
CREATE INDEX exchange_by_request_body ON exchange (request_body_hash)
  WHERE request_body_hash IS NOT NULL;
CREATE INDEX exchange_by_response_body ON exchange (response_body_hash)
  WHERE response_body_hash IS NOT NULL;
CREATE INDEX exchange_by_response_file ON exchange (response_body_hash, response_body_size)
  WHERE response_body_hash IS NOT NULL;
CREATE INDEX exchange_by_run ON exchange (run_id, started_at, id);
CREATE INDEX exchange_by_status ON exchange (status_class, started_at, id);
CREATE INDEX exchange_by_stored_request ON exchange (http_request_id, started_at, id)
  WHERE http_request_id IS NOT NULL;
CREATE INDEX exchange_by_time ON exchange (started_at, id);
CREATE INDEX exchange_figures_by_group ON exchange_figures (group_number, started_at, sequence);
CREATE INDEX exchange_group_by_environment ON exchange_group
  (environment, method, state, label, has_failed_test);
CREATE INDEX exchange_group_by_file ON exchange_group
  (file, host, method, status, environment, state, label, has_failed_test);
CREATE INDEX exchange_group_by_host ON exchange_group
  (host, status, method, environment, state, label, has_failed_test);
CREATE INDEX exchange_group_by_label ON exchange_group
  (label, environment, method, state, has_failed_test) WHERE label IS NOT NULL;
CREATE INDEX exchange_group_by_method ON exchange_group (method, state);
CREATE INDEX exchange_group_by_status ON exchange_group
  (status, method, environment, state, label, has_failed_test);
CREATE INDEX exchange_purpose_by_word ON exchange_purpose (purpose);
