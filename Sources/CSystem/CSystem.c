// What the system offers to C alone (see CSystem.h).

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CSystem.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#if defined(__linux__)
#include <link.h>
#endif
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <crt_externs.h>
#include <malloc/malloc.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#else
#include <sys/resource.h>
#endif
#if defined(__APPLE__)
#include <pthread/qos.h>
#endif

bool postkit_signal_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

#if defined(O_PATH)
#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#elif defined(O_SEARCH)
#define FOLDER_FLAGS (O_SEARCH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#else
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#endif

/// Opens a folder below `/` with one call, links refused by the kernel; -1 where it can't do that.
static int open_folder_at_once(int root, const char *path) {
#if defined(__linux__) && defined(SYS_openat2)
  // The layout that the kernel has in linux/openat2.h, which older systems lack.
  struct {
    uint64_t flags, mode, resolve;
  } how = {FOLDER_FLAGS, 0, 0x02 | 0x04 | 0x08};  // no magic links, no links, beneath
  return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
#else
  (void)root;
  (void)path;
  errno = ENOSYS;
  return -1;
#endif
}

/// Opens one part of a path, and makes it where it is missing and has a mode.
static int open_part(int folder, const char *name, mode_t mode) {
  int part = openat(folder, name, FOLDER_FLAGS);
  if (part >= 0 || errno != ENOENT || mode == 0) return part;
  // Somebody else may have made it meanwhile.
  if (mkdirat(folder, name, mode) != 0 && errno != EEXIST) return -1;
  return openat(folder, name, FOLDER_FLAGS);
}

int postkit_open_folder(const char *path, unsigned mode, bool by_parts) {
  while (*path == '/') path++;
  int folder = open("/", FOLDER_FLAGS);
  if (folder < 0 || *path == 0) return folder;
  if (!by_parts) {
    int found = open_folder_at_once(folder, path);
    if (found >= 0 || errno == ELOOP || errno == ENOTDIR || errno == EACCES) {
      int reason = errno;
      (void)close(folder);
      errno = reason;
      return found;
    }
  }
  char name[NAME_MAX + 1];
  while (folder >= 0 && *path != 0) {
    size_t length = strcspn(path, "/");
    int next = -1;
    if (length > NAME_MAX) {
      errno = ENAMETOOLONG;
    } else {
      memcpy(name, path, length);
      name[length] = 0;
      next = open_part(folder, name, (mode_t)mode);
    }
    int reason = errno;
    (void)close(folder);
    errno = reason;
    folder = next;
    path += length;
    while (*path == '/') path++;
  }
  return folder;
}

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

void postkit_library_find_optional(void *library, const char *name, void *entry) {
  *(void **)entry = dlsym(library, name);
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

#if defined(__linux__)
/// Whether the loader writes into the code of an object, whose pages are then its own.
static bool has_text_relocations(const struct dl_phdr_info *object) {
  for (int at = 0; at < object->dlpi_phnum; at++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[at];
    if (part->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + part->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return true;
      if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0) return true;
    }
  }
  return false;
}

static int let_go(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  const uintptr_t page = *(const uintptr_t *)data;
  if (has_text_relocations(object)) return 0;
  for (int at = 0; at < object->dlpi_phnum; at++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[at];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) continue;
    // The pages at the ends may hold the beginning of another part.
    const uintptr_t start = (object->dlpi_addr + part->p_vaddr + page - 1) & ~(page - 1);
    const uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz) & ~(page - 1);
    // What the kernel keeps, such as its own code for reading the clock, stays as it is.
    if (start < end) (void)madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}
#endif

void postkit_code_let_go(void) {
#if defined(__linux__)
  // A debugger's breakpoints are written into the code.
  FILE *status = fopen("/proc/self/status", "re");
  if (status == NULL) return;
  char line[128];
  bool is_traced = true;
  while (fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "TracerPid:", 10) == 0) is_traced = strtol(line + 10, NULL, 10) != 0;
  }
  (void)fclose(status);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  if (!is_traced) (void)dl_iterate_phdr(let_go, &page);
#endif
}

static _Thread_local enum postkit_pace thread_pace = POSTKIT_PACE_ORDINARY;

enum postkit_pace postkit_thread_pace(void) { return thread_pace; }

#if defined(__linux__) && defined(SYS_sched_setattr)
/// The first version of what the kernel calls `sched_attr`.
struct attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};

static void pass_on(enum postkit_pace pace) {
  // `chrt` may have chosen for all of the program; its first thread is never given a pace.
  if (sched_getscheduler(getpid()) != SCHED_OTHER) return;
  struct attributes now;
  if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0) return;
  now.size = sizeof now;
  now.policy = pace == POSTKIT_PACE_UNURGENT ? SCHED_BATCH : SCHED_OTHER;
  // The shortest slice there is: such a thread takes the core from those with longer ones. Kernels
  // before 6.12 take no notice.
  now.runtime = pace == POSTKIT_PACE_URGENT ? 100000 : 0;
  (void)syscall(SYS_sched_setattr, 0, &now, 0);
}
#elif defined(__APPLE__)
static void pass_on(enum postkit_pace pace) {
  const qos_class_t class = pace == POSTKIT_PACE_UNURGENT ? QOS_CLASS_UTILITY
                            : pace == POSTKIT_PACE_URGENT ? QOS_CLASS_USER_INTERACTIVE
                                                          : QOS_CLASS_DEFAULT;
  (void)pthread_set_qos_class_self_np(class, 0);
}
#else
static void pass_on(enum postkit_pace pace) { (void)pace; }
#endif

void postkit_thread_set_pace(enum postkit_pace pace) {
  thread_pace = pace;
  pass_on(pace);
}
