// Opens the store at the first need, tells the user once where that fails, and never stands in the
// way of a request.

import PostKitHTTP
import PostKitStore
import PostKitSupport
import Synchronization

/// The store as the server uses it.
actor StoreAccess {
  private enum State {
    case closed
    case opening([CheckedContinuation<Store?, Never>])
    case open(Store)
  }

  nonisolated let location: StoreLocation
  private nonisolated let health: Health
  private nonisolated let tell: @Sendable (String) -> Void
  private var state = State.closed
  private nonisolated let hasTold = Mutex(false)

  init(location: StoreLocation, health: Health, tell: @escaping @Sendable (String) -> Void) {
    self.health = health
    self.location = location
    self.tell = tell
  }

  /// The store, opened now if need be; `nil` where it can't be used, which the user was told then.
  func store() async -> Store? {
    switch state {
    case .open(let store): return store
    case .opening: return await withCheckedContinuation { wait($0) }
    case .closed: break
    }
    state = .opening([])
    var opened: Store?
    do throws(StoreFailure) {
      let store = try await Store.open(location)
      let notices = await store.takeNotices()
      for notice in notices { tell(notice.message) }
      if let last = notices.last { health.note(.storeFiles, last.message) }
      recovered()
      opened = store
    } catch {
      complain("The history is not available: \(error.message)")
    }
    if case .opening(let waiting) = state {
      for continuation in waiting { continuation.resume(returning: opened) }
    }
    state = opened.map(State.open) ?? .closed
    return opened
  }

  /// Tells the user what is wrong with the store, once a session; the log gets it each time.
  nonisolated func complain(_ message: String) {
    Log.warning(message)
    health.note(.store, message)
    let isFirst = hasTold.withLock { told in
      defer { told = true }
      return !told
    }
    if isFirst { tell(message) }
  }

  /// Notes that the store works, whatever was wrong before.
  nonisolated func recovered() { health.note(.store, nil) }

  /// The store for reading: where there is none yet, none is made.
  func existing() async -> Store? {
    if case .open(let store) = state { return store }
    return FileSystem.exists(location.historyPath) ? await store() : nil
  }

  /// The cookies of earlier runs (PK-83); none where the store can't be used.
  func cookies(of jar: WorkspaceEnvironment) async -> [Cookie] {
    guard let store = await existing() else { return [] }
    do throws(StoreFailure) { return try await store.cookies(of: jar) } catch {
      complain("The cookies can't be read: \(error.message)")
      return []
    }
  }

  /// Keeps what a run changed in its cookies.
  func change(_ changes: CookieChanges, of jar: WorkspaceEnvironment) async {
    guard let store = await store() else { return }
    do throws(StoreFailure) { try await store.change(changes, of: jar) } catch {
      complain("The cookies are not kept: \(error.message)")
    }
  }

  /// Commits what is queued and closes the files.
  func close() async {
    guard case .open(let store) = state else { return }
    state = .closed
    await store.close()
  }

  private func wait(_ continuation: CheckedContinuation<Store?, Never>) {
    switch state {
    case .opening(let waiting): state = .opening(waiting + [continuation])
    case .open(let store): continuation.resume(returning: store)
    case .closed: continuation.resume(returning: nil)
    }
  }
}
