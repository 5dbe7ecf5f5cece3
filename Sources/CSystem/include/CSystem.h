// What the system offers to C alone.

#ifndef POSTKIT_CSYSTEM_H
#define POSTKIT_CSYSTEM_H

#include "Confinement.h"

#include <stdbool.h>
#include <stddef.h>

/// Makes a pipe whose ends no child process inherits: the reading end, then the writing one.
bool postkit_pipe(int ends[_Nonnull 2]);

/// Opens a folder by an absolute path of which no part may be a symbolic link, so that it is the
/// one that was looked at, whoever changes links meanwhile. Parts that are missing are made with
/// `mode`, unless that is 0. Answers a descriptor that no child inherits and that serves to work in
/// the folder, or -1 with `errno` set: `ELOOP` or `ENOTDIR` where a part is a link. With `by_parts`
/// the path is opened part by part, as where the kernel has no `openat2`.
int postkit_open_folder(const char *_Nonnull path, unsigned mode, bool by_parts);

/// How many words the program was started with, its name included; 0 where the C library doesn't
/// hand them over.
int postkit_argument_count(void);
/// One of these words.
const char *_Nullable postkit_argument(int index);

/// Whether the program was started so that a signal does nothing, as by `nohup`.
bool postkit_signal_is_ignored(int number);

/// Opens a library, whose functions are looked up in it alone and bound when they are first called;
/// null where that fails, with the reason in `message`, which has room for `capacity` bytes.
void *_Nullable postkit_library_open(
    const char *_Nonnull name, char *_Nonnull message, size_t capacity);
/// Stores the address of a function at `entry`. Where the library has none of that name it is
/// closed, `message` says so, and the answer is `false`.
bool postkit_library_find(
    void *_Nonnull library, const char *_Nonnull name, void *_Nonnull entry,
    char *_Nonnull message, size_t capacity);
/// Stores the address of a function at `entry`, null where the library has none of that name.
void postkit_library_find_optional(
    void *_Nonnull library, const char *_Nonnull name, void *_Nonnull entry);

/// Keeps what is in memory out of everything that a crash leaves: no core file is written, and no
/// program is started that prints registers.
void postkit_keep_crashes_silent(void);

/// Gives pages of the heap on which nothing lies back to the system, where at least so many bytes
/// of it are free; does nothing where the C library can't.
void postkit_heap_give_back(size_t least);

/// Lets go of the pages of the program and of its libraries that nobody can have written to. They
/// stay in the system's cache of files, so what is used again is mapped again without being read.
/// Does nothing where the loader can't tell of them.
void postkit_code_let_go(void);

/// How a thread stands to others that want to run on the same core.
enum postkit_pace {
  /// Threads that are woken go before it.
  POSTKIT_PACE_UNURGENT,
  POSTKIT_PACE_ORDINARY,
  /// It goes before those that run when it is woken, and wants the core for a moment alone.
  POSTKIT_PACE_URGENT
};

/// Gives the calling thread a pace. Does nothing where the system has none, refuses it, or was told
/// to run all of the program in another way.
void postkit_thread_set_pace(enum postkit_pace pace);
/// The pace that the calling thread was given.
enum postkit_pace postkit_thread_pace(void);

#endif
