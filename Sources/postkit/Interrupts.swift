// Ctrl-C, or the end of the terminal, ends a run or an import in order: what is under way is
// cancelled, the exit code is 130.

import Libc
import PostKitSupport
import Synchronization

/// Waits for SIGINT, SIGTERM and SIGHUP on the first thread, which has nothing else to do.
enum Interrupts {
  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    // Under `nohup` the end of the terminal ends nothing; a signal that is waited for would arrive
    // although it is ignored.
    if !IgnoredSignals.contains(SIGHUP) { sigaddset(&signals, SIGHUP) }
    return signals
  }

  /// Keeps the signals for `watch`. Must be called on the first thread before others are started,
  /// so that all inherit it: a signal goes to any thread that does not block it.
  static func block() {
    var signals = signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// From now on the first signal calls the closure; at the second the process ends at once.
  static func watch(_ onInterrupt: @escaping @Sendable () -> Void) {
    action.withLock { $0 = onInterrupt }
  }

  /// Waits for signals on the first thread and never returns. Before there is something to end in
  /// order, a signal ends the process.
  static func wait() -> Never {
    var signals = signals
    var number: Int32 = 0
    var isFirst = true
    while true {
      guard sigwait(&signals, &number) == 0 else { continue }
      guard isFirst, let action = action.withLock({ $0 }) else { _exit(130) }
      isFirst = false
      action()
    }
  }
}
