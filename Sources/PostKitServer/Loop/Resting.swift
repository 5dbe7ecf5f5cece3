// What is done when nobody has asked for anything for a moment: the memory that a burst of work has
// used is given back.

import PostKitSession
import PostKitSupport

/// Notices when a server that had something to do has nothing to do any more. While nothing
/// happens no timer runs, so that an idle server is never woken.
struct RestWatch: Sendable {
  private var hasTimer = false
  private var hasWorked = false

  /// Notes that some work is done; answers whether a timer is to be started.
  mutating func noteWork() -> Bool {
    hasWorked = true
    defer { hasTimer = true }
    return !hasTimer
  }

  /// Takes up the timer; answers whether nothing was done since it was started. Else it is to be
  /// started anew.
  mutating func isResting() -> Bool {
    defer { hasWorked = false }
    hasTimer = hasWorked
    return !hasWorked
  }
}

extension ServerState {
  /// Notes the end of a task.
  mutating func noteWork() {
    guard watch != nil, resting.noteWork() else { return }
    inFlight.schedule(.restDue, afterMilliseconds: Limits.restMilliseconds)
  }

  /// Gives memory back, unless there was work since the last look.
  mutating func rest() {
    guard resting.isResting() else {
      return inFlight.schedule(.restDue, afterMilliseconds: Limits.restMilliseconds)
    }
    // A send calls much of the system's libraries that a keystroke does not.
    let hasSent = session.update { $0.sends.takeEnded() }
    // On a thread of its own: the loop may have something to do again in the next moment.
    SystemThread.start {
      Heap.giveBack()
      if hasSent { MappedCode.letGo() }
    }
  }
}
