// One run's use of a child: what it asks, what comes, and who watches the clock.

import PostKitJSON
import PostKitScriptFrames
import PostKitSupport
import Synchronization

/// A session with a child of its own, which is replaced where it ends.
final class HostSession: ScriptSession {
  /// A job that goes on.
  struct Active {
    /// Which message ends a job.
    enum End: Sendable { case done, values, checked }

    let id: Int
    let end: End
    let milliseconds: Int
    /// Time that it has used, in microseconds, up to `since`.
    var spent: Int64 = 0
    /// When the clock was last started; `nil` while it stands still.
    var since: Int64?
    /// Calls that wait for an answer.
    var calls: Set<Int> = []
    /// Whether it was handed over with another one, after which it begins.
    var isFollowing = false
    let memoryAtStart: Int

    /// The time used until a moment.
    func used(at now: Int64) -> Int64 { spent + (since.map { now - $0 } ?? 0) }
    /// Stops the clock.
    mutating func pause(at now: Int64) {
      spent = used(at: now)
      since = nil
    }
  }

  /// What changes while a session lives.
  struct State {
    var child: ScriptChild?
    var greeting: First<Result<ScriptEngineFacts, ScriptEngineFailure>>?
    var jobs: [Active] = []
    /// The job that begins when all of these have ended.
    var following: Active?
    /// Events that nobody has asked for yet, and the bytes of each as it was told.
    var events: [(event: ScriptEvent, bytes: Int)] = []
    var waitingBytes = 0
    var waiter: CheckedContinuation<ScriptEvent, Never>?
    var contexts: [ScriptContext] = []
    /// The bare names of each context.
    var scopes: [Int: [String: JSONValue]] = [:]
    /// Exported functions by their context; they end with the child.
    var functions: [Int: Set<String>] = [:]
    /// Messages that go out with the next job.
    var unsent: [UInt8] = []
    var cancelledAt: Int64?
    var isTicking = false
    var isClosed = false
    /// Whether it counts among those that run a script.
    var isRunning = false

    /// The first event that waits.
    mutating func takeEvent() -> ScriptEvent? {
      if events.isEmpty { return nil }
      let (event, bytes) = events.removeFirst()
      waitingBytes -= bytes
      return event
    }

