// Tries what the cage must refuse, by the system's own numbers, past the C library.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CProbe.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct probe {
  const char *name;
  long number;
  long arguments[6];
};

static char nothing[512];
static const char *const no_words[] = {0};

// What clone3 reads: the flags, three addresses, and the signal at the end.
static const uint64_t process[8] = {0, 0, 0, 0, SIGCHLD};
static const uint64_t thread[8] = {CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, 0, 0, 0, 0};
static const uint64_t namespace[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};

#define TEXT(text) (long)(intptr_t)(text)
#define PLACE TEXT(nothing)
#define HERE AT_FDCWD

// Whatever is reached by a number that is one too many is named, too: a list of what is allowed
// doesn't depend on this one being complete.
static const struct probe probes[] = {
    {"socket (internet)", SYS_socket, {2, 1, 0}},
    {"socket (unix)", SYS_socket, {1, 1, 0}},
    {"socketpair", SYS_socketpair, {1, 1, 0, PLACE}},
    {"connect", SYS_connect, {0, PLACE, 16}},
    {"bind", SYS_bind, {0, PLACE, 16}},
    {"sendto", SYS_sendto, {1, PLACE, 1, 0, 0, 0}},
    {"sendmsg", SYS_sendmsg, {1, PLACE, 0}},
    {"recvmsg", SYS_recvmsg, {0, PLACE, 0}},
    {"openat to read", SYS_openat, {HERE, TEXT("/etc/passwd"), O_RDONLY}},
    {"openat to write", SYS_openat, {HERE, TEXT("/tmp/postkit-probe"), O_WRONLY | O_CREAT, 0600}},
    {"openat of itself", SYS_openat, {HERE, TEXT("/proc/self/mem"), O_RDWR}},
    {"openat2", SYS_openat2, {HERE, TEXT("/etc/passwd"), PLACE, 24}},
    {"name_to_handle_at", SYS_name_to_handle_at, {HERE, TEXT("/"), PLACE, PLACE, 0}},
    {"newfstatat", SYS_newfstatat, {HERE, TEXT("/"), PLACE, 0}},
    {"statx", SYS_statx, {HERE, TEXT("/"), 0, 0, PLACE}},
    {"readlinkat", SYS_readlinkat, {HERE, TEXT("/proc/self/exe"), PLACE, 8}},
    {"faccessat", SYS_faccessat, {HERE, TEXT("/"), 0}},
    {"getdents64", SYS_getdents64, {0, PLACE, 64}},
    {"getcwd", SYS_getcwd, {PLACE, 64}},
    {"chdir", SYS_chdir, {TEXT("/")}},
    {"chroot", SYS_chroot, {TEXT("/")}},
    {"mkdirat", SYS_mkdirat, {HERE, TEXT("/tmp/postkit-probe"), 0700}},
    {"unlinkat", SYS_unlinkat, {HERE, TEXT("/tmp/postkit-probe"), 0}},
    {"renameat2", SYS_renameat2, {HERE, TEXT("/a"), HERE, TEXT("/b"), 0}},
    {"linkat", SYS_linkat, {HERE, TEXT("/a"), HERE, TEXT("/b"), 0}},
    {"symlinkat", SYS_symlinkat, {TEXT("/a"), HERE, TEXT("/tmp/postkit-probe")}},
    {"fchmodat", SYS_fchmodat, {HERE, TEXT("/tmp"), 0777}},
    {"truncate", SYS_truncate, {TEXT("/tmp/postkit-probe"), 0}},
    {"ftruncate", SYS_ftruncate, {2, 0}},
    {"mount", SYS_mount, {TEXT("/"), TEXT("/"), 0, 0, 0}},
    {"inotify_init1", SYS_inotify_init1, {0}},
    {"execve", SYS_execve, {TEXT("/bin/true"), TEXT(no_words), TEXT(no_words)}},
    {"execveat", SYS_execveat, {HERE, TEXT("/bin/true"), TEXT(no_words), TEXT(no_words), 0}},
    {"clone of a process", SYS_clone, {SIGCHLD}},
    {"clone with the parent's memory", SYS_clone, {SIGCHLD | CLONE_PARENT}},
    {"clone into a namespace", SYS_clone, {SIGCHLD | CLONE_NEWUSER}},
#if defined(SYS_clone3)
    {"clone3 of a process", SYS_clone3, {TEXT(process), sizeof process}},
    {"clone3 of a thread", SYS_clone3, {TEXT(thread), sizeof thread}},
    {"clone3 into a namespace", SYS_clone3, {TEXT(namespace), sizeof namespace}},
#endif
    {"unshare", SYS_unshare, {CLONE_NEWUSER}},
    {"setns", SYS_setns, {0, 0}},
    {"kill of the parent", SYS_kill, {1, 0}},
    {"kill of all", SYS_kill, {-1, 0}},
    {"tgkill of another process", SYS_tgkill, {1, 1, 0}},
    {"tkill", SYS_tkill, {1, 0}},
    {"pidfd_open", SYS_pidfd_open, {1, 0}},
    {"ptrace", SYS_ptrace, {PTRACE_ATTACH, 1, 0, 0}},
    {"process_vm_readv", SYS_process_vm_readv, {1, PLACE, 1, PLACE, 1, 0}},
    {"process_vm_writev", SYS_process_vm_writev, {1, PLACE, 1, PLACE, 1, 0}},
    {"mmap of code", SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1}},
    {"mprotect to code", SYS_mprotect, {0, 0, PROT_READ | PROT_EXEC}},
    {"pkey_mprotect", SYS_pkey_mprotect, {0, 0, PROT_READ | PROT_EXEC, -1}},
    {"memfd_create", SYS_memfd_create, {TEXT("a"), 0}},
    {"shmget", SYS_shmget, {0, 4096, 0600}},
    {"msgget", SYS_msgget, {0, 0600}},
    {"semget", SYS_semget, {0, 1, 0600}},
    {"keyctl", SYS_keyctl, {0, 0, 0}},
    {"add_key", SYS_add_key, {TEXT("user"), TEXT("a"), PLACE, 1, -1}},
    {"io_uring_setup", SYS_io_uring_setup, {1, PLACE}},
    {"io_uring_enter", SYS_io_uring_enter, {0, 1, 0, 0, 0, 0}},
    {"io_uring_register", SYS_io_uring_register, {0, 0, PLACE, 1}},
    {"bpf", SYS_bpf, {0, PLACE, 64}},
    {"perf_event_open", SYS_perf_event_open, {PLACE, 0, -1, -1, 0}},
    {"userfaultfd", SYS_userfaultfd, {0}},
    {"seccomp", SYS_seccomp, {0, 0, 0}},
    {"prctl of the filter", SYS_prctl, {PR_SET_SECCOMP, 2, PLACE}},
    {"prctl to be dumped", SYS_prctl, {PR_SET_DUMPABLE, 1}},
    {"prctl to live on", SYS_prctl, {PR_SET_PDEATHSIG, 0}},
    {"fcntl to send signals", SYS_fcntl, {0, F_SETOWN, 1}},
    {"ioctl", SYS_ioctl, {0, 0x5412, PLACE}},
    {"setuid", SYS_setuid, {0}},
    {"setpriority", SYS_setpriority, {0, 0, 0}},
    {"sched_setscheduler", SYS_sched_setscheduler, {0, 0, PLACE}},
    {"prlimit64", SYS_prlimit64, {0, 1, 0, PLACE}},
    {"setsid", SYS_setsid, {0}},
    {"syslog", SYS_syslog, {3, PLACE, 8}},
    {"reboot", SYS_reboot, {0, 0, 0, 0}},
    {"a number of the future", 1000, {0}},
