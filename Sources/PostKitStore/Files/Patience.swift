// How long the store waits for others: short steps, because a commit takes microseconds.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The steps in which the store waits for a lock: 100 us twenty times, then 1 ms, 5 s in all.
/// SQLite's own ladder sleeps so long that one of two writers starves.
enum Patience {
  /// Waits one step; `false` when the patience is used up.
  static func pause(attempt: Int) -> Bool {
    guard attempt < shortSteps + longSteps else { return false }
    usleep(attempt < shortSteps ? 100 : 1_000)
    return true
  }

  private static let shortSteps = 20
  /// A step of 1 ms takes about 1.06 ms with the scheduler's share.
  private static let longSteps = 4_700
}