    /// What has a child make a context, with what is known of it.
    func frames(opening context: ScriptContext) -> [ScriptFrame] {
      let lost = (functions[context.number] ?? []).sorted()
      let opening = ScriptFrame(context, lost: lost)
      guard let values = scopes[context.number] else { return [opening] }
      let members = values.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) }
      return [opening, ScriptFrame(ScriptScope(context: context.number, set: members))]
    }
  }

  let host: ScriptHost
  let limits: ScriptLimits
  private let seed: UInt64?
  private let now: Int64?
  let state = Mutex(State())

  /// Makes a session without a child.
  init(_ host: ScriptHost, _ limits: ScriptLimits, seed: UInt64?, now: Int64?) {
    (self.host, self.limits, self.seed, self.now) = (host, limits, seed, now)
  }

  deinit {
    leave()
    guard let child = state.withLock({ $0.child }) else { return }
    child.end()
    host.forget(child)
  }

  /// Gets a child and greets it.
  func connect() async throws(ScriptEngineFailure) -> ScriptEngineFacts {
    let child = try host.take()
    let greeting = First<Result<ScriptEngineFacts, ScriptEngineFailure>>()
    state.withLock { state in
      state.child = child
      state.greeting = greeting
    }
    child.listen { [weak self, weak child] news in
      guard let child else { return }
      self?.hear(news, from: child)
    }
    var members = [
      JSONMember("kind", "hello"), JSONMember("version", .string(Version.number)),
      JSONMember(
        "limits",
        [
          "ms": .int(limits.milliseconds), "rss": .int(limits.memoryBytes),
          "output": .int(limits.outputBytes),
        ]),
    ]
    if let seed { members.append(JSONMember("seed", .int(seed))) }
    if let now { members.append(JSONMember("now", .int(now))) }
    child.send(ScriptFrame(.object(members)))
    let seconds = host.startSeconds
    let alarm = Alarm.shared.schedule(afterMicroseconds: Int64(seconds) * 1_000_000) {
      [weak self] in
      // It may have answered long before this task goes on.
      guard self?.state.withLock({ $0.greeting != nil && $0.child === child }) == true else {
        return
      }
      child.kill(.broken("The script engine did not start within \(seconds) s."))
    }
    let result = await greeting.value
    Alarm.shared.cancel(alarm)
    let facts = try result.get()
    guard facts.version == Version.number else {
      child.end()
      throw .broken("The script engine is of another version: \(facts.version).")
    }
    if limits.requiresConfinement, facts.confinement == .none {
      child.end()
      throw .broken(
        "Scripts don't run, as this system can't confine them and "
          + "scripts.requireConfinement is set.")
    }
    return facts
  }

  /// Makes a context; a child that comes later gets it, too.
  func open(_ context: ScriptContext) async {
    let child = state.withLock { state in
      state.contexts.removeAll { $0.number == context.number }
      state.contexts.append(context)
      return state.child
    }
    child?.send(ScriptFrame(context, lost: []))
  }

  /// Sets and removes bare names; a child that comes later gets them, too.
  func define(_ scope: ScriptScope) async {
    let bytes = ScriptFrame(scope).encoded()
    state.withLock { state in
      for name in scope.unset { state.scopes[scope.context]?[name] = nil }
      for member in scope.set {
        state.scopes[scope.context, default: [:]][member.key] = member.value
      }
      // Only a job reads them. A child that comes later is told all of them.
      if state.child != nil { state.unsent += bytes }
    }
  }

  /// Begins a job, in a new child where the last one has ended.
  func begin(_ job: ScriptJob) async {
    // A child may end just before the job begins.
    while true {
      var child = state.withLock { $0.child }
      if child == nil {
        do throws(ScriptEngineFailure) {
          _ = try await connect()
          child = reopen()
        } catch {
          letGo()
          return give(.failed(error))
        }
      }
      guard let child else { continue }
      guard await enter() else { return give(.failed(.cancelled)) }
      if begin(job, in: child) { return }
    }
  }

  /// Lets go of a child that can't be used.
  private func letGo() {
    let child = state.withLock { state in
      defer { state.child = nil }
      return state.child
    }
    guard let child else { return }
    child.end()
    host.forget(child)
  }

  /// Begins a job in a child; `false` where that has ended.
  private func begin(_ job: ScriptJob, in child: ScriptChild) -> Bool {
    let memory = child.recentlyUsedBytes
    let now = Clock.monotonicMicroseconds
    let needsTick = state.withLock { state -> Bool? in
      guard state.child === child else { return nil }
      if let last = state.jobs.indices.last { state.jobs[last].pause(at: now) }
      state.jobs.append(
        Active(
          id: job.id, end: job.end, milliseconds: milliseconds(of: job), since: now,
          memoryAtStart: memory))
      state.cancelledAt = nil
      defer { state.isTicking = true }
      return !state.isTicking
    }
    guard let needsTick else { return false }
    let before = state.withLock { state in
      defer { state.unsent = [] }
      return state.unsent
    }
    child.attend(false)
    child.send(bytes: before + ScriptFrame(job).encoded())
    if needsTick { tickLater() }
    return true
  }

  /// Hands over a job that begins when its predecessor has ended.
  func follow(with job: EvaluateExpressions) async -> Bool {
    let (child, before) = state.withLock { state -> (ScriptChild?, [UInt8]) in
      guard let child = state.child, state.jobs.count < 2, state.following == nil else {
        return (nil, [])
      }
      var following = Active(
        id: job.id, end: .values, milliseconds: milliseconds(of: .evaluate(job)),
        isFollowing: true, memoryAtStart: child.recentlyUsedBytes)
      if state.jobs.first?.id == job.predecessor {
        state.following = following
      } else if state.jobs.isEmpty, state.isRunning {
        following.since = Clock.monotonicMicroseconds
        state.jobs = [following]
      } else {
        return (nil, [])
      }
      defer { state.unsent = [] }
      return (child, state.unsent)
    }
    guard let child else { return false }
    child.send(bytes: before + ScriptFrame(.evaluate(job)).encoded())
    return true
  }

  /// Waits until a script of this session may run, unless one does.
  private func enter() async -> Bool {
    if state.withLock({ $0.isRunning }) { return true }
    guard await host.enter() else { return false }
    state.withLock { $0.isRunning = true }
    return true
  }

  /// Lets others run, as nothing of this session does.
  func leave() {
    let wasRunning = state.withLock { state in
      defer { state.isRunning = false }
      return state.isRunning
    }
    if wasRunning { host.leave() }
  }

  /// Tells a new child what the one before knew.
  private func reopen() -> ScriptChild? {
    let (child, frames) = state.withLock { state in
      state.unsent = []
      return (state.child, state.contexts.flatMap(state.frames(opening:)))
    }
    for frame in frames { child?.send(frame) }
    return child
  }

  private func milliseconds(of job: ScriptJob) -> Int {
    switch job {
    case .run(let run): run.deadlineMilliseconds ?? limits.milliseconds
    case .evaluate(let batch):
      batch.deadlineMilliseconds ?? limits.milliseconds / 5 + 10 * batch.items.count
    case .check, .deliver: limits.milliseconds
    }
  }

  /// The next event; one that takes its time is awaited without a thread.
  func next() async -> ScriptEvent {
    if let event = takeEvent() { return event }
    if let child = state.withLock({ $0.jobs.isEmpty ? nil : $0.child }) {
      child.readHere()
      if let event = takeEvent() { return event }
      child.attend(true)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let event = state.withLock { state -> ScriptEvent? in
          if let event = state.takeEvent() { return event }
          if state.jobs.isEmpty { return .failed(.broken("No script is running.")) }
          state.waiter = continuation
          return nil
        }
        if let event { continuation.resume(returning: event) }
      }
    } onCancel: {
      cancelJobs()
    }
  }

  private func takeEvent() -> ScriptEvent? {
    let (event, child) = state.withLock { ($0.takeEvent(), $0.child) }
    // The job goes on while the program does what it asks for.
    if case .call(let call) = event, call.isAsync { child?.attend(true) }
    return event
  }

  /// Answers a call, and starts the clock of its job again.
  func answer(_ call: ScriptCall, _ answer: ScriptAnswer) async {
    if !(await enter()) { cancelJobs() }
    let now = Clock.monotonicMicroseconds
    let child = state.withLock { state in
      if let place = state.jobs.firstIndex(where: { $0.id == call.job }) {
        state.jobs[place].calls.remove(call.number)
        if place == state.jobs.count - 1, state.jobs[place].calls.isEmpty {
          state.jobs[place].since = state.jobs[place].since ?? now
        }
      }
      return state.child
    }
    child?.attend(false)
    child?.send(ScriptFrame(answer, to: call))
  }

  /// Ends the jobs that go on.
  func cancel() { cancelJobs() }

  /// Gives the child back; one that is busy is killed.
  func close() async {
    leave()
    let (child, isIdle, contexts) = state.withLock { state in
      state.isClosed = true
      defer { state.child = nil }
      return (state.child, state.jobs.isEmpty, state.contexts)
    }
    guard let child else { return }
    child.ignore()
    child.attend(true)
    guard isIdle else { return child.kill(.cancelled) }
    for context in contexts {
      child.send(ScriptFrame(["kind": "close", "ctx": .int(context.number)]))
    }
    host.give(back: child)
  }
}

extension ScriptJob {
  /// Which message ends it.
  fileprivate var end: HostSession.Active.End {
    switch self {
    case .run, .deliver: .done
    case .evaluate: .values
    case .check: .checked
    }
  }
}
