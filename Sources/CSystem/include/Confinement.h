// Keeps the script engine from everything but computing (SC-60).

#ifndef POSTKIT_CONFINEMENT_H
#define POSTKIT_CONFINEMENT_H

#include <stdbool.h>

/// Makes the process end with the one that started it, which must be `parent`; `false` where that
/// one has ended already.
bool postkit_end_with_parent(int parent);

/// Closes all descriptors from `first` on.
void postkit_close_from(int first);

/// Ends the process at once when nobody can write to a descriptor any more, whatever its threads
/// do; `false` where no thread could be started.
bool postkit_end_at_hang_up(int descriptor);

/// From now on all threads of the process can read, write and close what is open, use memory that
/// is not executable, and wait; whatever else they ask of the system fails with `EPERM`. Answers 0,
/// else an error of the system, and the process is as free as before.
int postkit_confine(void);

/// Whether a confined process is kept from a socket, a file, a program, another process and
/// executable memory. What is tried leaves nothing where it succeeds.
bool postkit_confinement_holds(void);

#endif
