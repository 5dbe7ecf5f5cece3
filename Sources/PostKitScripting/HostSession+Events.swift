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
    case .frame(let frame, let bytes): take(frame, bytes, from: child)
    }
  }

  private func lose(_ child: ScriptChild, _ failure: ScriptEngineFailure) {
    if case .crashed = failure { host.noteCrash() }
    let (greeting, waiter) = state.withLock { state in
      defer {
        state.child = nil
        state.jobs = []
        state.following = nil
      }
      let event = ScriptEvent.failed(failure)
      return (state.greeting, state.jobs.isEmpty ? nil : keep(event, 0, &state))
    }
    host.forget(child)
    leave()
    greeting?.give(.failure(failure))
    waiter?.resume(returning: .failed(failure))
  }

  private func take(_ frame: ScriptFrame, _ bytes: Int, from child: ScriptChild) {
    switch frame.message["kind"]?.string {
    case "ready":
      let greeting = state.withLock { state in
        defer { state.greeting = nil }
        return state.greeting
      }
      greeting?.give(.success(ScriptEngineFacts(frame.message)))
    case "missing":
      let greeting = state.withLock { $0.greeting }
      child.end()
      greeting?.give(.failure(.missing(ScriptEngineFacts.missingSentence)))
    default:
      guard let event = ScriptEvent(frame) else { return }
      // In one step: a job that has ended without its event would look like none at all.
      let (complaint, waiter, rests) = state.withLock { state in
        let complaint = note(event, bytes, &state)
        if complaint != nil {
          return (complaint, nil as CheckedContinuation<ScriptEvent, Never>?, false)
        }
        if let spoilt = frame.message["spoilt"]?.int { renew(spoilt, of: child, state) }
        // Nothing runs while the program is asked, or between jobs.
        let rests = state.isRunning && state.jobs.allSatisfy { $0.since == nil }
        if rests { state.isRunning = false }
        return (nil, keep(event, bytes, &state), rests)
      }
      if let complaint { return child.kill(.broken(complaint)) }
      if rests { host.leave() }
      waiter?.resume(returning: event)
    }
  }

  /// Has a context made anew whose built-in objects a script has replaced or deleted. While another
  /// job is in it, that one still needs it, and says the same at its end. This goes out before
  /// anybody hears that the job has ended, so that no next one comes first.
  private func renew(_ number: Int, of child: ScriptChild, _ state: State) {
    guard state.jobs.isEmpty, let context = state.contexts.first(where: { $0.number == number })
    else { return }
    child.send(ScriptFrame(["kind": "close", "ctx": .int(number)]))
    for frame in state.frames(opening: context) { child.send(frame) }
  }

  /// Bytes and number of the events that may wait until somebody asks for them; one may be larger.
  private static let mostWaiting = (bytes: 64 << 20, events: 10_000)
  /// Calls of a job that may wait for their answers at a time.
  private static let mostCalls = 1_000

  /// Keeps what an event changes; gives what is wrong with one that no job should cause.
  private func note(_ event: ScriptEvent, _ bytes: Int, _ state: inout State) -> String? {
    let now = Clock.monotonicMicroseconds
    let isRoomLeft =
      state.waitingBytes + bytes <= Self.mostWaiting.bytes
      && state.events.count < Self.mostWaiting.events
    guard state.events.isEmpty || isRoomLeft else {
      return "The script engine says more than can be taken in."
    }
    let isRight: Bool
    switch event {
    case .call(let call):
      guard let place = state.jobs.firstIndex(where: { $0.id == call.job }) else {
        isRight = false
        break
      }
      state.jobs[place].calls.insert(call.number)
      state.jobs[place].pause(at: now)
      if state.jobs[place].calls.count > Self.mostCalls {
        return "The script waits for more than \(Self.mostCalls) answers at a time. Await some."
      }
      isRight = true
    case .log(let job, _): isRight = state.jobs.contains { $0.id == job }
    case .done(let outcome):
      isRight = end(outcome.id, by: .done, &state, now)
      if isRight { keepFunctions(outcome.effects, &state) }
    case .values(let outcome): isRight = end(outcome.id, by: .values, &state, now)
    case .checked(let id, _): isRight = end(id, by: .checked, &state, now)
    case .failed: isRight = true
    }
    return isRight ? nil : "The script engine can't be understood: a wrong job."
  }

  private func keepFunctions(_ effects: ScriptEffects, _ state: inout State) {
    guard !effects.exportedFunctions.isEmpty else { return }
    for context in state.contexts {
      state.functions[context.number, default: []].formUnion(effects.exportedFunctions)
    }
  }

  /// Ends the innermost job, or one that follows another; `false` where the message is about any
  /// other one, or of another kind.
  private func end(
    _ id: Int, by end: Active.End, _ state: inout State, _ now: Int64
  ) -> Bool {
    let isFollowing = state.jobs.first?.isFollowing == true && state.jobs.first?.id == id
    let place = isFollowing ? 0 : state.jobs.count - 1
    guard place >= 0, state.jobs[place].id == id, state.jobs[place].end == end else { return false }
    state.jobs.remove(at: place)
    if state.jobs.isEmpty, let following = state.following {
      state.following = nil
      state.jobs = [following]
    }
    if let inner = state.jobs.indices.last, state.jobs[inner].calls.isEmpty {
      state.jobs[inner].since = state.jobs[inner].since ?? now
    }
    if state.jobs.isEmpty { state.cancelledAt = nil }
    return true
  }

  /// Hands an event to who waits for it.
  func give(_ event: ScriptEvent) {
    state.withLock { keep(event, 0, &$0) }?.resume(returning: event)
  }

  /// Keeps an event where nobody waits for it; else gives who does.
  private func keep(
    _ event: ScriptEvent, _ bytes: Int, _ state: inout State
  ) -> CheckedContinuation<ScriptEvent, Never>? {
    defer { state.waiter = nil }
    if state.waiter == nil {
      state.events.append((event, bytes))
      state.waitingBytes += bytes
    }
    return state.waiter
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
