// What a process that lives longer than a run does for the history while nobody waits for it.

import PostKitSupport

extension Store {
  /// Looks for damage if that is due, and sees to the upkeep of the history from now on, and again
  /// after each commit of this process. To be called once: looking reads all of both files.
  /// `tell` gets what a person should know of damage, when it is found; `settled` is called
  /// whenever nothing is left to do. Both are called on the store's thread.
  package func keepUp(
    _ tell: @escaping @Sendable ([StoreNotice]) -> Void = { _ in },
    settled: @escaping @Sendable () -> Void = {}
  ) {
    keepsUp = true
    self.tell = tell
    self.settled = settled
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

  /// Sees to it that all words are indexed soon: somebody has searched without them.
  func wantWords() {
    wantsWords = true
    scheduleUpkeep()
  }

  /// Does a piece of the work after `pause` microseconds, unless one is due before.
  private func scheduleUpkeep(after pause: Int64 = 1_000) {
    guard keepsUp, historyIfOpen != nil else { return }
    var pause = pause
    if !(trimIsDue && retention != nil || vacuumIsDue || sweptPart != nil || groupingIsDue) {
      switch pendingWords() {
      case .none:
        wantsWords = false
        settled?()
        return
      case .few where !wantsWords: pause = max(pause, Store.pauseForQuiet)
      case .few, .many: break
      }
    }
    let time = Clock.monotonicMicroseconds + pause
    if let next = nextUpkeep {
      guard time < next.time else { return }
      Alarm.shared.cancel(next.appointment)
    }
    let appointment = Alarm.shared.schedule(afterMicroseconds: pause) { [weak self] in
      guard let self else { return }
      self.executor.schedule { self.assumeIsolated { $0.keepUpABit() } }
    }
    nextUpkeep = (appointment, time)
  }

  /// Does a short piece of the work. Until the next one the store is left to others for several
  /// times as long as this took: several editors may be at it, and who sends comes first.
  private func keepUpABit() {
    nextUpkeep = nil
    guard let file = historyIfOpen else { return }
    guard file.isFree else { return scheduleUpkeep(after: Store.pauseForOthers) }
    let start = Clock.monotonicMicroseconds
    do throws(StoreFailure) {
      try waitingHere(atMost: Store.turn) { () throws(StoreFailure) in try doAPiece(of: file) }
    } catch {
      // Somebody else was first, or it will be tried again when the disk may be well.
      if case .busy = error { return scheduleUpkeep(after: Store.pauseForOthers) }
      Log.info("The upkeep of the history pauses: \(error.message)")
      return scheduleUpkeep(after: Store.pauseAfterFailure)
    }
    announceDamage()
    scheduleUpkeep(after: 4 * (Clock.monotonicMicroseconds - start))
  }

  private func doAPiece(of file: DatabaseFile) throws(StoreFailure) {
    if trimIsDue, let retention {
      trimIsDue = try trim(retention, now: Clock.wallMilliseconds)
      vacuumIsDue = vacuumIsDue || trimIsDue
    } else if vacuumIsDue {
      vacuumIsDue = try file.vacuum()
    } else if let part = sweptPart {
      // What can't be swept now is left to the next sweep.
      sweptPart = part + 1 < BodyFiles.partCount ? part + 1 : nil
      try sweepBodies(part: part)
    } else if groupingIsDue {
      try groupOnce(file)
      groupingIsDue = try !isGrouped(file)
    } else if wantsWords || pendingWords() == .many || recordings == recordingsBeforeQuiet {
      try indexWordsOnce()
    } else {
      // Somebody sends: a few words are indexed together when that is over.
      recordingsBeforeQuiet = recordings
    }
  }

  /// Microseconds until a store that others write to is looked at again.
  private static let pauseForOthers: Int64 = 20_000
  /// Microseconds without a send after which the last few words are indexed.
  private static let pauseForQuiet: Int64 = 250_000
  /// Microseconds until the upkeep is tried again after a failure.
  private static let pauseAfterFailure: Int64 = 30_000_000
  /// Milliseconds that a piece of the upkeep waits for other processes.
  private static let turn = 20
  /// Microseconds from one sweep to the next in a process that lives long: a day.
  private static let sweepInterval: Int64 = 86_400_000_000
}
