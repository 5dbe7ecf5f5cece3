// What tells the thread sanitizer of a `Mutex` that somebody waits for. Its quick way is compiled
// into the program, with the sanitizer; its slow way lies in Swift's library, which is not, so that
// each use after a wait would be called a race. Loaded before the library, these take its place and
// call it. So nothing has to be suppressed, and a race within `withLock` is found as any other.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Waits until the lock is free, and takes it.
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
  ((SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

// Gives the lock to one that waits.
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
