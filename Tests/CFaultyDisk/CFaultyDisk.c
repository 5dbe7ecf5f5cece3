// SQLite's VFS of the system with faults; see the header.

#include "CFaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct postkit_faults {
  char *directory;
  int kinds;
  long at;
  bool is_lasting;
  bool is_full;
  bool shares_nothing;
  long count;
  bool has_struck;
  struct postkit_faults *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static postkit_faults *all;
static sqlite3_vfs *system_vfs;
static sqlite3_vfs faulty_vfs;

/// A file below a watched directory; the system's own follows it in memory.
typedef struct {
  sqlite3_file base;
  postkit_faults *faults;
  sqlite3_file *real;
} faulty_file;

static sqlite3_file *real(sqlite3_file *file) { return ((faulty_file *)file)->real; }

/// Counts an operation and tells whether it is to fail, and how.
static bool strikes(postkit_faults *faults, int kind, bool *is_full) {
  pthread_mutex_lock(&lock);
  bool does = false;
  if (faults->kinds & kind) {
    faults->count++;
    does = faults->at > 0 &&
        (faults->count == faults->at || (faults->is_lasting && faults->count > faults->at));
    faults->has_struck = faults->has_struck || does;
  }
  *is_full = faults->is_full;
  pthread_mutex_unlock(&lock);
  return does;
}

static bool fails(sqlite3_file *file, int kind) {
  bool is_full;
  return strikes(((faulty_file *)file)->faults, kind, &is_full);
}

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (fails(file, POSTKIT_FAULT_READ)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  bool is_full;
  if (!strikes(((faulty_file *)file)->faults, POSTKIT_FAULT_WRITE, &is_full))
    return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
  real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
  return is_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  if (fails(file, POSTKIT_FAULT_WRITE)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
  if (fails(file, POSTKIT_FAULT_SYNC)) return SQLITE_IOERR_FSYNC;
  return real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int unlock_file(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int check_reserved_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int share_memory(sqlite3_file *file, int page, int size, int extends, void volatile **at) {
  if (fails(file, POSTKIT_FAULT_SHARE)) return SQLITE_IOERR_SHMMAP;
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, at);
}

static int lock_memory(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void order_memory(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int unshare_memory(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods sharing = {
    2, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file,
    unlock_file, check_reserved_lock, file_control, sector_size, characteristics, share_memory,
    lock_memory, order_memory, unshare_memory, 0, 0,
};

static const sqlite3_io_methods sharing_nothing = {
    1, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file,
    unlock_file, check_reserved_lock, file_control, sector_size, characteristics, 0, 0, 0, 0, 0, 0,
};

static postkit_faults *watching(const char *path) {
  if (!path) return 0;
  pthread_mutex_lock(&lock);
  postkit_faults *found = all;
  while (found) {
    size_t length = strlen(found->directory);
    if (strncmp(path, found->directory, length) == 0 && path[length] == '/') break;
    found = found->next;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static int open_file(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  postkit_faults *faults = watching(path);
  if (!faults) return system_vfs->xOpen(system_vfs, path, file, flags, opened);
  file->pMethods = 0;
  bool is_full;
  if (strikes(faults, POSTKIT_FAULT_OPEN, &is_full)) return SQLITE_CANTOPEN;
  faulty_file *mine = (faulty_file *)file;
  mine->faults = faults;
  mine->real = (sqlite3_file *)(mine + 1);
  int code = system_vfs->xOpen(system_vfs, path, mine->real, flags, opened);
  if (code == SQLITE_OK)
    file->pMethods = faults->shares_nothing ? &sharing_nothing : &sharing;
  return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs) {
  postkit_faults *faults = watching(path);
  bool is_full;
  if (faults && strikes(faults, POSTKIT_FAULT_DELETE, &is_full)) return SQLITE_IOERR_DELETE;
  return system_vfs->xDelete(system_vfs, path, syncs);
}

static void install(void) {
  system_vfs = sqlite3_vfs_find(0);
  faulty_vfs = *system_vfs;
  faulty_vfs.zName = "faulty";
  faulty_vfs.szOsFile = (int)sizeof(faulty_file) + system_vfs->szOsFile;
  faulty_vfs.xOpen = open_file;
  faulty_vfs.xDelete = delete_file;
  sqlite3_vfs_register(&faulty_vfs, 1);
}

postkit_faults *postkit_faults_make(const char *directory) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  postkit_faults *faults = calloc(1, sizeof(postkit_faults));
  faults->directory = strdup(directory);
  pthread_mutex_lock(&lock);
  faults->next = all;
  all = faults;
  pthread_mutex_unlock(&lock);
  return faults;
}

void postkit_faults_set(
    postkit_faults *faults, int kinds, long at, bool is_lasting, bool is_full) {
  pthread_mutex_lock(&lock);
  faults->kinds = kinds;
  faults->at = at;
  faults->is_lasting = is_lasting;
  faults->is_full = is_full;
  faults->count = 0;
  faults->has_struck = false;
  pthread_mutex_unlock(&lock);
}

long postkit_faults_count(postkit_faults *faults) {
  pthread_mutex_lock(&lock);
  long count = faults->count;
  pthread_mutex_unlock(&lock);
  return count;
}

bool postkit_faults_have_struck(postkit_faults *faults) {
  pthread_mutex_lock(&lock);
  bool has_struck = faults->has_struck;
  pthread_mutex_unlock(&lock);
  return has_struck;
}

void postkit_faults_share_nothing(postkit_faults *faults) {
  pthread_mutex_lock(&lock);
  faults->shares_nothing = true;
  pthread_mutex_unlock(&lock);
}
