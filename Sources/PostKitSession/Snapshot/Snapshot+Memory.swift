// What the session remembers of what was sent, as far as the history still has it.

import LanguageServerProtocol
import PostKitHTTP
package import PostKitRunner
import PostKitStore
import PostKitSupport
package import PostKitTransport

extension Snapshot {
  /// The memory of the session, without what the history, which had it, was made to forget, here or
  /// by another process.
  package func remembered() async -> SessionMemory {
    if !recordedIDs.isEmpty { await compare(at: await storeChanges) }
    return session.memory
  }

  /// The same with a number that changes whenever an earlier response may have: one to a request of
  /// a file, or any.
  func rememberedNow(of file: String? = nil) async -> (memory: SessionMemory, revision: UInt64) {
    let additions = session.memory.additions(of: file)
    let stored = await storeChanges
    if !recordedIDs.isEmpty { await compare(at: stored) }
    return (session.memory, additions &* 1_000_003 &+ UInt64(bitPattern: stored ?? 0))
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
    if session.compared == changes { return }
    let ids = recordedIDs
    do throws(StoreFailure) {
      let gone = Set(ids).subtracting(try await store.exchanges(among: ids))
      discard(session.update { $0.memory.forget(gone) })
      session.update { $0.compared = changes }
    } catch {
      Log.warning("What is still in the history is not known: \(error.message)")
    }
  }

  /// The remembered exchanges that are or were in the history.
  private var recordedIDs: [String] {
    let gone = session.memory.waiting.filter { !FileSystem.exists($0.value) }.keys
    return session.update { $0.memory.recordedIDs(withoutFiles: Set(gone)) }
  }

  /// Shows a message unless the session has shown it before.
  package func tellOnce(_ message: String) {
    if session.update({ $0.told.insert(message).inserted }) {
      client.showMessage(.warning, message)
    }
  }

  /// Looks again at what was wrong, and takes back what is well by now. What takes longer than
  /// somebody waits for a status is found out all the same, and told then.
  package func review() async {
    let (health, store) = (store.health, store)
    guard health.hasProblems else { return }
    if health.problem(of: .library) != nil {
      Transport.forgetMissingLibrary()
      if case .success = Transport.libraryVersion { store.note(.library, nil) }
    }
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
    let (sent, shown) = (outcome.exchange ?? exchange, outcome.masked ?? masked)
    let secrets = outcome.secrets
    discard(session.update { $0.memory.add(sent, masked: shown, secrets: secrets) })
  }

  /// The body of a response that was spooled, in the file that the history has of it; `nil` where
  /// it has none, or not all of it.
  private func keptBody(of exchange: Exchange) async -> BodyContent? {
    guard let response = exchange.response, case .file(_, let size) = response.body,
      session.memory.isRecorded(exchange.id), let store = await store.atHand()
    else { return nil }
    // What can't be read is shown from the file that it came in.
    let kept = try? await store.exchange(id: exchange.id)
    guard let body = kept?.response?.body, case .file(_, size) = body else { return nil }
    return body
  }

  /// Removes the files in which responses came that nobody refers to any more.
  private func discard(_ exchanges: [Exchange]) {
    let transport = session.openTransport
    for exchange in exchanges {
      if let body = exchange.response?.body { transport?.discard(body) }
    }
  }

  /// Ends what runs in the background and commits what is queued.
  package func close() async {
    session.openTransport?.shutdown()
    session.exampleServer.stop()
    session.mock.stop()
    await scripts.end()
    await store.close()
    discard(session.update { $0.memory.forgetAll() })
  }

  /// The transport; its connections are used again by all sends of the session.
  package func transport(keptBodyBytes: Int) -> Transport {
    session.transport(
      spoolDirectory: store.location.spoolDirectory, keptBodyBytes: keptBodyBytes)
  }
}
