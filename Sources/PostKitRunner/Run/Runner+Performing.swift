// What a plan asks for, done: needs first, then the request, as often as its loop says.

import PostKitEvaluate
import PostKitHTTP
import PostKitScripting
import PostKitSyntax
import PostKitTransport

/// A run under way.
struct RunProgress {
  var plan: RunPlan
  let jar: CookieJar
  let onEvent: @Sendable (RunEvent) -> Void
  private(set) var outcomes: [RunOutcome] = []
  private(set) var skipped: [SkippedRequest] = []
  /// Whether nothing more is to be sent.
  private(set) var isStopped = false
  /// How each request ended that was sent, or should have been; the latest time counts.
  private(set) var endings: [RequestPlace: Ending] = [:]
  /// The requests that were asked for themselves, or needed once: they are not sent again.
  var settled: Set<RequestPlace> = []
  /// The request whose turn it is among those that were asked for, and the one after it. What the
  /// first needs is sent in its turn, too.
  var turn: (asked: RequestPlace, next: RequestPlace?)?
  /// Which request goes next, where a script says so, and how often one has.
  var next: ScriptEffects.Next?
  var jumps = 0
  /// What has been done for that request already.
  var ahead: RequestAhead?

  /// How a request ended.
  enum Ending: Sendable {
    case done
    /// With the title of the request at the broken end of the chain, and what happened there.
    case failed(title: String, sentence: String)
    case skipped(title: String, reason: String)
  }

  /// Forgets what was sent, for the next round of a run that is repeated.
  mutating func beginRound() {
    endings = [:]
    settled = []
  }

  /// Notes what became of a request.
  mutating func add(_ outcome: RunOutcome, stopsAtFirstFailure: Bool) {
    outcomes.append(outcome)
    onEvent(.finished(outcome))
    let isWell = outcome.exitCode == 0
    if outcome.state == .cancelled || !isWell && stopsAtFirstFailure { isStopped = true }
    if !isWell {
      endings[outcome.place] = .failed(title: outcome.title, sentence: outcome.whyItFailed)
    }
  }

  /// Notes that a request is not sent on purpose.
  mutating func skip(_ request: PlannedRequest, _ reason: String, wasDeclined: Bool = false) {
    let entry = SkippedRequest(request: request, reason: reason, wasDeclined: wasDeclined)
    skipped.append(entry)
    onEvent(.skipped(entry))
    endings[request.place] = .skipped(title: request.title, reason: reason)
  }

  /// Notes how a request ended where that is not known from an outcome.
  mutating func end(_ place: RequestPlace, _ ending: Ending) { endings[place] = ending }

  /// How a request ended, where not well.
  func broken(_ place: RequestPlace) -> (RequestPlace, Ending)? {
    switch endings[place] {
    case .done, nil: nil
    case let ending?: (place, ending)
    }
  }
}

/// Why a request is sent.
enum RunReason: Sendable, Hashable {
  /// The user named it.
  case asked
  /// Another one needs it; in the chain of a shared block nothing shared goes before it.
  case needed(isForced: Bool, isShared: Bool)
}

