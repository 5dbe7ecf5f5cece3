// What a confined process tries, for the tests of the cage.

#ifndef POSTKIT_CPROBE_H
#define POSTKIT_CPROBE_H

/// How many things there are to try; 0 where the system has none.
int postkit_probe_count(void);
/// The name of one of them.
const char *_Nullable postkit_probe_name(int index);
/// Tries it: 0 where that succeeded, else the error of the system. What succeeds is undone.
int postkit_probe_try(int index);

#endif
