// Opens the store at the first need, tells the user once where that fails, and never stands in the
// way of a request.

package import PostKitHTTP
package import PostKitStore
import PostKitSupport
import Synchronization

/// How long is waited for the store.
package struct StorePatience: Sendable {
  /// For an answer of it, in milliseconds; then what is to be kept is put into a file.
  var answer = Limits.storeAnswerMilliseconds
  /// For that file, in milliseconds.
  var filing = Limits.storeFilingMilliseconds
}

/// The store as the server uses it.
package actor StoreAccess {
  /// What is known without waiting for the actor: who reads while somebody types is not to wait
  /// behind all who record what they sent.
  struct Shared: Sendable {
    /// The store while it is open.
    var store: Store?
    /// What was found in it last for those who type.
    var reading = StoreReading()
    var symbols: StoredItems<StoredSymbols.Item>?
    var names: StoredItems<StoredNames.Item>?
    var health = Health()
    /// What the user was told of, each kind once a session.
    var told: [StoreNotice.Kind] = []
    var hasComplained = false
    /// Whether what is wrong is to be looked at again, and after how long the next time.
    var isReviewScheduled = false
    var reviewPause = StoreReview.first
  }

  private enum State {
    case closed
    /// Another process held it; nobody waits for that again before a moment, in microseconds.
    case held(until: Int64)
    case opening([CheckedContinuation<Store?, Never>])
    case open(Store)
  }

  package nonisolated let location: StoreLocation
  nonisolated let patience: StorePatience
  private nonisolated let tell: @Sendable (String) -> Void
  /// Called when another status is to be shown.
  private nonisolated let healthChanged: @Sendable () -> Void
  /// Called when answers that were given without the store would be others now.
  private nonisolated let wasOpened: @Sendable () -> Void
  private var state = State.closed
  /// Whether somebody did without the store while it was being opened.
  private var isMissed = false
  /// The last of the exchanges and changes that are kept, each of which waits for the one before.
  var lastKept: Task<KeptPlace?, Never>?
  /// Whether what is to be recorded waits for nobody any more.
  nonisolated let isClosing = Atomic(false)
  /// The last of the writes, each of which waits for the one before.
  private var lastWrite: Task<Void, Never>?
  /// Whether a write takes longer than its caller has waited.
  private var isLate = false
  /// Whether a write waits for another process.
  private var isHeld = false
  /// What the store was told last to let the history grow to.
  private var retained: Retention?
  /// What is known without waiting for the actor.
  nonisolated let shared = Mutex(Shared())

  /// Makes one for a place; `tell` shows a message, `healthChanged` is called when another status
  /// is to be shown, `opened` when answers that were given without the store would be others now.
  package init(
    location: StoreLocation, patience: StorePatience = StorePatience(),
    tell: @escaping @Sendable (String) -> Void, healthChanged: @escaping @Sendable () -> Void,
    opened: @escaping @Sendable () -> Void
  ) {
    (self.location, self.patience, self.tell) = (location, patience, tell)
    (self.healthChanged, wasOpened) = (healthChanged, opened)
  }

  /// The store where it is open.
  nonisolated var opened: Store? { shared.withLock { $0.store } }

  /// Whether a write is under way.
  var isWriting: Bool { isHeld || isLate }

  /// The store, opened now if need be; `nil` where it can't be used, which the user was told then.
  package nonisolated func store() async -> Store? {
    if let opened { return opened }
    return await opening()
  }

  private func opening() async -> Store? {
    switch state {
    case .open(let store): return store
    case .opening: return await withCheckedContinuation { wait($0) }
    case .held(let moment) where Clock.monotonicMicroseconds < moment: return nil
    case .closed, .held: break
    }
    state = .opening([])
    var opened: Store?
    var next = State.closed
    do throws(StoreFailure) {
      let store = try await Store.open(location)
      await tellNotices(of: store)
      recovered()
      await store.keepUp { [weak self] in
        self?.tellNew($0)
      } settled: { [weak self] in
        self?.hasSettled()
      }
      opened = store
      // A process that was killed while it changed a secret left a note of that. Unstructured on
      // purpose: a keyring may be slow, and nobody waits for it.
      Task(executorPreference: WorkerPool.acting) {
        await CollectionEditor(store).settle()
        await TokenKeeper(store).settle()
      }
    } catch {
      complain("The history is not available: \(error.message)")
      if case .busy = error {
        next = .held(
          until: Clock.monotonicMicroseconds + Int64(Limits.storeRetryMilliseconds) * 1_000)
      }
    }
    if case .opening(let waiting) = state {
      for continuation in waiting { continuation.resume(returning: opened) }
    }
    state = opened.map(State.open) ?? next
    shared.withLock { $0.store = opened }
    if isMissed {
      isMissed = false
      if opened != nil { wasOpened() }
    }
    return opened
  }

  /// Lets the history grow to what is retained.
  func retain(_ retention: Retention, _ store: Store) async {
    guard retention != retained else { return }
    retained = retention
    await store.retain(retention)
  }

  /// Writes into the store after all that was to be written before, and answers when that is done,
  /// or when its caller has waited long enough: then another process holds the store, or it is
  /// slow, and it is written later. `missing` begins what is told where it can't be written.
  package func write(
    _ missing: String, _ work: @escaping @Sendable (isolated Store) throws(StoreFailure) -> Void
  ) async {
    let before = lastWrite
    let end = Clock.monotonicMicroseconds + Int64(Limits.storeInsistMilliseconds) * 1_000
    let write = Task(executorPreference: WorkerPool.acting) {
      await before?.value
      await self.insist(missing, until: end, work)
    }
    lastWrite = write
    if isLate { return }
    let isDone: Void? = await Waiting.value(within: patience.answer) {
      await write.value
    }
    guard isDone == nil else { return }
    isLate = true
    guard isHeld else { return }
    complain(
      "Another PostKit holds \(location.lockPath), so that what was sent is not in the history "
        + "yet. It is written when that lets go of it; look for one that is stopped.")
  }

  private func insist(
    _ missing: String, until end: Int64,
    _ work: @Sendable (isolated Store) throws(StoreFailure) -> Void
  ) async {
    defer { isLate = false }
    guard let store = await store() else { return }
    let start = Clock.monotonicMicroseconds
    do throws(StoreFailure) {
      while try await !attempt(store, until: end, since: start, work) {}
      recovered()
    } catch {
      complain("\(missing): \(error.message)")
    }
    await tellNotices(of: store)
  }

  /// Writes as soon as no other process does, and answers whether that came to pass: another one
  /// may have been first.
  private func attempt(
    _ store: Store, until end: Int64, since start: Int64,
    _ work: @Sendable (isolated Store) throws(StoreFailure) -> Void
  ) async throws(StoreFailure) -> Bool {
    defer { isHeld = false }
    // Waiting on the store's thread would hold up those who only read. What is found here decides
    // nothing: the lock does.
    while await !store.isFree, Clock.monotonicMicroseconds < end {
      isHeld = true
      try? await Alarm.sleep(milliseconds: Limits.storePollMilliseconds)
    }
    do throws(StoreFailure) {
      try await store.waiting(atMost: Limits.storeTurnMilliseconds, work)
      return true
    } catch {
      guard case .busy = error else { throw error }
      let now = Clock.monotonicMicroseconds
      guard now >= end else { return false }
      throw .busy(path: location.lockPath, milliseconds: Int((now - start) / 1_000))
    }
  }

  /// Whether another process holds the store, so that it is not even opened.
  var isHeldByOthers: Bool { if case .held = state { true } else { false } }

  /// Tells what is to be told, each kind once a session, and answers all of it.
  @discardableResult
  package func tellNotices(of store: Store) async -> [StoreNotice] {
    let notices = await store.takeNotices()
    tellNew(notices)
    return notices
  }

  /// Logs notices, and tells the user those whose kind is new in this session.
  nonisolated func tellNew(_ notices: [StoreNotice]) {
    defer { reviewLater() }
    for notice in notices {
      Log.warning(notice.message)
      change { $0.note(notice) }
      let isNew = shared.withLock { shared in
        if shared.told.contains(notice.kind) { return false }
        shared.told.append(notice.kind)
        return true
      }
      if isNew { tell(notice.message) }
    }
  }

  /// Tells the user what is wrong with the store, once a session; the log gets it each time.
  package nonisolated func complain(_ message: String) {
    if health.problem(of: .store) != message { Log.warning(message) }
    note(.store, message)
    reviewLater()
    let isFirst = shared.withLock { shared in
      defer { shared.hasComplained = true }
      return !shared.hasComplained
    }
    if isFirst { tell(message) }
  }

  /// The history has nothing left to do for itself: what was told of that is over.
  private nonisolated func hasSettled() {
    guard !health.notices.isEmpty else { return }
    Task(executorPreference: WorkerPool.acting) { await self.review() }
  }

  /// Notes that the store works, whatever was wrong before.
  nonisolated func recovered() { note(.store, nil) }

  /// What is wrong around the server.
  package nonisolated var health: Health { shared.withLock { $0.health } }

  /// Notes what is wrong with a subject; `nil` when all is well again.
  package nonisolated func note(_ subject: Health.Subject, _ problem: String?) {
    change { $0.note(subject, problem) }
  }

  /// Changes what is wrong, and tells where another status is to be shown.
  nonisolated func change(_ body: (inout Health) -> Void) {
    let isNews = shared.withLock { shared in
      let before = shared.health
      body(&shared.health)
      return shared.health != before
    }
    if isNews { healthChanged() }
  }

  /// The store for reading: where there is none yet, none is made.
  package nonisolated func existing() async -> Store? {
    if let opened { return opened }
    return FileSystem.exists(location.historyPath) ? await store() : nil
  }

  /// The store for what an editor shows while somebody types, who is not to wait for another
  /// process: where the store can't be had at once, that is shown without it, and anew later.
  package nonisolated func atHand() async -> Store? {
    if let opened { return opened }
    return await glance()
  }

  private func glance() async -> Store? {
    if case .open(let store) = state { return store }
    if isMissed { return nil }
    if case .closed = state, !FileSystem.exists(location.historyPath) { return nil }
    let found = await Waiting.value(within: Limits.storeGlanceMilliseconds) {
      await self.existing()
    }
    if found == nil, case .opening = state { isMissed = true }
    return found ?? nil
  }

  /// The cookies of earlier runs (PK-83); none where the store can't be used.
  package func cookies(of jar: WorkspaceEnvironment) async -> [Cookie] {
    guard let store = await existing() else { return [] }
    do throws(StoreFailure) { return try await store.cookies(of: jar) } catch {
      complain("The cookies can't be read: \(error.message)")
      return []
    }
  }

  /// Keeps what a run changed in its cookies.
  package func change(_ changes: CookieChanges, of jar: WorkspaceEnvironment) async {
    _ = await keep(.cookies(changes, of: jar), "The cookies are not kept")
  }

  /// Commits what is queued and closes the files.
  package func close() async {
    isClosing.store(true, ordering: .relaxed)
    if let lastKept {
      _ = await Waiting.value(within: patience.answer + patience.filing) { await lastKept.value }
    }
    if let lastWrite {
      _ = await Waiting.value(within: patience.answer) { await lastWrite.value }
    }
    guard case .open(let store) = state else { return }
    state = .closed
    shared.withLock { $0.store = nil }
    await store.close()
  }

  private func wait(_ continuation: CheckedContinuation<Store?, Never>) {
    switch state {
    case .opening(let waiting): state = .opening(waiting + [continuation])
    case .open(let store): continuation.resume(returning: store)
    case .closed, .held: continuation.resume(returning: nil)
    }
  }
}
