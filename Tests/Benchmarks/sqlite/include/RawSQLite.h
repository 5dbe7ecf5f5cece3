// The same rows through SQLite alone, as a C program would write and read them.

#ifndef RAW_SQLITE_H
#define RAW_SQLITE_H

/// A database with the schema of a history and rows of that history to write again.
typedef struct RawSQLite RawSQLite;

/// Makes a new database at `path` with the schema and the settings of the history at `model`, and
/// takes its newest rows as samples. NULL where that fails; the reason goes to standard error.
RawSQLite *raw_sqlite_open(const char *path, const char *model);

/// Inserts `count` rows, `group` of them in each transaction. Answers the seconds that took, or a
/// negative number where it failed.
double raw_sqlite_insert(RawSQLite *database, int count, int group);

/// Reads `count` rows by the ids of rows that were inserted, with all their columns. Answers the
/// seconds that took, or a negative number where it failed.
double raw_sqlite_read(RawSQLite *database, int count);

/// Copies the log into the database, which is no part of what is measured.
void raw_sqlite_checkpoint(RawSQLite *database);

/// Closes the database.
void raw_sqlite_close(RawSQLite *database);

#endif
