// What the system offers to C alone (see CSystem.h).

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CSystem.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <crt_externs.h>
#include <malloc/malloc.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
#else
#include <sys/resource.h>
#endif

bool postkit_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC) == 0;
#else
  if (pipe(ends) != 0) return false;
  for (int end = 0; end < 2; end++) (void)fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

#if defined(__APPLE__)
int postkit_argument_count(void) { return *_NSGetArgc(); }

const char *postkit_argument(int index) { return (*_NSGetArgv())[index]; }
#else
static int argument_count = 0;
static char **arguments = NULL;

#if defined(__GLIBC__)
// The C library hands the arguments to constructors; only glibc promises that.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
}
#endif

int postkit_argument_count(void) { return argument_count; }

const char *postkit_argument(int index) { return arguments[index]; }
#endif

void *postkit_library_open(const char *name, char *message, size_t capacity) {
  // Lazily: libcurl brings 33 libraries, of which one request uses few functions.
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    snprintf(message, capacity, "%s", reason != NULL ? reason : name);
  }
  return library;
}

bool postkit_library_find(
    void *library, const char *name, void *entry, char *message, size_t capacity) {
  // ISO C has no cast from an object pointer to a function pointer; POSIX defines this way.
  *(void **)entry = dlsym(library, name);
  if (*(void **)entry != NULL) return true;
  snprintf(message, capacity, "it has no function %s", name);
  dlclose(library);
  return false;
}

void postkit_keep_crashes_silent(void) {
#if defined(__linux__)
  // A limit of 0 would not do: a core that goes to another program is not held to it.
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
  (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#endif
  // The handlers of Swift's runtime, if it was told to have any (SWIFT_BACKTRACE). What a shell
  // had ignored stays so, such as SIGQUIT of a program in the background.
  static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (size_t at = 0; at < sizeof crashes / sizeof *crashes; at += 1) {
    struct sigaction now;
    if (sigaction(crashes[at], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
      (void)signal(crashes[at], SIG_DFL);
    }
  }
}

void postkit_heap_give_back(size_t least) {
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
  if (mallinfo2().fordblks < least) return;
#endif
  (void)malloc_trim(0);
#elif defined(__APPLE__)
  (void)least;
  (void)malloc_zone_pressure_relief(NULL, 0);
#else
  (void)least;
#endif
}
