// `collections.sqlite`, step by step. Append only: a step that was released is never changed again.

extension Schema {
  /// `collections.sqlite`: people's own work.
  static let collections = Schema(
    applicationID: 0x506B_436F, synchronous: "FULL",
    migrations: [
      Migration(version: FormatVersion(1, 0), name: "collections", sql: collectionsSQL),
      Migration(version: FormatVersion(1, 1), name: "requests", sql: requestsSQL),
      Migration(version: FormatVersion(1, 2), name: "secrets", sql: secretsSQL),
      Migration(version: FormatVersion(1, 3), name: "finding", sql: findingSQL),
      Migration(version: FormatVersion(1, 4), name: "imports", sql: importsSQL),
    ])
}

/// The file before there were collections.
private let collectionsSQL = commonSQL + "\nINSERT INTO revision VALUES ('collections', 0);"

/// The model of collections. Nothing is unique but ids, and every column has a default or may be
/// null: rows of two devices can be brought together by their ids and field by field.
///
/// A variable that is a secret has no value here. A folder or request says its collection, too, so
/// that a collection's requests are counted by an index.
private let requestsSQL = """
  CREATE TABLE collection (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    name TEXT NOT NULL DEFAULT '',
    sort_order INTEGER NOT NULL DEFAULT 0,
    active_environment_id TEXT REFERENCES environment (id) ON DELETE SET NULL
  ) STRICT;
  CREATE INDEX collection_by_order ON collection (sort_order, id);
  CREATE INDEX collection_by_environment ON collection (active_environment_id)
    WHERE active_environment_id IS NOT NULL;
  CREATE TABLE folder (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    collection_id TEXT NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    parent_id TEXT REFERENCES folder (id) ON DELETE CASCADE,
    name TEXT NOT NULL DEFAULT '',
    sort_order INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX folder_by_collection ON folder (collection_id, parent_id, sort_order, id);
  CREATE INDEX folder_by_parent ON folder (parent_id, sort_order, id);
  CREATE TABLE http_request (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    collection_id TEXT NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    folder_id TEXT REFERENCES folder (id) ON DELETE CASCADE,
    sort_order INTEGER NOT NULL DEFAULT 0,
    name TEXT,
    method TEXT NOT NULL DEFAULT 'GET',
    url TEXT NOT NULL DEFAULT '',
    origin_file TEXT,
    origin_name TEXT,
    dialect TEXT,
    source TEXT NOT NULL DEFAULT '',
    body TEXT
  ) STRICT;
  CREATE INDEX http_request_by_collection
    ON http_request (collection_id, folder_id, sort_order, id);
  CREATE INDEX http_request_by_folder ON http_request (folder_id, sort_order, id);
  CREATE TABLE request_header (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    http_request_id TEXT NOT NULL REFERENCES http_request (id) ON DELETE CASCADE,
    key TEXT NOT NULL DEFAULT '',
    value TEXT NOT NULL DEFAULT '',
    is_enabled INTEGER NOT NULL DEFAULT 1,
    sort_order INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX request_header_by_request ON request_header (http_request_id, sort_order, id);
  CREATE INDEX request_header_by_key ON request_header (key COLLATE NOCASE, value);
  CREATE INDEX request_header_by_value ON request_header (value);
  CREATE TABLE query_parameter (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    http_request_id TEXT NOT NULL REFERENCES http_request (id) ON DELETE CASCADE,
    key TEXT NOT NULL DEFAULT '',
    value TEXT NOT NULL DEFAULT '',
    is_enabled INTEGER NOT NULL DEFAULT 1,
    sort_order INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX query_parameter_by_request ON query_parameter (http_request_id, sort_order, id);
  CREATE INDEX query_parameter_by_key ON query_parameter (key, value);
  CREATE INDEX query_parameter_by_value ON query_parameter (value);
  CREATE TABLE environment (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    collection_id TEXT REFERENCES collection (id) ON DELETE CASCADE,
    name TEXT NOT NULL DEFAULT '',
    sort_order INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX environment_by_collection ON environment (collection_id, sort_order, id);
  CREATE TABLE variable (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    environment_id TEXT NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
    key TEXT NOT NULL DEFAULT '',
    value TEXT,
    is_secret INTEGER NOT NULL DEFAULT 0,
    sort_order INTEGER NOT NULL DEFAULT 0,
    CHECK (is_secret = 0 OR value IS NULL)
  ) STRICT;
  CREATE INDEX variable_by_environment ON variable (environment_id, sort_order, id);
  CREATE TRIGGER global_environment_in_use BEFORE DELETE ON environment
  WHEN OLD.collection_id IS NULL
  BEGIN
    SELECT RAISE(ABORT, 'a collection has this global environment active')
    FROM collection WHERE active_environment_id = OLD.id;
  END;
  """