extension Runner {
  /// Sends a request after those it needs.
  func perform(
    _ place: RequestPlace, _ reason: RunReason, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async {
    var isShared = false
    switch reason {
    case .asked: if !progress.settled.insert(place).inserted { return }
    case .needed(let isForced, let shared):
      isShared = shared
      if !isForced { progress.settled.insert(place) }
    }
    progress.end(place, .done)
    guard await isWanted(place, &progress, &state) else { return }
    let shared = isShared ? [] : progress.plan.sharedSteps(before: place)
    for (steps, isShared) in [(shared, true), (progress.plan.steps(before: place), isShared)] {
      for step in steps {
        if let broken = await follow(step, of: place, isShared, &progress, &state) {
          stop(place, broken, &progress, state)
          return
        }
        if progress.isStopped { return }
      }
    }
    let block = state.scope.files.block(place)
    if block.isRequest, !(block.sharing != nil && block.isPlaceholder) {
      await sendRepetitions(place, &progress, &state)
    }
  }

  /// Whether a request is to be sent at all: `@disabled`, `@note` and prompts come before what it
  /// needs (PK-89).
  private func isWanted(
    _ place: RequestPlace, _ progress: inout RunProgress, _ state: inout RunState
  ) async -> Bool {
    let fast = state.input.stopsAtFirstFailure
    let block = state.scope.files.block(place)
    if let tag = block.disabledTag {
      if !tag.value.isEmpty, let end = await runGlobalBlocks(before: place, &progress, &state) {
        note(end, of: place, &progress, state)
        return false
      }
      let (readiness, problems) = await state.evaluateAnswered(place, services) {
        $0.readiness(of: $1)
      }
      if problems.contains(where: { $0.severity == .error }) {
        let outcome = state.notSent(place, failure: state.failure(problems), problems: problems)
        progress.add(outcome, stopsAtFirstFailure: fast)
        return false
      }
      if readiness == .disabled {
        progress.skip(state.planned(place), "`@\(block.text(tag.key))` turns it off")
        return false
      }
    }
    switch await state.ask(place, services) {
    case nil: return true
    case .declined:
      progress.skip(state.planned(place), "you answered its `@note` with no", wasDeclined: true)
    case .failed(let failure):
      progress.add(state.notSent(place, failure: failure), stopsAtFirstFailure: fast)
    }
    return false
  }

  /// Does what must be done before a request; what is returned keeps it from being sent.
  private func follow(
    _ step: RunStep, of place: RequestPlace, _ isShared: Bool, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> (RequestPlace, RunProgress.Ending)? {
    switch step {
    case .need(let needed, let isForced, let isExplicit):
      let isKnown = progress.endings[needed] != nil || !isExplicit && state.hasResponse(needed)
      if isForced || !isKnown {
        await perform(needed, .needed(isForced: isForced, isShared: isShared), &progress, &state)
      }
      return progress.broken(needed)
    case .run(let places, let directive):
      let line = state.scope.files.block(place).directives[directive]
      let outer = state.enter(line, of: place, services)
      defer { state.leave(outer) }
      for needed in places where !progress.isStopped {
        await perform(needed, .needed(isForced: true, isShared: isShared), &progress, &state)
        // What is switched off in a file is left out of it.
        if case .failed = progress.endings[needed] { return progress.broken(needed) }
      }
      return nil
    }
  }

  /// Notes that a request is not sent because something before it came to nothing.
  private func stop(
    _ place: RequestPlace, _ broken: (needed: RequestPlace, ending: RunProgress.Ending),
    _ progress: inout RunProgress, _ state: RunState
  ) {
    let needed = RunPlan.title(state.scope.files.block(broken.needed))
    func chain(to end: String) -> String {
      needed == end ? "`\(end)`" : "`\(needed)`, and that `\(end)`"
    }
    switch broken.ending {
    case .done: break
    case .skipped(let end, let reason):
      progress.skip(
        state.planned(place), "it needs \(chain(to: end)), which was not sent: \(reason)")
      progress.end(place, .skipped(title: end, reason: reason))
    case .failed(let end, let sentence):
      let outcome = state.skipped(place, because: chain(to: end), failed: sentence)
      progress.add(outcome, stopsAtFirstFailure: state.input.stopsAtFirstFailure)
      progress.end(place, .failed(title: end, sentence: sentence))
    }
  }

  /// Sends a request as often as its `@loop` or its collections say.
  private func sendRepetitions(
    _ place: RequestPlace, _ progress: inout RunProgress, _ state: inout RunState
  ) async {
    let fast = state.input.stopsAtFirstFailure
    if let end = await runScriptsBeforeTurns(of: place, &progress, &state) {
      return note(end, of: place, &progress, state)
    }
    let (turns, problems) =
      state.scope.files.block(place).mayRepeat
      ? await state.evaluateAnswered(place, services) { $0.turns(of: $1) } : (.once, [])
    if problems.contains(where: { $0.severity == .error }) {
      let outcome = state.notSent(place, failure: state.failure(problems), problems: problems)
      return progress.add(outcome, stopsAtFirstFailure: fast)
    }
    if turns.isPlain {
      // Outcomes are large, and most requests have no script that another turn could come from.
      if state.scriptPlan(place)?.hasTurns != true {
        let outcome = await send(place, turn: nil, &progress, &state)
        progress.add(outcome, stopsAtFirstFailure: fast)
        return discardUnmasked(outcome)
      }
      let end = await sendTurn(place, turn: nil, &progress, &state)
      return note(end, of: place, &progress, state)
    }
    if turns.count == 0 {
      return progress.skip(state.planned(place), "its loop has no elements")
    }
    if !turns.isLoop, turns.count > Repetitions.limit,
      let failure = await tooMany(place, turns, state)
    {
      return progress.add(state.notSent(place, failure: failure), stopsAtFirstFailure: fast)
    }
    var (isBroken, index) = (false, 0)
    var ending = RunProgress.Ending.done
    while index < turns.count, !progress.isStopped {
      state.enter(turns, turn: index)
      if let condition = turns.condition {
        let (holds, refusal) = await goesOn(condition, place, index, &state)
        if let refusal { progress.add(refusal, stopsAtFirstFailure: fast) }
        if !holds { break }
      }
      state.scripts.iteration = index
      let end = await sendTurn(place, turn: turns.isLoop ? index : nil, &progress, &state)
      note(end, of: place, &progress, state)
      if case .outcome(let outcome) = end, outcome.exitCode != 0, !isBroken,
        let failed = progress.endings[place]
      {
        (isBroken, ending) = (true, failed)
      }
      state.handOn(place)
      index += 1
    }
    state.enter(turns, turn: nil)
    if turns.isLoop { state.finishLoop(place, count: index) }
    progress.end(place, ending)
  }

  /// Whether a loop goes on, by its condition; after each thousand turns the user is asked, too.
  /// The outcome says why it doesn't, where that is a failure.
  private func goesOn(
    _ condition: String, _ place: RequestPlace, _ count: Int, _ state: inout RunState
  ) async -> (holds: Bool, refusal: RunOutcome?) {
    let (holds, problems) = await state.evaluateAnswered(place, services) {
      $0.holds(condition, of: $1)
    }
    if problems.contains(where: { $0.severity == .error }) {
      let failure = state.failure(problems)
      return (false, state.notSent(place, failure: failure, problems: problems))
    }
    guard holds, count > 0, count.isMultiple(of: Repetitions.limit) else { return (holds, nil) }
    let request = state.planned(place)
    let question = "It was sent \(count) times, and its condition still holds. Go on?"
    if await services.confirm(request, question) == true { return (true, nil) }
    let failure = Failure(
      .syntax,
      "`\(request.title)` was sent \(count) times, and the condition of its loop still holds; "
        + "more need your confirmation. Let the condition end.")
    return (false, state.notSent(place, failure: Task.isCancelled ? RunState.endedEarly : failure))
  }

  /// Asks whether a request is to be sent more than a thousand times (PK-71).
  private func tooMany(
    _ place: RequestPlace, _ turns: Repetitions, _ state: RunState
  ) async -> Failure? {
    let request = state.planned(place)
    let question = "This sends it \(turns.count) times."
    if await services.confirm(request, question) == true { return nil }
    if Task.isCancelled { return RunState.endedEarly }
    return Failure(
      .syntax,
      "`\(request.title)` was not sent: its loop has \(turns.count) elements, and more "
        + "than \(Repetitions.limit) need your confirmation. Use fewer elements.")
  }
}

extension RunOutcome {
  /// What went wrong, as a sentence.
  var whyItFailed: String {
    if let failure { return failure.message }
    let tests = masked?.tests.filter { !$0.passed } ?? []
    return "\(tests.count) of its tests failed, the first is `\(tests.first?.name ?? "")`."
  }
}
