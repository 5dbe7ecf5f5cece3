// Ctrl-C ends a run in order: the request is cancelled, the history is written, the exit code is 130.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import PostKitSupport

/// Waits for SIGINT and SIGTERM on a thread of its own.
enum Interrupts {
  /// Calls the closure at the first signal; at the second the process ends at once. Must be called
  /// before other threads are started, so that they inherit the blocked signals.
  static func watch(_ onInterrupt: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let awaited = signals
    _ = SystemThread.start {
      var signals = awaited
      var number: Int32 = 0
      if sigwait(&signals, &number) == 0 { onInterrupt() }
      if sigwait(&signals, &number) == 0 { _exit(130) }
    }
  }
}
