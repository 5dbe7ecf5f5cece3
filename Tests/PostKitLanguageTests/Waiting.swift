// Somebody who waits for an answer, but not for long.

import Synchronization

/// Gives up after having been asked some times.
final class Waiting: Sendable {
  private let left: Atomic<Int>
  private let asked = Atomic(0)

  /// Waits for so many questions.
  init(for count: Int) { left = Atomic(count) }

  /// Whether the answer is not wanted any more.
  @Sendable func isOver() -> Bool {
    asked.add(1, ordering: .relaxed)
    return left.subtract(1, ordering: .relaxed).newValue < 0
  }

  /// How often it was asked.
  var questions: Int { asked.load(ordering: .relaxed) }
}