/// Which variables may have a value that they don't name any more, or don't name yet; `original` is
/// the variable whose value a copy gets. The triggers work in an older PostKit as well.
private let secretsSQL = """
  CREATE TABLE pending_secret (
    number INTEGER PRIMARY KEY,
    variable TEXT NOT NULL,
    original TEXT
  ) STRICT;
  CREATE TRIGGER secret_of_deleted_variable AFTER DELETE ON variable WHEN OLD.is_secret = 1
  BEGIN
    INSERT INTO pending_secret (variable) VALUES (OLD.id);
  END;
  CREATE TRIGGER secret_of_opened_variable AFTER UPDATE OF is_secret ON variable
  WHEN OLD.is_secret = 1 AND NEW.is_secret = 0
  BEGIN
    INSERT INTO pending_secret (variable) VALUES (OLD.id);
  END;
  """

/// What stored requests are found by, what a deletion took away, and what a request has from where
/// it lies.
///
/// `derivation` says which rules the headers, parameters, tags and the row of `request_search` were
/// derived by; 0 asks for it to be done again, as after a change by an older PostKit. A row of
/// `request_search` has all that a list of requests is sorted and looked through by, so that a
/// search reads no texts of requests; `search_text` is folded, see `FoldedText`, and its first line
/// is the name. A trigger has it follow its request, whichever PostKit changes that. A row of
/// `trash` is what one deletion took away, as JSON. `defaults` is JSON, too: `{"headers": [[name,
/// value]], "auth": text, "variables": [[name, value]]}`.
private let findingSQL = """
  ALTER TABLE collection ADD COLUMN defaults TEXT;
  ALTER TABLE folder ADD COLUMN defaults TEXT;
  ALTER TABLE http_request ADD COLUMN is_favourite INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE http_request ADD COLUMN derivation INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX collection_by_name ON collection (name);
  CREATE INDEX folder_by_name ON folder (collection_id, parent_id, name);
  CREATE INDEX http_request_by_caption
    ON http_request (collection_id, folder_id, ifnull(name, method || ' ' || url));
  CREATE INDEX http_request_by_derivation ON http_request (derivation);
  DROP INDEX request_header_by_key;
  DROP INDEX request_header_by_value;
  DROP INDEX query_parameter_by_key;
  DROP INDEX query_parameter_by_value;
  CREATE INDEX request_header_by_key
    ON request_header (key COLLATE NOCASE, value, http_request_id);
  CREATE INDEX query_parameter_by_key ON query_parameter (key, value, http_request_id);
  CREATE TABLE request_tag (
    id TEXT PRIMARY KEY NOT NULL,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    http_request_id TEXT NOT NULL REFERENCES http_request (id) ON DELETE CASCADE,
    tag TEXT NOT NULL DEFAULT '',
    sort_order INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX request_tag_by_request ON request_tag (http_request_id, sort_order, id);
  CREATE INDEX request_tag_by_tag ON request_tag (tag, http_request_id);
  CREATE TABLE request_search (
    http_request_id TEXT PRIMARY KEY NOT NULL REFERENCES http_request (id) ON DELETE CASCADE,
    container_id TEXT NOT NULL DEFAULT '',
    sort_order INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0,
    method TEXT NOT NULL DEFAULT '',
    is_favourite INTEGER NOT NULL DEFAULT 0,
    search_text TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX request_search_by_favourite ON request_search (is_favourite)
    WHERE is_favourite = 1;
  CREATE TRIGGER request_to_derive AFTER UPDATE OF source, dialect ON http_request BEGIN
    UPDATE http_request SET derivation = 0 WHERE id = NEW.id;
  END;
  CREATE TRIGGER search_of_changed_request
  AFTER UPDATE OF collection_id, folder_id, sort_order, updated_at, method, is_favourite
    ON http_request
  BEGIN
    UPDATE request_search SET
      container_id = ifnull(NEW.folder_id, NEW.collection_id), sort_order = NEW.sort_order,
      updated_at = NEW.updated_at, method = NEW.method, is_favourite = NEW.is_favourite
    WHERE http_request_id = NEW.id;
  END;
  CREATE TABLE trash (
    id TEXT PRIMARY KEY NOT NULL,
    deleted_at INTEGER NOT NULL DEFAULT 0,
    item_id TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX trash_by_time ON trash (deleted_at, id);
  """

/// What an import of another tool's data remembers of its collection, as the JSON of
/// `postkit-import.json`, so that the next one can tell what people have changed.
private let importsSQL = "ALTER TABLE collection ADD COLUMN import_manifest TEXT;"
