// What comes from the child, and what is done where nothing comes.

import PostKitJSON
import PostKitScriptFrames
import PostKitSupport
import Synchronization

extension HostSession {
  /// Hears of a message or of the end of a child.
  func hear(_ news: ScriptChild.News, from child: ScriptChild) {
    guard state.withLock({ $0.child === child }) else { return }
    switch news {
    case .ended(let failure): lose(child, failure)
    case .frame(let frame): take(frame, from: child)
    }
  }

  private func lose(_ child: ScriptChild, _ failure: ScriptEngineFailure) {
    if case .crashed = failure { host.noteCrash() }
    let (greeting, hadJobs) = state.withLock { state in
      defer {
        state.child = nil
        state.jobs = []
      }
      return (state.greeting, !state.jobs.isEmpty)
    }
    host.forget(child)
    leave()
    greeting?.give(.failure(failure))
    if hadJobs { give(.failed(failure)) }
  }

  private func take(_ frame: ScriptFrame, from child: ScriptChild) {
    switch frame.message["kind"]?.string {
    case "ready":
      let greeting = state.withLock { $0.greeting }
      greeting?.give(.success(ScriptEngineFacts(frame.message)))
    case "missing":
      let greeting = state.withLock { $0.greeting }
      child.end()
      greeting?.give(.failure(.missing(ScriptEngineFacts.missingSentence)))
    default:
      guard let event = ScriptEvent(frame) else { return }
      guard note(event) else {
        return child.kill(.broken("The script engine can't be understood: a wrong job."))
      }
      if state.withLock({ $0.jobs.allSatisfy { $0.since == nil } }) { leave() }
      give(event)
    }
  }

  /// Keeps what an event changes; `false` where it tells of a job that doesn't go on.
  private func note(_ event: ScriptEvent) -> Bool {
    let now = Clock.monotonicMicroseconds
    return state.withLock { state in
      guard let last = state.jobs.indices.last else { return false }
      switch event {
      case .call(let call):
        guard let place = state.jobs.firstIndex(where: { $0.id == call.job }) else { return false }
        state.jobs[place].calls.insert(call.number)
        state.jobs[place].pause(at: now)
        return true
      case .log(let job, _): return state.jobs.contains { $0.id == job }
      case .done(let outcome):
        keepFunctions(outcome.effects, &state)
        return end(outcome.id, last, &state, now)
      case .values(let outcome): return end(outcome.id, last, &state, now)
      case .checked(let id, _): return end(id, last, &state, now)
      case .failed: return true
      }
    }
  }

  private func keepFunctions(_ effects: ScriptEffects, _ state: inout State) {
    guard !effects.exportedFunctions.isEmpty else { return }
    for context in state.contexts {
      state.functions[context.number, default: []].formUnion(effects.exportedFunctions)
    }
  }

  private func end(_ id: Int, _ last: Int, _ state: inout State, _ now: Int64) -> Bool {
    guard state.jobs[last].id == id else { return false }
    state.jobs.removeLast()
    if let outer = state.jobs.indices.last, state.jobs[outer].calls.isEmpty {
      state.jobs[outer].since = now
    }
    if state.jobs.isEmpty { state.cancelledAt = nil }
    return true
  }

  /// Hands an event to who waits for it.
  func give(_ event: ScriptEvent) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      if state.waiter == nil { state.events.append(event) }
      return state.waiter
    }
    waiter?.resume(returning: event)
  }

  /// Asks the child to end its jobs; where it doesn't, it is killed.
  func cancelJobs() {
    let (child, ids) = state.withLock { state in
      if !state.jobs.isEmpty { state.cancelledAt = Clock.monotonicMicroseconds }
      return (state.child, state.jobs.map(\.id))
    }
    guard let child, !ids.isEmpty else { return }
    for id in ids { child.send(ScriptFrame(["kind": "cancel", "id": .int(id)])) }
    Alarm.shared.schedule(afterMicroseconds: Self.cancelGrace) { [weak self] in self?.look() }
  }

  /// Microseconds that a job may go on after its time: a long regular expression ends meanwhile.
  private static let grace: Int64 = 1_500_000
  /// Microseconds that a job may go on after it was cancelled.
  private static let cancelGrace: Int64 = 250_000
  /// Bytes over the limit from which the child isn't waited for.
  private static let memoryGrace = 256 << 20

  /// Looks at the clock a little later.
  func tickLater() {
    Alarm.shared.schedule(afterMicroseconds: 100_000) { [weak self] in
      guard let self else { return }
      look()
      let goesOn = state.withLock { state in
        state.isTicking = !state.jobs.isEmpty
        return state.isTicking
      }
      if goesOn { tickLater() }
    }
  }

  /// Kills the child where its job has had its time, or where it was to end and didn't.
  private func look() {
    let now = Clock.monotonicMicroseconds
    let (child, job, cancelledAt) = state.withLock { ($0.child, $0.jobs.last, $0.cancelledAt) }
    guard let child, let job else { return }
    if let cancelledAt, now - cancelledAt >= Self.cancelGrace { return child.kill(.cancelled) }
    if job.used(at: now) > Int64(job.milliseconds) * 1_000 + Self.grace {
      return child.kill(.killed(.time(milliseconds: job.milliseconds)))
    }
    if child.usedBytes > job.memoryAtStart + limits.memoryBytes + Self.memoryGrace {
      child.kill(.killed(.memory(bytes: limits.memoryBytes)))
    }
  }
}
