// A disk that fails when it is told to: SQLite's own way to files, with faults for the files below
// a directory. Only tests have it.

#ifndef POSTKIT_CFAULTYDISK_H
#define POSTKIT_CFAULTYDISK_H

#include <stdbool.h>

/// Faults of the files below one directory.
typedef struct postkit_faults postkit_faults;

/// What an operation does; a set of them is a sum.
enum {
  POSTKIT_FAULT_READ = 1,
  POSTKIT_FAULT_WRITE = 2,
  POSTKIT_FAULT_SYNC = 4,
  POSTKIT_FAULT_OPEN = 8,
  POSTKIT_FAULT_SHARE = 16,
  POSTKIT_FAULT_DELETE = 32,
};

/// Watches over a directory from now on; files that are open already are left alone. The faults
/// live as long as the process.
postkit_faults *postkit_faults_make(const char *directory);

/// Lets the operation number `at` of these kinds fail, counted from 1 and from now; with
/// `is_lasting` all that follow, too. `is_full` says that the disk is full, else it is broken. A
/// write that fails has written the half of its bytes. With 0 nothing fails.
void postkit_faults_set(
    postkit_faults *faults, int kinds, long at, bool is_lasting, bool is_full);

/// How many operations of these kinds there were since then.
long postkit_faults_count(postkit_faults *faults);

/// Whether one of them has failed.
bool postkit_faults_have_struck(postkit_faults *faults);

/// Lets files that are opened from now on share no memory, as on a network file system.
void postkit_faults_share_nothing(postkit_faults *faults);

#endif
