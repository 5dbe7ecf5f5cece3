// Confines a process by a filter of system calls (see Confinement.h).

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "Confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

bool postkit_end_with_parent(int parent) {
#if defined(__linux__)
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
  return getppid() == parent;
}

void postkit_close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
#endif
  struct rlimit limit;
  int end = 1024;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536) end = (int)limit.rlim_cur;
  for (int descriptor = first; descriptor < end; descriptor++) (void)close(descriptor);
}

static void *wait_for_hang_up(void *data) {
  struct pollfd wait = {.fd = (int)(intptr_t)data, .events = 0};
  // Without events only the end of the other side is told.
  while (poll(&wait, 1, -1) < 0 && errno == EINTR) continue;
  _exit(0);
}

bool postkit_end_at_hang_up(int descriptor) {
  pthread_t thread;
  pthread_attr_t attributes;
  (void)pthread_attr_init(&attributes);
  (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  (void)pthread_attr_setstacksize(&attributes, 128 << 10);
  int code = pthread_create(&thread, &attributes, wait_for_hang_up, (void *)(intptr_t)descriptor);
  (void)pthread_attr_destroy(&attributes);
  return code == 0;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && defined(SYS_seccomp)

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// What is always allowed. The two architectures differ in old calls that arm64 never had.
static const int allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_close, SYS_lseek, SYS_fstat, SYS_pread64,
    SYS_munmap, SYS_madvise, SYS_mremap, SYS_brk, SYS_futex, SYS_ppoll, SYS_clock_gettime,
    SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getpid, SYS_gettid,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_sigaltstack,
    SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getattr, SYS_exit, SYS_exit_group,
    SYS_getrandom, SYS_restart_syscall, SYS_set_robust_list, SYS_membarrier, SYS_getrusage,
    SYS_sysinfo, SYS_eventfd2, SYS_pipe2, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
    SYS_uname, SYS_getcpu,
#if defined(SYS_rseq)
    SYS_rseq,
#endif
#if defined(__x86_64__)
    SYS_poll, SYS_epoll_wait,
#endif
};

enum { allowed_count = sizeof allowed / sizeof *allowed, capacity = 2 * allowed_count + 80 };

/// A filter that is being put together.
struct filter {
  struct sock_filter parts[capacity];
  unsigned short count;
};

static void add(struct filter *filter, struct sock_filter part) {
  if (filter->count < capacity) filter->parts[filter->count++] = part;
}

static void load(struct filter *filter, size_t offset) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void answer(struct filter *filter, unsigned value) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, value));
}

/// Leaves out the next `count` parts unless the value that was loaded is that one.
static void unless_equal_skip(struct filter *filter, unsigned value, unsigned char count) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
}

static void always(struct filter *filter, int call) {
  unless_equal_skip(filter, (unsigned)call, 1);
  answer(filter, SECCOMP_RET_ALLOW);
}

static size_t argument(unsigned index) {
  // Its lower half; both architectures have the least significant byte first.
  return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
}

/// Allows a call whose argument has all or none of some bits, and refuses it otherwise.
static void by_bits(
    struct filter *filter, int call, unsigned index, unsigned bits, bool needs_them) {
  unless_equal_skip(filter, (unsigned)call, 4);
  load(filter, argument(index));
  add(filter, (struct sock_filter)BPF_JUMP(
                  BPF_JMP | BPF_JSET | BPF_K, bits, needs_them ? 0 : 1, needs_them ? 1 : 0));
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

/// Allows a call whose argument is one of some values, and refuses it otherwise.
static void by_values(
    struct filter *filter, int call, unsigned index, const unsigned *values, unsigned count) {
  unless_equal_skip(filter, (unsigned)call, (unsigned char)(2 * count + 2));
  load(filter, argument(index));
  for (unsigned at = 0; at < count; at++) {
    unless_equal_skip(filter, values[at], 1);
    answer(filter, SECCOMP_RET_ALLOW);
  }
  answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

static void build(struct filter *filter) {
  load(filter, offsetof(struct seccomp_data, arch));
  // A call in the form of another architecture has other numbers: nothing of ours makes one.
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  answer(filter, SECCOMP_RET_KILL_PROCESS);
  load(filter, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  // The calls of x32 have this bit and would go by all numbers below.
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  answer(filter, SECCOMP_RET_ERRNO | EPERM);
#endif
  for (unsigned at = 0; at < allowed_count; at++) always(filter, allowed[at]);
  by_bits(filter, SYS_mmap, 2, PROT_EXEC, false);
  by_bits(filter, SYS_mprotect, 2, PROT_EXEC, false);
  // Threads, but no processes.
  by_bits(filter, SYS_clone, 0, CLONE_THREAD, true);
  // Its flags lie in memory, where a filter can't look; the C library uses `clone` instead.
#if defined(SYS_clone3)
  unless_equal_skip(filter, SYS_clone3, 1);
  answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
#endif
  const unsigned own[] = {(unsigned)getpid()};
  by_values(filter, SYS_tgkill, 0, own, 1);
  const unsigned controls[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL};
  by_values(filter, SYS_fcntl, 1, controls, 4);
  const unsigned names[] = {PR_SET_NAME, PR_GET_NAME, 0x53564d41};  // names of threads and memory
  by_values(filter, SYS_prctl, 0, names, 3);
  answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

int postkit_confine(void) {
  static struct filter filter;
  filter.count = 0;
  build(&filter);
  if (filter.count >= capacity) return ENOSPC;
  // A write to a file that has its limit would end the process.
  (void)signal(SIGXFSZ, SIG_IGN);
  (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  const struct sock_fprog program = {.len = filter.count, .filter = filter.parts};
  // All threads at once, those of the engine among them.
  long code = syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return code == 0 ? 0 : code > 0 ? EAGAIN : errno;
}

/// Whether a call failed as a confined process has it fail.
static bool is_refused(long result) { return result == -1 && errno == EPERM; }

bool postkit_confinement_holds(void) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  bool holds = is_refused(descriptor);
  if (descriptor >= 0) (void)close(descriptor);
  descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  holds = holds && is_refused(descriptor);
  if (descriptor >= 0) (void)close(descriptor);
  char *const words[] = {NULL};
  // An empty name, so that nothing is started where it is allowed.
  holds = holds && is_refused(execve("", words, words));
  pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  holds = holds && is_refused(child);
  if (child > 0) (void)waitpid(child, NULL, 0);
  void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  holds = holds && code == MAP_FAILED && errno == EPERM;
  if (code != MAP_FAILED) (void)munmap(code, 4096);
  return holds;
}

#else

int postkit_confine(void) {
#if !defined(__linux__)
  (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#endif
  return ENOSYS;
}

bool postkit_confinement_holds(void) { return false; }

#endif
