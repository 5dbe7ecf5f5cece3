// The store's one owner: an actor on a thread of its own, which opens, migrates and closes the
// files.

import PostKitHTTP
package import PostKitSupport

/// History, session values and collections in SQLite (store.md).
///
/// Its methods never suspend: each is one stay on the store's thread, so that SQLite is used by one
/// thread at a time and never blocks the cooperative pool.
package actor Store {
  /// Where the files are; `nil` in memory.
  package nonisolated let location: StoreLocation?
  /// Bytes of a body that are kept; of a larger one the head is (`history.maxBodyBytes`).
  package nonisolated let bodyByteLimit: Int

  nonisolated let executor: SerialQueueExecutor
  nonisolated let queue = RecordQueue()
  nonisolated let hub: ChangeHub
  /// The bodies' directory; `nil` in memory, where every body stays in its row.
  nonisolated let bodies: BodyFiles

  private var lock: StoreLock?
  private var historyFile: DatabaseFile?
  private var collectionsFile: DatabaseFile?
  /// What has happened that a person should be told; see `takeNotices()`.
  var notices: [StoreNotice] = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens the store at a place, making what is missing. Directories that it makes have mode 0700,
  /// files 0600.
  package static func open(
    _ location: StoreLocation, bodyByteLimit: Int = Limits.keptBodyBytes
  ) async throws(StoreFailure) -> Store {
    let store = Store(location: location, bodyByteLimit: bodyByteLimit)
    try await store.openFiles(withCollections: true)
    return store
  }

  /// Makes the store of a run, to be opened by `openForRun()`: a task that prefers `taskExecutor`
  /// opens it without a visit to another thread. A run that has nothing to do meanwhile may give
  /// the executor of its own thread.
  package static func closed(
    _ location: StoreLocation, executor: SerialQueueExecutor = SerialQueueExecutor()
  ) -> Store {
    Store(location: location, bodyByteLimit: Limits.keptBodyBytes, executor: executor)
  }

  /// Opens what a run needs; it needs no collections and leaves them closed where they exist.
  package func openForRun() throws(StoreFailure) {
    try openFiles(withCollections: false)
    // Now there is time: the first answer is waited for, and is recorded before it is shown.
    historyFile?.prepareWrite([ExchangeRow.insertion])
  }

  /// Runs tasks on the store's thread.
  package nonisolated var taskExecutor: any TaskExecutor { executor }

  /// Makes a store that leaves no trace, for tests.
  package static func inMemory(
    bodyByteLimit: Int = Limits.keptBodyBytes
  ) async throws(StoreFailure) -> Store {
    let store = Store(location: nil, bodyByteLimit: bodyByteLimit)
    try await store.openFiles(withCollections: true)
    return store
  }

  private init(
    location: StoreLocation?, bodyByteLimit: Int,
    executor: SerialQueueExecutor = SerialQueueExecutor()
  ) {
    self.executor = executor
    self.location = location
    self.bodyByteLimit = bodyByteLimit
    hub = ChangeHub(directory: location?.directory)
    bodies = BodyFiles(
      directory: location?.bodiesDirectory ?? "",
      inlineLimit: location == nil ? .max : Limits.inlineBodyBytes)
  }

  deinit { hub.finish() }

  /// What a person should be told, each thing once.
  package func takeNotices() -> [StoreNotice] {
    defer { notices = [] }
    return notices + [historyFile, collectionsFile].flatMap { $0?.takeNotices() ?? [] }
  }

  /// Commits what is queued and closes the files; everything asked of it later fails.
  package func close() {
    commitQueue()
    hub.finish()
    historyFile?.close()
    collectionsFile?.close()
    historyFile = nil
    collectionsFile = nil
    lock = nil
  }

  /// Does what a program does last in one visit: commits what is queued, tells what is left to
  /// tell, and closes.
  package func conclude() -> (failure: StoreFailure?, notices: [StoreNotice]) {
    var failure: StoreFailure?
    do throws(StoreFailure) { try flush() } catch { failure = error }
    let notices = takeNotices()
    close()
    return (failure, notices)
  }

  /// The open history, `nil` once it is closed.
  var historyIfOpen: DatabaseFile? { historyFile }

  /// The open history.
  func history() throws(StoreFailure) -> DatabaseFile {
    guard let historyFile else { throw .closed(path: location?.historyPath ?? ":memory:") }
    return historyFile
  }

  /// The open collections; `nil` where they can't be used.
  var collections: DatabaseFile? { collectionsFile }

  private func openFiles(withCollections: Bool) throws(StoreFailure) {
    let traces = ProcessEnvironment.value("POSTKIT_SQL_TRACE") == "1"
    guard let location else {
      historyFile = try DatabaseFile(
        path: ":memory:", schema: .history, lock: nil, tracesStatements: traces,
        notices: &notices)
      collectionsFile = try DatabaseFile(
        path: ":memory:", schema: .collections, lock: nil, tracesStatements: traces,
        notices: &notices)
      return
    }
    try StorePlace.prepareDirectory(location.directory)
    let lock = try StoreLock(path: location.lockPath)
    self.lock = lock
    try lock.hold { () throws(StoreFailure) in
      historyFile = try DatabaseFile(
        path: location.historyPath, schema: .history, lock: lock, tracesStatements: traces,
        notices: &notices)
      if !withCollections, FileSystem.exists(location.collectionsPath) { return }
      do throws(StoreFailure) {
        collectionsFile = try DatabaseFile(
          path: location.collectionsPath, schema: .collections, lock: lock,
          tracesStatements: traces, notices: &notices)
      } catch {
        notices.append(StoreNotice(kind: .collectionsUnavailable, message: error.message))
      }
    }
  }
}