#if defined(__x86_64__)
    {"open, as of old", SYS_open, {TEXT("/etc/passwd"), O_RDONLY}},
    {"stat, as of old", SYS_stat, {TEXT("/"), PLACE}},
    {"fork, as of old", SYS_fork, {0}},
    {"vfork, as of old", SYS_vfork, {0}},
    {"a read in the form of x32", 0x40000000 + SYS_read, {0, PLACE, 0}},
    {"a socket in the form of x32", 0x40000000 + SYS_socket, {1, 1, 0}},
#endif
};

int postkit_probe_count(void) { return (int)(sizeof probes / sizeof *probes); }

const char *postkit_probe_name(int index) {
  return index >= 0 && index < postkit_probe_count() ? probes[index].name : 0;
}

int postkit_probe_try(int index) {
  if (index < 0 || index >= postkit_probe_count()) return -1;
  const struct probe *probe = &probes[index];
  const long *a = probe->arguments;
  long result = syscall(probe->number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result == -1) return errno;
  int forks = probe->number == SYS_clone;
#if defined(__x86_64__)
  forks = forks || probe->number == SYS_fork || probe->number == SYS_vfork;
#endif
#if defined(SYS_clone3)
  forks = forks || probe->number == SYS_clone3;
#endif
  if (forks && result == 0) _exit(0);
  if (forks) (void)waitpid((pid_t)result, 0, 0);
  return 0;
}

#else

int postkit_probe_count(void) { return 0; }
const char *postkit_probe_name(int index) { return 0; }
int postkit_probe_try(int index) { return -1; }

#endif
