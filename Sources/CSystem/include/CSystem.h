// What the system offers to C alone.

#ifndef POSTKIT_CSYSTEM_H
#define POSTKIT_CSYSTEM_H

#include <stdbool.h>

/// Makes a pipe whose ends no child process inherits: the reading end, then the writing one.
bool postkit_pipe(int ends[_Nonnull 2]);

/// How many words the program was started with, its name included; 0 where the C library doesn't
/// hand them over.
int postkit_argument_count(void);
/// One of these words.
const char *_Nullable postkit_argument(int index);

/// Keeps what is in memory out of everything that a crash leaves: no core file is written, and no
/// program is started that prints registers.
void postkit_keep_crashes_silent(void);

#endif
