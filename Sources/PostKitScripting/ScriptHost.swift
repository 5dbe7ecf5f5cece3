// The script engine of a workspace or of a run: its children, and who gets which.

import PostKitJSON
import PostKitSupport
import Synchronization

/// Runs scripts in children of this program. A child serves one run at a time and waits for the
/// next one for a minute.
package final class ScriptHost: ScriptEngine {
  private struct State {
    var idle: [ScriptChild] = []
    var busy: [ScriptChild] = []
    /// When children crashed, in microseconds of the monotonic clock.
    var crashes: [Int64] = []
    var isEnded = false
    /// How many children run a script right now.
    var running = 0
    /// Who waits for one of them to be done, the first first.
    var waiting: [Turn] = []
    /// Those who gave up before they began to wait.
    var givenUp: Set<Int> = []
    var turns = 0
  }

  private struct Turn {
    let number: Int
    let begin: CheckedContinuation<Bool, Never>
  }

  private let start: ChildStart
  private let idleMilliseconds: Int
  /// How many seconds a child may take until it answers.
  let startSeconds: Int
  private let state = Mutex(State())

  /// How many runs may have scripts at the same time.
  package static let childLimit = 16
  /// How many of them may run a script at the same moment; those that wait for an answer don't.
  package static let runningLimit = 2
  private static let sessionsPerChild = 200
  private static let recycledBytes = 256 << 20
  private static let crashLimit = 3
  private static let crashSpan: Int64 = 60_000_000

  /// Makes an engine; nothing is started. `program` is this one unless a test says otherwise, and
  /// `variables` are added to the little that a child has as its environment.
  package init(
    program: String? = nil, variables: [String: String] = [:], idleMilliseconds: Int = 60_000,
    startSeconds: Int = 60
  ) {
    start = ChildStart(program: program ?? ChildStart.ownProgram, variables: variables)
    (self.idleMilliseconds, self.startSeconds) = (idleMilliseconds, startSeconds)
  }

  deinit { for child in state.withLock({ $0.idle }) { child.end() } }

  /// Gets a child that waits, or a new one, and greets it.
  ///
  /// Errors: the engine is missing or can't be started.
  package func session(
    _ limits: ScriptLimits, seed: UInt64?, now: Int64?
  ) async throws(ScriptEngineFailure) -> any ScriptSession {
    let session = HostSession(self, limits, seed: seed, now: now)
    _ = try await session.connect()
    return session
  }

  /// Starts a child that waits for the next session.
  package func warm() {
    let child = state.withLock { state -> ScriptChild? in
      guard state.idle.isEmpty, state.busy.isEmpty, !state.isEnded else { return nil }
      let child = ScriptChild(start)
      state.idle.append(child)
      return child
    }
    if let child { endLater(child) }
  }

  /// How many children run a script, and how many scripts wait for that.
  package var turns: (running: Int, waiting: Int) {
    state.withLock { ($0.running, $0.waiting.count) }
  }

  /// Waits until a script may run; `false` where the task was cancelled meanwhile.
  func enter() async -> Bool {
    let number = state.withLock { state in
      state.turns += 1
      return state.turns
    }
    let mayRun = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.givenUp.contains(number) { return false }
          guard state.running >= Self.runningLimit else {
            state.running += 1
            return true
          }
          state.waiting.append(Turn(number: number, begin: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let turn = state.withLock { state -> Turn? in
        guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.givenUp.insert(number)
          return nil
        }
        return state.waiting.remove(at: place)
      }
      turn?.begin.resume(returning: false)
    }
    state.withLock { _ = $0.givenUp.remove(number) }
    return mayRun
  }

  /// Lets the next one run.
  func leave() {
    let next = state.withLock { state -> Turn? in
      if state.waiting.isEmpty {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.begin.resume(returning: true)
  }

  /// Starts a child, asks what it is, and keeps it for the next run.
  package func facts() async throws(ScriptEngineFailure) -> ScriptEngineFacts {
    let began = Clock.monotonicMicroseconds
    let session = HostSession(self, ScriptLimits(), seed: nil, now: nil)
    var facts = try await session.connect()
    facts.startMicroseconds = Clock.monotonicMicroseconds - began
    await session.close()
    return facts
  }

  /// The processes of children that wait for a run, and of those that serve one.
  package var processes: (idle: [Int32], busy: [Int32]) {
    state.withLock { ($0.idle.compactMap(\.process), $0.busy.compactMap(\.process)) }
  }

  /// Ends all children that wait; those that serve a run end with it.
  package func end() {
    let children = state.withLock { state in
      state.isEnded = true
      defer { state.idle = [] }
      return state.idle
    }
    for child in children { child.end() }
  }

  /// A child for a session: one that waits, else a new one.
  func take() throws(ScriptEngineFailure) -> ScriptChild {
    let now = Clock.monotonicMicroseconds
    let taken: Result<ScriptChild, ScriptEngineFailure> = state.withLock { state in
      state.crashes.removeAll { now - $0 > Self.crashSpan }
      if state.crashes.count >= Self.crashLimit {
        return .failure(
          .broken("The script engine has crashed three times in a minute; scripts wait a minute."))
      }
      guard state.busy.count < Self.childLimit else {
        return .failure(.broken("Too many runs with scripts go on; wait until one has ended."))
      }
      state.idle.removeAll { $0.isOver }
      let child = state.idle.popLast() ?? ScriptChild(start)
      state.busy.append(child)
      return .success(child)
    }
    let child = try taken.get()
    child.sessions.add(1, ordering: .relaxed)
    return child
  }

  /// Takes a child back whose session has ended.
  func give(back child: ScriptChild) {
    let isWorn =
      child.isOver || child.usedBytes > Self.recycledBytes
      || child.sessions.load(ordering: .relaxed) >= Self.sessionsPerChild
    let isKept = state.withLock { state in
      state.busy.removeAll { $0 === child }
      guard !isWorn, !state.isEnded, state.idle.count < 2 else { return false }
      state.idle.append(child)
      return true
    }
    guard isKept else { return child.end() }
    endLater(child)
  }

  /// Ends a child once nobody has used it for a while.
  private func endLater(_ child: ScriptChild) {
    let sessions = child.sessions.load(ordering: .relaxed)
    Alarm.shared.schedule(afterMicroseconds: Int64(idleMilliseconds) * 1_000) { [weak self] in
      self?.endIdle(child, since: sessions)
    }
  }

  private func endIdle(_ child: ScriptChild, since sessions: Int) {
    let isIdle = state.withLock { state in
      guard child.sessions.load(ordering: .relaxed) == sessions,
        let place = state.idle.firstIndex(where: { $0 === child })
      else { return false }
      state.idle.remove(at: place)
      return true
    }
    if isIdle { child.end() }
  }

  /// Forgets a child that has ended.
  func forget(_ child: ScriptChild) {
    state.withLock { state in
      state.busy.removeAll { $0 === child }
      state.idle.removeAll { $0 === child }
    }
  }

  /// Counts a crash.
  func noteCrash() {
    let now = Clock.monotonicMicroseconds
    state.withLock { $0.crashes.append(now) }
  }
}

/// What is known of an engine that has started.
package struct ScriptEngineFacts: Sendable, Hashable {
  /// How far the engine is kept from the system.
  package enum Confinement: String, Sendable, Hashable { case full, partial, none }

  /// PostKit's own version, as the child says it.
  package var version: String
  /// Such as `JavaScriptCore 2.50.6`.
  package var engine: String
  /// The library's name in the system.
  package var library: String
  package var confinement: Confinement
  /// Time from asking for a child until it was ready.
  package var startMicroseconds: Int64 = 0

  init(_ message: JSONValue) {
    version = message["version"]?.string ?? ""
    engine = message["engine"]?.string ?? ""
    library = message["library"]?.string ?? ""
    confinement = message["confined"]?.string.flatMap(Confinement.init(rawValue:)) ?? .none
  }

  /// What is said where no library was found (SC-63).
  package static let missingSentence =
    "Scripts need JavaScriptCore, which is not installed. "
    + "Install it with \"apt install libjavascriptcoregtk-4.1-0\" (Debian, Ubuntu), "
    + "\"dnf install javascriptcoregtk4.1\" (Fedora), \"pacman -S webkit2gtk-4.1\" (Arch), "
    + "\"apk add webkit2gtk-4.1\" (Alpine). PostKit does everything else without it."
}
