// What outlives a request and is shared by all: store, transport, the memory of the session.

import PostKitHTTP
package import PostKitRunner
package import PostKitStore
package import PostKitSupport
package import PostKitTransport
package import Synchronization

/// The parts of the world that handlers work with; each opens what it needs at the first need.
package final class Services: Sendable {
  package let store: StoreAccess
  package let health: Health
  package let memory = SessionMemory()
  package let choices = SharedChoices()
  package let sends = Sends()
  package let live = LiveResponses()
  package let copies = CopiedTexts()
  package let transfers = Transfers()
  package let trustQuestions = OneAtATime()
  package let editorSettings = EditorSettings()
  package let requestSaves = OneAtATime()
  package let requestTexts = StoredRequestTexts()
  package let lists = ShownLists()
  package let diagnostics = DiagnosticsCaches()
  package let readings = DocumentReadings()
  let parsedFiles = ParsedFiles()
  package let index = WorkspaceIndex()
  package let storedSymbols = StoredItems("The stored requests") { store throws(StoreFailure) in
    try await StoredSymbols.items(of: store)
  }
  package let storedNames = StoredItems("The names in stored requests") {
    store throws(StoreFailure) in
    try await StoredNames.items(of: store)
  }
  package let tokens = TokenCaches()
  let earlierExchanges = EarlierExchangesCache()
  let latestResults = LatestResults()
  package let workspaceChanges = ChangeSignal()
  package let workspaceFindings = WorkspaceFindings()
  let resultIndexes = ResultIndexes()
  package let folds = FoldCaches()
  /// Where views are written.
  package let views = SerialQueueExecutor()
  /// How many views this session has written.
  package let writtenViews = Atomic(0)
  package let exampleServer = LazyExampleServer()
  private let transport = Mutex<Transport?>(nil)
  private let tell: @Sendable (String) -> Void
  private let told = Mutex<Set<String>>([])
  /// The changes of the store when it was compared with the memory last.
  private let compared = Mutex<Int64?>(nil)

  /// Makes services; `tell` shows a message, `healthChanged` is called when another status is to
  /// be shown, `storeOpened` when what was shown without the store is out of date.
  package init(
    location: StoreLocation, tell: @escaping @Sendable (String) -> Void,
    healthChanged: @escaping @Sendable () -> Void, storeOpened: @escaping @Sendable () -> Void
  ) {
    self.tell = tell
    health = Health(changed: healthChanged)
    store = StoreAccess(location: location, health: health, tell: tell, opened: storeOpened)
  }

  /// The memory of the session, without what the history, which had it, was made to forget, here or
  /// by another process.
  package func remembered() async -> SessionMemory {
    if !memory.recordedIDs.isEmpty { await compare(at: await storeChanges) }
    return memory
  }

  /// The same with a number that changes whenever an earlier response may have: one to a request of
  /// a file, or any.
  func rememberedNow(of file: String? = nil) async -> (memory: SessionMemory, revision: UInt64) {
    let additions = memory.additions(of: file)
    let stored = await storeChanges
    if !memory.recordedIDs.isEmpty { await compare(at: stored) }
    return (memory, additions &* 1_000_003 &+ UInt64(bitPattern: stored ?? 0))
  }

  /// The changes of the store that this session has not made by sending; `nil` where it can't be
  /// used.
  private var storeChanges: Int64? {
    get async {
      guard let store = await store.atHand() else { return nil }
      // A store that can't be read gives no responses either.
      return try? await StoreGlance.marks(of: store).changes
    }
  }

  /// Forgets what the history has forgotten, unless nothing has changed since the last look.
  private func compare(at changes: Int64?) async {
    guard let changes, let store = await store.atHand() else { return }
    // What was recorded since then can't have been forgotten without another change.
    if compared.withLock({ $0 == changes }) { return }
    let ids = memory.recordedIDs
    do throws(StoreFailure) {
      discard(memory.forget(Set(ids).subtracting(try await store.exchanges(among: ids))))
      compared.withLock { $0 = changes }
    } catch {
      Log.warning("What is still in the history is not known: \(error.message)")
    }
  }

  /// Shows a message unless the session has shown it before.
  package func tellOnce(_ message: String) {
    if told.withLock({ $0.insert(message).inserted }) { tell(message) }
  }

  /// The transport; its connections are used again by all sends of the session.
  package func transport(keptBodyBytes: Int) -> Transport {
    transport.withLock { transport in
      if let transport { return transport }
      let made = Transport(
        TransportConfiguration(
          spoolDirectory: store.location.spoolDirectory, keptBodyBytes: keptBodyBytes))
      transport = made
      return made
    }
  }

  /// Ends what is being sent and closes all connections; the next send has a transport of its own.
  package func restartTransport() {
    let old = transport.withLock { transport in
      defer { transport = nil }
      return transport
    }
    old?.shutdown()
  }

  /// Looks again at what was wrong, and takes back what is well by now. What takes longer than
  /// somebody waits for a status is found out all the same, and told then.
  package func review() async {
    guard health.hasProblems else { return }
    if health.problem(of: .library) != nil {
      Transport.forgetMissingLibrary()
      if case .success = Transport.libraryVersion { health.note(.library, nil) }
    }
    let store = store
    _ = await Waiting.value(within: Limits.storeGlanceMilliseconds) { await store.review() }
  }

  /// Remembers the exchange of an outcome.
  package func remember(_ outcome: inout RunOutcome) async {
    guard let exchange = outcome.exchange, let masked = outcome.masked else { return }
    if let body = await keptBody(of: masked) {
      // Nobody could forget what the history doesn't know of.
      discard([exchange])
      outcome.exchange?.response?.body = body
      outcome.masked?.response?.body = body
    }
    discard(
      memory.add(
        outcome.exchange ?? exchange, masked: outcome.masked ?? masked, secrets: outcome.secrets))
  }

  /// The body of a response that was spooled, in the file that the history has of it; `nil` where
  /// it has none, or not all of it.
  private func keptBody(of exchange: Exchange) async -> BodyContent? {
    guard let response = exchange.response, case .file(_, let size) = response.body,
      memory.isRecorded(exchange.id), let store = await store.atHand()
    else { return nil }
    // What can't be read is shown from the file that it came in.
    let kept = try? await store.exchange(id: exchange.id)
    guard let body = kept?.response?.body, case .file(_, size) = body else { return nil }
    return body
  }

  /// Removes the files in which responses came that nobody refers to any more.
  private func discard(_ exchanges: [Exchange]) {
    let transport = transport.withLock { $0 }
    for exchange in exchanges {
      if let body = exchange.response?.body { transport?.discard(body) }
    }
  }

  /// Ends what runs in the background and commits what is queued.
  package func close() async {
    transport.withLock { $0 }?.shutdown()
    exampleServer.stop()
    await store.close()
    discard(memory.forgetAll())
  }
}
