// Ctrl-C ends a run in order: the request is cancelled, the history written, the exit code 130.

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
  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }

  /// Keeps the signals for `watch`. Must be called on the first thread before others are started,
  /// so that all inherit it: a signal goes to any thread that does not block it.
  static func block() {
    var signals = signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls the closure at the first signal; at the second the process ends at once.
  static func watch(_ onInterrupt: @escaping @Sendable () -> Void) {
    _ = SystemThread.start {
      var signals = Interrupts.signals
      var number: Int32 = 0
      if sigwait(&signals, &number) == 0 { onInterrupt() }
      if sigwait(&signals, &number) == 0 { _exit(130) }
    }
  }
}
