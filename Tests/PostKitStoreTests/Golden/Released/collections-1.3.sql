PRAGMA auto_vacuum=2;
PRAGMA application_id=1349206895;
PRAGMA user_version=65539;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE collection (
  id TEXT PRIMARY KEY NOT NULL,
  created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '',
  sort_order INTEGER NOT NULL DEFAULT 0,
  active_environment_id TEXT REFERENCES environment (id) ON DELETE SET NULL
, defaults TEXT) STRICT;
INSERT INTO "collection" VALUES('0199cd00-0000-7000-8000-000000000001',1759999990000,1759999990000,'Shop',0,'0199cd00-0000-7000-8000-000000000007','{"headers":[["X-Shop","1"]]}');
CREATE TABLE environment (
  id TEXT PRIMARY KEY NOT NULL,
  created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0,
  collection_id TEXT REFERENCES collection (id) ON DELETE CASCADE,
  name TEXT NOT NULL DEFAULT '',
  sort_order INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "environment" VALUES('0199cd00-0000-7000-8000-000000000007',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000001','dev',0);
INSERT INTO "environment" VALUES('0199cd00-0000-7000-8000-000000000008',1759999990000,1759999990000,NULL,'everywhere',0);
CREATE TABLE folder (
  id TEXT PRIMARY KEY NOT NULL,
  created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0,
  collection_id TEXT NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
  parent_id TEXT REFERENCES folder (id) ON DELETE CASCADE,
  name TEXT NOT NULL DEFAULT '',
  sort_order INTEGER NOT NULL DEFAULT 0
, defaults TEXT) STRICT;
INSERT INTO "folder" VALUES('0199cd00-0000-7000-8000-000000000002',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000001',NULL,'orders',0,'{"auth":"Bearer {{token}}"}');
INSERT INTO "folder" VALUES('0199cd00-0000-7000-8000-000000000003',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000001','0199cd00-0000-7000-8000-000000000002','returns',65536,NULL);
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
, is_favourite INTEGER NOT NULL DEFAULT 0, derivation INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "http_request" VALUES('0199cd00-0000-7000-8000-000000000004',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000001','0199cd00-0000-7000-8000-000000000002',0,'list','POST','/orders?page=1','/project/api.http','list','kulala','### list
POST /orders?page=1
Accept: text/html

grüße','grüße',1,1);
CREATE TABLE migration (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO "migration" VALUES(65536,'collections','d666f3783db81e636fcea391e14a8c32b5145c6638a8b3772c766a23c73ef3a8',1759999990000);
INSERT INTO "migration" VALUES(65537,'requests','778cac760db56ec47f513de887b535c1e50b941442708607f063d521d393916d',1759999990000);
INSERT INTO "migration" VALUES(65538,'secrets','2a7dcc969d82ad0e0d8b4f7611edab8746a394aa9de153df152965947da06433',1795843353413);
INSERT INTO "migration" VALUES(65539,'finding','cb7e77a31d3e16397827d8b61ab2f0b0151727c887e222ba8967cea6a517ac98',1759999990000);
CREATE TABLE pending_secret (
  number INTEGER PRIMARY KEY,
  variable TEXT NOT NULL,
  original TEXT
) STRICT;
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
INSERT INTO "query_parameter" VALUES('0199cd00-0000-7000-8000-000000000006',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000004','page','1',0,0);
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
INSERT INTO "request_header" VALUES('0199cd00-0000-7000-8000-000000000005',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000004','Accept','text/html',1,0);
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
INSERT INTO "request_search" VALUES('0199cd00-0000-7000-8000-000000000004','0199cd00-0000-7000-8000-000000000002',0,1759999990000,1759999990000,'POST',1,'list
orders');
CREATE TABLE request_tag (
  id TEXT PRIMARY KEY NOT NULL,
  created_at INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL DEFAULT 0,
  http_request_id TEXT NOT NULL REFERENCES http_request (id) ON DELETE CASCADE,
  tag TEXT NOT NULL DEFAULT '',
  sort_order INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "request_tag" VALUES('0199cd00-0000-7000-8000-000000000011',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000004','smoke',0);
CREATE TABLE revision (
  scope TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "revision" VALUES('collections',4);
CREATE TABLE trash (
  id TEXT PRIMARY KEY NOT NULL,
  deleted_at INTEGER NOT NULL DEFAULT 0,
  item_id TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "trash" VALUES('0199cd00-0000-7000-8000-000000000012',1759999990000,'0199cd00-0000-7000-8000-000000000013','request','old','{}');
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
INSERT INTO "variable" VALUES('0199cd00-0000-7000-8000-000000000009',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000007','host','localhost',0,0);
INSERT INTO "variable" VALUES('0199cd00-0000-7000-8000-000000000010',1759999990000,1759999990000,'0199cd00-0000-7000-8000-000000000007','token',NULL,1,65536);
CREATE TRIGGER global_environment_in_use BEFORE DELETE ON environment
WHEN OLD.collection_id IS NULL
BEGIN
  SELECT RAISE(ABORT, 'a collection has this global environment active')
  FROM collection WHERE active_environment_id = OLD.id;
END;
CREATE INDEX collection_by_environment ON collection (active_environment_id)
  WHERE active_environment_id IS NOT NULL;
CREATE INDEX collection_by_order ON collection (sort_order, id);
CREATE INDEX environment_by_collection ON environment (collection_id, sort_order, id);
CREATE INDEX folder_by_collection ON folder (collection_id, parent_id, sort_order, id);
CREATE INDEX folder_by_parent ON folder (parent_id, sort_order, id);
CREATE INDEX http_request_by_collection
  ON http_request (collection_id, folder_id, sort_order, id);
CREATE INDEX http_request_by_folder ON http_request (folder_id, sort_order, id);
CREATE INDEX query_parameter_by_request ON query_parameter (http_request_id, sort_order, id);
CREATE INDEX request_header_by_request ON request_header (http_request_id, sort_order, id);
CREATE INDEX variable_by_environment ON variable (environment_id, sort_order, id);
CREATE TRIGGER secret_of_deleted_variable AFTER DELETE ON variable WHEN OLD.is_secret = 1
BEGIN
  INSERT INTO pending_secret (variable) VALUES (OLD.id);
END;
CREATE TRIGGER secret_of_opened_variable AFTER UPDATE OF is_secret ON variable
WHEN OLD.is_secret = 1 AND NEW.is_secret = 0
BEGIN
  INSERT INTO pending_secret (variable) VALUES (OLD.id);
END;
CREATE INDEX collection_by_name ON collection (name);
CREATE INDEX folder_by_name ON folder (collection_id, parent_id, name);
CREATE INDEX http_request_by_caption
  ON http_request (collection_id, folder_id, ifnull(name, method || ' ' || url));
CREATE INDEX http_request_by_derivation ON http_request (derivation);
CREATE INDEX request_header_by_key
  ON request_header (key COLLATE NOCASE, value, http_request_id);
CREATE INDEX query_parameter_by_key ON query_parameter (key, value, http_request_id);
CREATE INDEX request_tag_by_request ON request_tag (http_request_id, sort_order, id);
CREATE INDEX request_tag_by_tag ON request_tag (tag, http_request_id);
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
CREATE INDEX trash_by_time ON trash (deleted_at, id);
COMMIT;
