// Revisions: how this process learns of its own commits and of those of others.

import PostKitSupport

extension Store {
  /// A number that rises with each commit to the store, whichever process makes it.
  package func revision() throws(StoreFailure) -> Int64 { try marks().revision }

  /// What the store is like now.
  package func marks() throws(StoreFailure) -> StoreMarks {
    commitQueue()
    // Looked at before what is read, so that a commit in between is not missed.
    let files = lastMarks.look()
    post(try history().changedScopes() + (collections?.changedScopes() ?? []))
    let keepsTimes = [historyIfOpen, collections].allSatisfy { $0?.writesLog ?? true }
    let marks = StoreMarks(revision: knownRevision, changes: knownRevision - recordings)
    if keepsTimes { lastMarks.keep(marks, of: files) }
    return marks
  }

  /// The same without a visit to the store's thread, where nothing can have been written since it
  /// was read last; `nil` where that is not known.
  package nonisolated var marksAtRest: StoreMarks? { lastMarks.known }

  /// Commits of this process and of others, as they happen: the first at once, later ones joined,
  /// at most four a second. Nothing is watched unless somebody listens.
  package nonisolated func changes() -> AsyncStream<StoreChange> {
    hub.listen { [weak self] in self?.scheduleCheck() }
  }

  /// Tells listeners of a commit of our own, and sees to the log. Copying it waits for the disk, so
  /// it is done after the caller has got its answer.
  func finishCommit(_ scope: StoreScope, of file: DatabaseFile) {
    hub.post(StoreChange(revision: knownRevision, scopes: [scope]))
    if scope == .history { keepUpAfterCommit() }
    guard file.needsCheckpoint else { return }
    executor.schedule { self.assumeIsolated { $0.checkpointIfNeeded() } }
  }

  /// Copies the logs that have grown long.
  func checkpointIfNeeded() {
    for file in [historyIfOpen, collections] {
      if let file, file.needsCheckpoint { file.checkpoint() }
    }
  }

  private nonisolated func scheduleCheck() {
    executor.schedule { self.assumeIsolated { $0.checkForCommitsOfOthers() } }
  }

  private func checkForCommitsOfOthers() {
    guard hub.hasListeners else { return }
    // One that somebody removed is made again by who needs it, not by looking.
    let files = [historyIfOpen, collections].compactMap { $0 }.filter {
      location == nil || FileSystem.exists($0.path)
    }
    // A file that can't be read now is looked at again after the next event.
    post(files.flatMap { (try? $0.changedScopes()) ?? [] })
  }

  /// Tells listeners what others have changed. Each change is found once, so that whoever finds it
  /// tells.
  private func post(_ changed: [String]) {
    let scopes = changed.compactMap(StoreScope.init(rawValue:))
    guard !scopes.isEmpty else { return }
    hub.post(StoreChange(revision: knownRevision, scopes: Set(scopes)))
  }

  /// The revision as far as this process has seen it.
  var knownRevision: Int64 {
    (historyIfOpen?.knownRevision ?? 0) + (collections?.knownRevision ?? 0)
  }
}
