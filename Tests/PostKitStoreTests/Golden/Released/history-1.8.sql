PRAGMA auto_vacuum=2;
PRAGMA application_id=1349208169;
PRAGMA user_version=65544;
BEGIN TRANSACTION;
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
INSERT INTO "cookie" VALUES('/project','dev','api.example.com','/','session','s1',4102444800,1,1,1,1760000000003);
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
INSERT INTO "exchange" VALUES(1,'0199c6f2-8a10-7000-8000-000000000001',1760000000000,'/project/api.http',3,'login','dev','POST','https://api.example.com/login?next=%2F','done',201,'Created',12345,15,NULL,NULL,1,'first','the one that worked','/project','auto','run-1',1,'HTTP/1.1','192.0.2.7:443',1,2,3,4,150,12,'### login
POST {{host}}/login?next=%2F

grüße "x"','[["X-Tag","one"],["x-tag","two"]]','[["Content-Type","application/json"],["Set-Cookie","***"]]','[{"method":"POST","url":"http://api.example.com/login","requestHeaders":[["A","1"]],"bodySize":0,"status":307,"headers":[["Location","https://api.example.com/login?next=%2F"]],"timings":[0,5,0,0,6]}]','[{"name":"status is 201","passed":true,"message":""}]',NULL,11,NULL,15,0,X'6772C3BCC39F6520227822',X'7B22746F6B656E223A222A2A2A227D','["/project/out.json"]',1,'0199c6f2-8a10-7000-8000-0000000000a1',NULL,NULL,NULL);
INSERT INTO "exchange" VALUES(2,'0199c6f2-8df8-7000-8000-000000000002',1760000001000,'/project/api.http',9,NULL,NULL,'GET','http://[2001:db8::1]:8080/','failed',NULL,NULL,99,0,'connection','No connection; it''s closed.',1,'kept','a note','/project','kulala','',0,NULL,'',0,0,0,0,0,0,'GET http://[2001:db8::1]:8080/','[]',NULL,NULL,NULL,NULL,0,NULL,0,0,X'',X'',NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "exchange" VALUES(3,'0199c6f2-91e0-7000-8000-000000000003',1760000002000,'/project/sub/b.http',1,'large',NULL,'GET','https://api.example.com/large','done',200,'OK',7,100000,NULL,NULL,0,'slow',NULL,'/project','auto','',0,'HTTP/2','192.0.2.7:443',0,0,0,0,100200,0,'GET https://api.example.com/large','[]','[]',NULL,NULL,NULL,0,'6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee',100000,0,X'',NULL,NULL,0,NULL,NULL,NULL,NULL);
CREATE TABLE exchange_figures (
  started_at INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  group_number INTEGER NOT NULL,
  total_microseconds INTEGER NOT NULL,
  request_size INTEGER NOT NULL,
  response_size INTEGER NOT NULL,
  PRIMARY KEY (started_at, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO "exchange_figures" VALUES(1760000000000,1,3,12345,12,15);
INSERT INTO "exchange_figures" VALUES(1760000001000,2,2,99,0,0);
INSERT INTO "exchange_figures" VALUES(1760000002000,3,4,7,0,100000);
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
INSERT INTO "exchange_group" VALUES(2,'/project/api.http','[2001:db8::1]','GET',NULL,NULL,'failed','kept',0);
INSERT INTO "exchange_group" VALUES(3,'/project/api.http','api.example.com','POST',201,'dev','done','first',0);
INSERT INTO "exchange_group" VALUES(4,'/project/sub/b.http','api.example.com','GET',200,NULL,'done','slow',0);
CREATE TABLE exchange_purpose (sequence INTEGER PRIMARY KEY, purpose TEXT NOT NULL) STRICT;
CREATE TABLE described_service (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  environment TEXT NOT NULL DEFAULT '',
  time INTEGER NOT NULL DEFAULT 0,
  content BLOB NOT NULL DEFAULT x'',
  PRIMARY KEY (kind, key, environment)
) STRICT;
INSERT INTO "described_service" VALUES('openapi','https://api.example.com:443/openapi.json','',1760000003000,X'7B7D');
CREATE TABLE grouped_range (first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
INSERT INTO "grouped_range" VALUES(1,3);
CREATE TABLE migration (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
INSERT INTO "migration" VALUES(65536,'history','48d36a328e517e64e5d36f3625b569f166f3756ef2cc0319bbded3757f8b5e31',1759999990000);
INSERT INTO "migration" VALUES(65537,'cookies','c4eb4b9b3ad948d120f85d30f8fc8e05cd0d95a9a3764f12c7d3e99fb7a1d8cd',1759999990000);
INSERT INTO "migration" VALUES(65538,'stored requests','25d647b68a02b6e446b0843008531b82656758604c4c38e818b1d6aeafa68711',1759999990000);
INSERT INTO "migration" VALUES(65539,'words','3d502c13ab9e4938f8229615078758a9c44efa5b2cc21c0178b17cae09a99617',1759999990000);
INSERT INTO "migration" VALUES(65540,'filters','c5ef7974b97b1acbd11dc77a6bd9081d1c6a1daec28c30256103d5133fd58077',1759999990000);
INSERT INTO "migration" VALUES(65541,'erasure','732bc2d8a90a5ef894b4315ac7cee706b35e469d99e90f98e6e9885e6841efe6',1759999990000);
INSERT INTO "migration" VALUES(65542,'groups','99d99d42c976bd8ec4836031154b6a22f4078faa50b24ac906ec8787b718b778',1759999990000);
INSERT INTO "migration" VALUES(65543,'origins','b25819dbe8b6f8975b2b3e32e5c677249f1098906a124b29907362bca4238925',1759999990000);
INSERT INTO "migration" VALUES(65544,'described services','78ca9e5214fb1cd18f1ea745aa7166192b71e3b1e55af00a487f31557226a070',1759999990000);
CREATE TABLE revision (
  scope TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "revision" VALUES('cookies',1);
INSERT INTO "revision" VALUES('history',5);
INSERT INTO "revision" VALUES('session',2);
CREATE TABLE saved_search (
  name TEXT PRIMARY KEY NOT NULL,
  filter TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "saved_search" VALUES('bad','status:4xx',1759999990000);
CREATE TABLE session_value (
  workspace_folder TEXT NOT NULL,
  environment TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_folder, environment, key)
) STRICT, WITHOUT ROWID;
INSERT INTO "session_value" VALUES('/project','','environment','dev',1760000000001);
INSERT INTO "session_value" VALUES('/project','dev','global:token','"abc"',1760000000002);
CREATE TABLE word_erasure (deleted INTEGER NOT NULL, erased INTEGER NOT NULL) STRICT;
INSERT INTO "word_erasure" VALUES(1,0);
CREATE TABLE word_range (first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
INSERT INTO "word_range" VALUES(4,3);
CREATE TABLE word_task (sequence INTEGER PRIMARY KEY) STRICT;
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
CREATE INDEX exchange_by_stored_request ON exchange (http_request_id, started_at, id)
  WHERE http_request_id IS NOT NULL;
CREATE INDEX exchange_by_file ON exchange (file, started_at, id);
CREATE INDEX exchange_by_path ON exchange (path, started_at, id);
CREATE INDEX exchange_by_failed_tests ON exchange (started_at, id)
  WHERE failed_test_count > 0;
CREATE INDEX exchange_by_pin ON exchange (started_at, id) WHERE pinned = 1;
CREATE INDEX exchange_by_label ON exchange (label, started_at, id) WHERE label IS NOT NULL;
CREATE INDEX exchange_by_run ON exchange (run_id, started_at, id);
CREATE INDEX exchange_by_response_file ON exchange (response_body_hash, response_body_size)
  WHERE response_body_hash IS NOT NULL;
CREATE TRIGGER words_of_deleted_exchange AFTER DELETE ON exchange BEGIN
  INSERT OR IGNORE INTO word_task
    SELECT old.sequence FROM word_range WHERE old.sequence BETWEEN first AND last;
  UPDATE word_range SET last = (SELECT coalesce(max(sequence), 0) FROM exchange)
  WHERE last > (SELECT coalesce(max(sequence), 0) FROM exchange);
END;
CREATE TRIGGER words_to_erase AFTER DELETE ON word_task BEGIN
  UPDATE word_erasure SET deleted = deleted + 1;
END;
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
CREATE INDEX exchange_figures_by_group ON exchange_figures (group_number, started_at, sequence);
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
CREATE INDEX exchange_purpose_by_word ON exchange_purpose (purpose);
CREATE TRIGGER purpose_of_deleted_exchange AFTER DELETE ON exchange BEGIN
  DELETE FROM exchange_purpose WHERE sequence = OLD.sequence;
END;
COMMIT;
