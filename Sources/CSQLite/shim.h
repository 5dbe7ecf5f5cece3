// What Swift can't say of SQLite's interface: macros that cast and functions with variable
// arguments.

#ifndef POSTKIT_CSQLITE_SHIM_H
#define POSTKIT_CSQLITE_SHIM_H

// The header hides both unless they are asked for; Debian's library is built with them.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1

#include <sqlite3.h>

/// Binds text that SQLite copies; hides the cast in SQLITE_TRANSIENT.
static inline int postkit_sqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int byteCount) {
  return sqlite3_bind_text(statement, index, text, byteCount, SQLITE_TRANSIENT);
}

/// Binds bytes that SQLite copies; hides the cast in SQLITE_TRANSIENT.
static inline int postkit_sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int byteCount) {
  return sqlite3_bind_blob(statement, index, bytes, byteCount, SQLITE_TRANSIENT);
}

/// Sets one of the on/off options of a connection; hides the variable arguments of
/// sqlite3_db_config.
static inline int postkit_sqlite_configure(sqlite3 *database, int option, int isOn) {
  return sqlite3_db_config(database, option, isOn, (int *)0);
}

#ifdef __linux__
#include <sys/vfs.h>

/// The number of the kind of file system that a path is on, 0 where it isn't known. Swift's module
/// of the C library leaves out statfs.
static inline unsigned int postkit_file_system_magic(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (unsigned int)status.f_type : 0;
}
#endif

#endif
