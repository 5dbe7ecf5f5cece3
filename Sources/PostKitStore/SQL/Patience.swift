// How long the store waits for others: short steps, because a commit takes microseconds.

import Libc
import PostKitSupport

/// One wait for a lock, in steps: 100 us twenty times, then 1 ms.
///
/// SQLite's own ladder sleeps so long that one of two writers starves. Steps are counted, not
/// seconds, because a process that was stopped meanwhile has not waited.
struct Patience {
  /// How long the store waits where nobody says otherwise, in milliseconds.
  static let usual = 5_000

  private let longSteps: Int
  private var attempt = 0
  private let start = Clock.monotonicMicroseconds

  /// Makes a patience of so many milliseconds.
  init(milliseconds: Int = Patience.usual) {
    // A step of 1 ms takes about 1.06 ms with the scheduler's share.
    longSteps = milliseconds * 94 / 100
  }

  /// The time that has passed since the wait began, in milliseconds.
  var milliseconds: Int { Int((Clock.monotonicMicroseconds - start) / 1_000) }

  /// Waits one step; `false` when the patience is used up.
  mutating func pause() -> Bool {
    defer { attempt += 1 }
    return Patience.pause(attempt: attempt, longSteps: longSteps)
  }

  /// Waits the step of an attempt, for SQLite, which counts them itself.
  static func pause(attempt: Int, longSteps: Int = 4_700) -> Bool {
    guard attempt < shortSteps + longSteps else { return false }
    usleep(attempt < shortSteps ? 100 : 1_000)
    return true
  }

  private static let shortSteps = 20
}
