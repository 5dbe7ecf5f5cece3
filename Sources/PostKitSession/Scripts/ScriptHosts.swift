// Who has the script engines: each folder has one, which starts with its first script.

package import PostKitScripting
import PostKitSupport

/// The engine of a folder.
package struct FolderEngine: Sendable {
  package let engine: any ScriptEngine
  /// Ends its children that nobody uses; those that a run uses end with it.
  package let end: @Sendable () -> Void

  /// Makes the engine of a folder.
  package init(_ engine: any ScriptEngine, end: @escaping @Sendable () -> Void = {}) {
    (self.engine, self.end) = (engine, end)
  }
}

/// The script engines of a session, one for each folder, so that no child sees scripts of two.
package actor ScriptHosts {
  /// How many crashes within how many microseconds have scripts switched off.
  private static let crashLimit = (count: 3, span: Int64(60_000_000))

  private let start: @Sendable (_ root: String) -> FolderEngine
  /// Called with what is wrong with the engine; with `nil` when all is well again.
  private let health: @Sendable (String?) -> Void
  private var engines: [String: FolderEngine] = [:]
  /// The times of the last crashes, in microseconds.
  private var crashes: [Int64] = []
  /// Why no script runs any more in this session.
  private var reasonOff: String?
  private var isMissing = false
  private var hasEnded = false

  /// Makes an owner of engines whose children are this program.
  package init(health: @escaping @Sendable (String?) -> Void = { _ in }) {
    self.init(
      start: { _ in
        let host = ScriptHost()
        return FolderEngine(host) { host.end() }
      }, health: health)
  }

  /// Makes an owner that gets the engine of a folder by a closure.
  init(
    start: @escaping @Sendable (_ root: String) -> FolderEngine,
    health: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    (self.start, self.health) = (start, health)
  }

  /// The engine of a folder, as a run sees it.
  package nonisolated func engine(of root: String) -> any ScriptEngine {
    WatchedEngine(hosts: self, root: root)
  }

  /// The engine of a folder for who only reads scripts: that it is missing is no news for them.
  package nonisolated func reader(of root: String) -> any ScriptEngine {
    WatchedEngine(hosts: self, root: root, onlyReads: true)
  }

  /// Ends all children that nobody uses; no session is given out any more.
  package func end() {
    hasEnded = true
    for engine in engines.values { engine.end() }
    engines = [:]
  }

  /// The engine of a folder; `nil` once the session ends.
  fileprivate func own(_ root: String) -> (any ScriptEngine)? {
    if hasEnded { return nil }
    if let known = engines[root] { return known.engine }
    let new = start(root)
    engines[root] = new
    return new.engine
  }

  /// Gets a session of the engine of a folder.
  fileprivate func session(
    of root: String, _ limits: ScriptLimits, seed: UInt64?, now: Int64?, onlyReads: Bool
  ) async throws(ScriptEngineFailure) -> any ScriptSession {
    if let reasonOff { throw .broken(reasonOff) }
    guard let engine = own(root) else { throw .cancelled }
    do throws(ScriptEngineFailure) {
      let session = try await engine.session(limits, seed: seed, now: now)
      if isMissing {
        isMissing = false
        health(nil)
      }
      return WatchedSession(session: session, hosts: self)
    } catch {
      if case .missing = error, onlyReads { throw error }
      note(error)
      throw error
    }
  }

  /// Starts a child of the engine of a folder ahead of its use.
  fileprivate func warm(_ root: String) {
    if reasonOff == nil { own(root)?.warm() }
  }

  /// Notes a failure of an engine: one that keeps crashing is left alone.
  fileprivate func note(_ failure: ScriptEngineFailure) {
    switch failure {
    case .missing(let sentence):
      isMissing = true
      health(sentence)
    case .crashed:
      let now = Clock.monotonicMicroseconds
      crashes = crashes.filter { now - $0 < Self.crashLimit.span } + [now]
      guard crashes.count >= Self.crashLimit.count, reasonOff == nil else { return }
      let sentence =
        "The script engine ended \(crashes.count) times within a minute, so PostKit runs no more "
        + "scripts. Restart the language server to try again, and report this as a mistake."
      reasonOff = sentence
      health(sentence)
    case .killed, .cancelled, .broken: break
    }
  }
}

/// The engine of a folder, whose failures are noted.
private struct WatchedEngine: ScriptEngine {
  let hosts: ScriptHosts
  let root: String
  var onlyReads = false

  func session(
    _ limits: ScriptLimits, seed: UInt64?, now: Int64?
  ) async throws(ScriptEngineFailure) -> any ScriptSession {
    try await hosts.session(of: root, limits, seed: seed, now: now, onlyReads: onlyReads)
  }

  func warm() {
    let (hosts, root) = (hosts, root)
    // Unstructured on purpose: nobody waits for it.
    Task(executorPreference: WorkerPool.acting) { await hosts.warm(root) }
  }
}

/// A session whose failures are noted.
private struct WatchedSession: ScriptSession {
  let session: any ScriptSession
  let hosts: ScriptHosts

  func open(_ context: ScriptContext) async { await session.open(context) }

  func define(_ scope: ScriptScope) async { await session.define(scope) }

  func begin(_ job: ScriptJob) async { await session.begin(job) }

  func next() async -> ScriptEvent {
    let event = await session.next()
    if case .failed(let failure) = event { await hosts.note(failure) }
    return event
  }

  func answer(_ call: ScriptCall, _ answer: ScriptAnswer) async {
    await session.answer(call, answer)
  }

  func cancel() { session.cancel() }

  func close() async { await session.close() }
}
