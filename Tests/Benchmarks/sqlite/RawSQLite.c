// The yardstick of the store: the statements that the store needs, prepared once, and nothing else.

#include "RawSQLite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLE_LIMIT = 256, ID_SIZE = 40 };

struct RawSQLite {
  sqlite3 *handle;
  sqlite3_stmt *begin, *insert, *commit, *read;
  int columnCount, idColumn, timeColumn, sampleCount;
  sqlite3_value **samples;
  long long written;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int fail(RawSQLite *database, const char *what) {
  fprintf(stderr, "raw SQLite: %s: %s\n", what, sqlite3_errmsg(database->handle));
  return 0;
}

static int execute(RawSQLite *database, const char *sql) {
  return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK || fail(database, sql);
}

static sqlite3_stmt *prepare(RawSQLite *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v3(
          database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    fail(database, sql);
  return statement;
}

/// Runs the statements that made the model. What SQLite makes by itself is left out: tables of its
/// own and those in which an index of words keeps its data.
static int copySchema(RawSQLite *database) {
  sqlite3_stmt *parts = prepare(
      database,
      "SELECT sql FROM model.sqlite_schema AS part WHERE sql IS NOT NULL"
      " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT EXISTS ("
      "  SELECT 1 FROM model.sqlite_schema AS words WHERE words.sql LIKE 'CREATE VIRTUAL%'"
      "  AND substr(part.name, 1, length(words.name) + 1) = words.name || '_')"
      " ORDER BY CASE type WHEN 'table' THEN 0 ELSE 1 END, rowid");
  if (!parts) return 0;
  int isGood = 1;
  while (isGood && sqlite3_step(parts) == SQLITE_ROW)
    isGood = execute(database, (const char *)sqlite3_column_text(parts, 0));
  sqlite3_finalize(parts);
  return isGood;
}

/// The names of the columns that are written, and the statements made of them.
static int prepareStatements(RawSQLite *database) {
  sqlite3_stmt *names = prepare(
      database,
      "SELECT group_concat(name), group_concat('?'), count(*) FROM ("
      "  SELECT name FROM pragma_table_info('exchange') WHERE name <> 'sequence' ORDER BY cid)");
  if (!names || sqlite3_step(names) != SQLITE_ROW) return 0;
  database->columnCount = sqlite3_column_int(names, 2);
  const char *columns = (const char *)sqlite3_column_text(names, 0);
  char *insert = sqlite3_mprintf(
      "INSERT INTO exchange (%s) VALUES (%s)", columns, sqlite3_column_text(names, 1));
  char *read = sqlite3_mprintf("SELECT %s FROM exchange WHERE id = ?", columns);
  char *sample = sqlite3_mprintf(
      "SELECT %s FROM model.exchange ORDER BY sequence DESC LIMIT %d", columns, SAMPLE_LIMIT);
  sqlite3_finalize(names);
  database->begin = prepare(database, "BEGIN IMMEDIATE");
  database->commit = prepare(database, "COMMIT");
  database->insert = prepare(database, insert);
  database->read = prepare(database, read);
  sqlite3_stmt *rows = prepare(database, sample);
  sqlite3_free(insert);
  sqlite3_free(read);
  sqlite3_free(sample);
  if (!database->begin || !database->commit || !database->insert || !database->read || !rows)
    return 0;
  database->samples = calloc(SAMPLE_LIMIT * (size_t)database->columnCount, sizeof(sqlite3_value *));
  while (sqlite3_step(rows) == SQLITE_ROW) {
    for (int column = 0; column < database->columnCount; column++) {
      const char *name = sqlite3_column_name(rows, column);
      if (strcmp(name, "id") == 0) database->idColumn = column;
      if (strcmp(name, "started_at") == 0) database->timeColumn = column;
      database->samples[database->sampleCount * database->columnCount + column] =
          sqlite3_value_dup(sqlite3_column_value(rows, column));
    }
    database->sampleCount++;
  }
  sqlite3_finalize(rows);
  return database->sampleCount > 0;
}

RawSQLite *raw_sqlite_open(const char *path, const char *model) {
  RawSQLite *database = calloc(1, sizeof *database);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  char *attach = sqlite3_mprintf("ATTACH %Q AS model", model);
  int isOpen = sqlite3_open_v2(path, &database->handle, flags, NULL) == SQLITE_OK
      && execute(
             database,
             "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
             "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;"
             "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON;"
             "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY")
      && execute(database, attach) && copySchema(database) && prepareStatements(database)
      && execute(database, "DETACH model");
  sqlite3_free(attach);
  if (isOpen) return database;
  raw_sqlite_close(database);
  return NULL;
}

/// An id of the same form and order as those of the history.
static void makeID(char id[ID_SIZE], long long number) {
  snprintf(
      id, ID_SIZE, "%08llx-%04llx-7000-8000-%012llx", (number >> 16) + 0x19a00000,
      number & 0xffff, number * 0x9e3779b1 & 0xffffffffffff);
}

static int step(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE;
}

static int insertRow(RawSQLite *database) {
  long long number = database->written++;
  sqlite3_value **sample =
      database->samples + number % database->sampleCount * database->columnCount;
  char id[ID_SIZE];
  makeID(id, number);
  for (int column = 0; column < database->columnCount; column++)
    sqlite3_bind_value(database->insert, column + 1, sample[column]);
  sqlite3_bind_text(database->insert, database->idColumn + 1, id, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64(database->insert, database->timeColumn + 1, 1760000000000 + number * 1000);
  return step(database->insert);
}

double raw_sqlite_insert(RawSQLite *database, int count, int group) {
  double start = now();
  for (int done = 0; done < count; done += group) {
    int isGood = step(database->begin);
    for (int row = 0; isGood && row < group && done + row < count; row++)
      isGood = insertRow(database);
    if (!isGood || !step(database->commit)) return fail(database, "insert") - 1;
  }
  return now() - start;
}

double raw_sqlite_read(RawSQLite *database, int count) {
  if (database->written == 0) return -1;
  double start = now();
  for (int done = 0; done < count; done++) {
    char id[ID_SIZE];
    makeID(id, (done * 7919LL) % database->written);
    sqlite3_bind_text(database->read, 1, id, -1, SQLITE_TRANSIENT);
    if (sqlite3_step(database->read) != SQLITE_ROW) return fail(database, "read") - 1;
    // Whoever reads a row has a copy of it afterwards.
    for (int column = 0; column < database->columnCount; column++)
      sqlite3_value_free(sqlite3_value_dup(sqlite3_column_value(database->read, column)));
    sqlite3_reset(database->read);
  }
  return now() - start;
}

void raw_sqlite_checkpoint(RawSQLite *database) {
  sqlite3_wal_checkpoint_v2(database->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

void raw_sqlite_close(RawSQLite *database) {
  sqlite3_finalize(database->begin);
  sqlite3_finalize(database->insert);
  sqlite3_finalize(database->commit);
  sqlite3_finalize(database->read);
  for (int index = 0; index < database->sampleCount * database->columnCount; index++)
    sqlite3_value_free(database->samples[index]);
  free(database->samples);
  sqlite3_close_v2(database->handle);
  free(database);
}
