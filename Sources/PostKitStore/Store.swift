// The store's one owner: an actor on a thread of its own, which opens, migrates and closes the
// files.

import PostKitHTTP
package import PostKitSupport

/// History, session values and collections in SQLite; what they promise stands in
/// Tests/PostKitStoreTests/README.md.
///
/// Its methods never suspend: each is one stay on the store's thread, so that SQLite is used by one
/// thread at a time and never blocks the cooperative pool.
package actor Store {
  /// Where the files are; `nil` in memory.
  package nonisolated let location: StoreLocation?
  /// Bytes of a body that are kept unless it is said with the exchange; of a larger one the head is
  /// (`history.maxBodyBytes`).
  package nonisolated let bodyByteLimit: Int

  /// The values of secret variables, which are in no database.
  package nonisolated let secrets: any SecretStore

  /// Whether this SQLite can keep an index of words.
  nonisolated let hasFullText: Bool
  nonisolated let executor: SerialQueueExecutor
  nonisolated let queue = RecordQueue()
  nonisolated let hub: ChangeHub
  nonisolated let lastMarks: MarksAtRest
  /// The bodies' directory; `nil` in memory, where every body stays in its row.
  nonisolated let bodies: BodyFiles

  private var lock: StoreLock?
  private var presence: StorePresence?
  private var historyFile: DatabaseFile?
  private var collectionsFile: DatabaseFile?
  /// What has happened that a person should be told; see `takeNotices()`.
  var notices: [StoreNotice] = []

  /// Gets what a person should know of what the upkeep finds.
  var tell: (@Sendable ([StoreNotice]) -> Void)?

  /// Whether this process sees to the upkeep of the history, and will do so in a moment.
  var keepsUp = false
  /// What the upkeep lets the history grow to; `nil` before anybody has said.
  var retention: Retention?
  /// Whether the upkeep should look for what is too old or too much, and give free space back.
  var trimIsDue = false
  var vacuumIsDue = false
  /// The number of the last exchange that this process recorded.
  var lastRecorded: Int64 = 0
  /// How many commits of this process were nothing but records of what was sent.
  var recordings: Int64 = 0
  /// What trimming by bytes is about.
  var byteTrim = ByteTrim.measuring
  /// How far the parts of the index of words are merged; `nil` while nobody merges them.
  var wordMerging: WordMerging?
  /// Whether the upkeep should group what was recorded before there were groups.
  var groupingIsDue = true
  /// The part of the bodies that is swept next; `nil` while no sweep is due.
  var sweptPart: Int?
  /// When the last sweep began, in microseconds of the monotonic clock.
  var sweptAt: Int64 = 0
  /// The next piece of the upkeep, and when it is due, in microseconds of the monotonic clock.
  var nextUpkeep: (appointment: Alarm.Appointment, time: Int64)?
  /// Whether somebody has searched for words that were not indexed yet.
  var wantsWords = false
  /// How many exchanges were recorded when the few words that are left were last put off.
  var recordingsBeforeQuiet: Int64 = -1
  /// Whether another process has held the lock for longer than a group of exchanges could wait.
  var hasWaitedInVain = false
  /// The last look at what waits to be taken into the history.
  var waitingLook = WaitingLook()
  /// Called when the upkeep has nothing to do.
  var settled: (@Sendable () -> Void)?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens the store at a place, making what is missing. Directories that it makes have mode 0700,
  /// files 0600. Without `hasFullText` it behaves as with a SQLite that lacks FTS5.
  package static func open(
    _ location: StoreLocation, bodyByteLimit: Int = Limits.keptBodyBytes,
    hasFullText: Bool = SQLiteLibrary.hasFullText
  ) async throws(StoreFailure) -> Store {
    let store = Store(
      location: location, bodyByteLimit: bodyByteLimit, hasFullText: hasFullText)
    try await store.openFiles(withCollections: true)
    return store
  }

  /// Makes the store of a run, to be opened by `openForRun()`: a task that prefers `taskExecutor`
  /// opens it without a visit to another thread. A run that has nothing to do meanwhile may give
  /// the executor of its own thread.
  package static func closed(
    _ location: StoreLocation, bodyByteLimit: Int = Limits.keptBodyBytes,
    executor: SerialQueueExecutor = SerialQueueExecutor()
  ) -> Store {
    Store(location: location, bodyByteLimit: bodyByteLimit, executor: executor)
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
    bodyByteLimit: Int = Limits.keptBodyBytes, hasFullText: Bool = SQLiteLibrary.hasFullText
  ) async throws(StoreFailure) -> Store {
    let store = Store(location: nil, bodyByteLimit: bodyByteLimit, hasFullText: hasFullText)
    try await store.openFiles(withCollections: true)
    return store
  }

  private init(
    location: StoreLocation?, bodyByteLimit: Int,
    hasFullText: Bool = SQLiteLibrary.hasFullText,
    executor: SerialQueueExecutor = SerialQueueExecutor()
  ) {
    self.hasFullText = hasFullText
    self.executor = executor
    secrets =
      location.map {
        KeptSecrets($0, executor: executor, keyring: Keyring(directory: $0.directory))
      } ?? SecretsInMemory()
    self.location = location
    self.bodyByteLimit = bodyByteLimit
    hub = ChangeHub(directory: location?.directory)
    lastMarks = MarksAtRest(location)
    bodies = BodyFiles(
      directory: location?.bodiesDirectory ?? "",
      inlineLimit: location == nil ? .max : Limits.inlineBodyBytes)
  }

  deinit { hub.finish() }

  /// What a person should be told, each thing once.
  package func takeNotices() -> [StoreNotice] {
    defer { notices = [] }
    return notices + secrets.takeNotices()
      + [historyFile, collectionsFile].flatMap { $0?.takeNotices() ?? [] }
  }

  /// Adds something that a person should be told, unless it is waiting to be told already.
  func note(_ kind: StoreNotice.Kind, _ message: String) {
    guard !notices.contains(where: { $0.kind == kind }) else { return }
    notices.append(StoreNotice(kind: kind, message: message))
  }

  /// Commits what is queued and closes the files; everything asked of it later fails.
  package func close() {
    commitQueue()
    hub.finish()
    historyFile?.close()
    collectionsFile?.close()
    historyFile = nil
    collectionsFile = nil
    presence?.leave()
    presence = nil
    lock = nil
    if location != nil { SpoolDirectory.leave(bodies.incoming) }
  }

  /// Does what a program does last in one visit: commits what is queued, deletes some of what is
  /// too old or too much, for as long as it is given, indexes a few words of what was sent, tells
  /// what is left to tell, and closes. `lost` are the ids of what was enqueued and is not kept.
  package func conclude(
    trimming retention: Retention = Retention(), milliseconds: Int64 = 0
  ) -> (failure: StoreFailure?, notices: [StoreNotice], lost: Set<String>) {
    var failure: StoreFailure?
    do throws(StoreFailure) {
      try flush()
      try trimForRun(retention, milliseconds: milliseconds)
      if milliseconds > 0, hasManyPendingWords() { try indexWordsOnce() }
      if milliseconds > 0, let historyFile { try groupOnce(historyFile) }
    } catch {
      failure = error
    }
    // Somebody was killed.
    if isCheckDue { sweepAbandoned() }
    checkSmallFiles()
    let notices = takeNotices()
    close()
    return (failure, notices, queue.lost)
  }

  /// The open history, `nil` once it is closed.
  var historyIfOpen: DatabaseFile? { historyFile }

  /// Whether no other process is writing at the moment. When the answer is there another
  /// one may: who writes asks the lock, which waits.
  package var isFree: Bool { historyFile?.isFree ?? true }

  /// Does something for which other processes are waited for no longer than so many milliseconds.
  package func waiting<Result: Sendable>(
    atMost milliseconds: Int,
    _ work: @Sendable (isolated Store) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    try waitingHere(atMost: milliseconds) { () throws(StoreFailure) in try work(self) }
  }

  /// The same for what is done on the store's thread already.
  func waitingHere<Result>(
    atMost milliseconds: Int, _ work: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    guard let lock else { return try work() }
    return try lock.waiting(atMost: milliseconds, work)
  }

  /// The open history.
  func history() throws(StoreFailure) -> DatabaseFile {
    guard let historyFile else { throw .closed(path: location?.historyPath ?? ":memory:") }
    return historyFile
  }

  /// The open collections; `nil` where they can't be used.
  var collections: DatabaseFile? { collectionsFile }

  /// Whether the collections can be used; where they could not be opened that is tried again.
  func hasCollections() -> Bool {
    if collectionsFile != nil { return true }
    guard let location, let lock, historyFile != nil else { return false }
    // Why it can't be opened was told when it was tried first.
    collectionsFile = try? waitingHere(atMost: Store.reopeningMilliseconds) {
      () throws(StoreFailure) in
      try lock.hold { () throws(StoreFailure) in
        try DatabaseFile(
          path: location.collectionsPath, schema: .collections, lock: lock,
          tracesStatements: traces, notices: &notices)
      }
    }
    return collectionsFile != nil
  }

  private static let reopeningMilliseconds = 100
  private nonisolated var traces: Bool { ProcessEnvironment.value("POSTKIT_SQL_TRACE") == "1" }

  /// Whether nobody has looked for damage since the store was last not closed in order.
  var isCheckDue: Bool { presence?.isCheckDue ?? false }

  /// Notes that there is no damage, or none any more.
  func noteChecked() throws(StoreFailure) { try presence?.noteChecked() }

  private func openFiles(withCollections: Bool) throws(StoreFailure) {
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
    if let open = StorePlace.closeToOthers(location) { notices.append(open) }
    let lock = try StoreLock(path: location.lockPath)
    self.lock = lock
    do throws(StoreFailure) {
      try lock.hold { () throws(StoreFailure) in
        presence = StorePresence(lock, directory: location.directory)
        try openFiles(location, lock, withCollections: withCollections, traces)
      }
    } catch {
      // A file that can't be used was not closed in disorder.
      presence?.leave()
      throw error
    }
    takeInIfFree()
  }

  private func openFiles(
    _ location: StoreLocation, _ lock: StoreLock, withCollections: Bool, _ traces: Bool
  ) throws(StoreFailure) {
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
