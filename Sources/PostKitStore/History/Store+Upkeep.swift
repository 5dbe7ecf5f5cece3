// What a process that lives longer than a run does for the history while nobody waits for it.

import PostKitSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Store {
  /// Looks for damage if that is due, and sees to the upkeep of the history from now on, and again
  /// after each commit of this process. To be called once: looking reads all of both files.
  /// `tell` gets what a person should know of damage, when it is found; it is called on the store's
  /// thread.
  package func keepUp(_ tell: @escaping @Sendable ([StoreNotice]) -> Void = { _ in }) {
    keepsUp = true
    self.tell = tell
    beginSweep()
    scheduleLookForDamage()
    scheduleUpkeep()
  }

  /// Lets the upkeep trim the history to what is retained, from now on.
  package func retain(_ retention: Retention) {
    self.retention = retention
    trimIsDue = true
    scheduleUpkeep()
  }

  /// Tells of damage that was found, where somebody has asked for that. What a search has to tell
  /// is for whoever searched.
  func announceDamage() {
    guard let tell else { return }
    let files = [historyIfOpen, collections].compactMap { $0 }
    let found = notices.filter(\.isOfDamage) + files.flatMap { $0.takeNotices() }
    notices.removeAll(where: \.isOfDamage)
    if !found.isEmpty { tell(found) }
  }

  /// Sees to the upkeep after a commit.
  func keepUpAfterCommit() {
    guard keepsUp else { return }
    if trimIsDue, Clock.monotonicMicroseconds - sweptAt > Store.sweepInterval { beginSweep() }
    scheduleUpkeep()
  }

  private func beginSweep() {
    guard location != nil else { return }
    (sweptPart, sweptAt) = (0, Clock.monotonicMicroseconds)
  }

  /// Does a piece of the work after `pause` microseconds, unless one is on its way already.
  private func scheduleUpkeep(after pause: Int64 = 1_000) {
    guard keepsUp, !hasUpkeepTimer,
      trimIsDue && retention != nil || vacuumIsDue || sweptPart != nil
        || hasManyPendingWords()
    else { return }
    // Without a thread it waits for the next commit.
    hasUpkeepTimer = SystemThread.start { [weak self] in
      usleep(UInt32(clamping: pause))
      guard let self else { return }
      self.executor.schedule { self.assumeIsolated { $0.keepUpABit() } }
    }
  }

  /// Does a short piece of the work. Until the next one the store is left to others for several
  /// times as long as this took: several editors may be at it, and who sends comes first.
  private func keepUpABit() {
    hasUpkeepTimer = false
    guard let file = historyIfOpen else { return }
    guard file.isFree else { return scheduleUpkeep(after: Store.pauseForOthers) }
    let start = Clock.monotonicMicroseconds
    do throws(StoreFailure) {
      if trimIsDue, let retention {
        trimIsDue = try trim(retention, now: Clock.wallMilliseconds)
        vacuumIsDue = vacuumIsDue || trimIsDue
      } else if vacuumIsDue {
        vacuumIsDue = try file.vacuum()
      } else if let part = sweptPart {
        // What can't be swept now is left to the next sweep.
        sweptPart = part + 1 < BodyFiles.partCount ? part + 1 : nil
        try sweepBodies(part: part)
      } else {
        try indexWordsOnce()
      }
    } catch {
      return Log.info("The upkeep of the history waits for the next commit: \(error.message)")
    }
    announceDamage()
    scheduleUpkeep(after: 4 * (Clock.monotonicMicroseconds - start))
  }

  /// Microseconds until a store that others write to is looked at again.
  private static let pauseForOthers: Int64 = 20_000
  /// Microseconds from one sweep to the next in a process that lives long: a day.
  private static let sweepInterval: Int64 = 86_400_000_000
}
