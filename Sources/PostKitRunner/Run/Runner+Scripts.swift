// Runs the scripts of a request around its sending, in the order of SC-25.

import PostKitEvaluate
import PostKitHTTP
import PostKitScripting
import PostKitSupport
import PostKitSyntax
import PostKitTransport

/// How a turn of a request ended.
enum TurnEnd: Sendable {
  case outcome(RunOutcome)
  /// A script leaves it out; the reason is a clause.
  case skipped(String)
}

extension Runner {
  /// Notes how a turn ended. Outcomes are large: this one is handed on, not copied.
  func note(
    _ end: consuming TurnEnd, of place: RequestPlace, _ progress: inout RunProgress,
    _ state: RunState
  ) {
    switch consume end {
    case .outcome(let outcome):
      progress.add(outcome, stopsAtFirstFailure: state.input.stopsAtFirstFailure)
      discardUnmasked(outcome)
    case .skipped(let reason): progress.skip(state.planned(place), reason)
    }
  }

  /// Runs a script; `nil` where it went well.
  func run(
    _ script: PlannedScript, _ moment: ScriptMoment, _ caller: ScriptCaller,
    _ turn: inout ScriptTurn, _ mutation: inout ScriptEffects.Mutation?,
    _ progress: inout RunProgress, _ state: inout RunState, before next: RequestPlace? = nil
  ) async -> EvaluationProblem? {
    switch await state.begin(script, moment, caller, services, before: next) {
    case .failure(let refusal):
      if let problem = refusal.problem { return problem }
      let failure = refusal.failure(state)
      turn.refusal = failure
      return state.problem(failure.message, at: nil, caller)
    case .success(let id):
      return await finish(id, caller, &turn, &mutation, &progress, &state)
    }
  }

  /// Waits for the end of a job and does what it asks for; `nil` where it went well.
  func finish(
    _ job: Int, _ caller: ScriptCaller, _ turn: inout ScriptTurn,
    _ mutation: inout ScriptEffects.Mutation?, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> EvaluationProblem? {
    while true {
      switch await state.nextStep(job, caller, services) {
      case .outside(let call):
        let answer = await answer(call, caller, &progress, &state)
        await state.scripts.session?.answer(call, answer)
      case .values: break
      case .failed(let failure):
        if failure == .cancelled || Task.isCancelled { turn.refusal = RunState.endedEarly }
        return state.problem(failure, caller)
      case .done(let outcome):
        if Task.isCancelled { turn.refusal = RunState.endedEarly }
        mutation = outcome.effects.mutation
        return state.finish(outcome, caller, &turn)
      }
    }
  }

  // MARK: - Before turns

  /// Runs the global blocks that go before a request, unless they have run for it; what is returned
  /// keeps it from being sent.
  func runGlobalBlocks(
    before place: RequestPlace, _ progress: inout RunProgress, _ state: inout RunState
  ) async -> TurnEnd? {
    guard let plan = state.scriptPlan(place) else {
      // It sees no variables of the request before it.
      state.scope.scripted.request = [:]
      return nil
    }
    if state.scripts.globalsRunFor == place { return nil }
    state.beginScripts(place)
    state.scripts.globalsRunFor = place
    return await runBefore(plan.global, place, &progress, &state)
  }

  /// Runs what goes once before all turns, and the scripts of the first turn where those may say
  /// how many there are.
  func runScriptsBeforeTurns(
    of place: RequestPlace, _ progress: inout RunProgress, _ state: inout RunState
  ) async -> TurnEnd? {
    state.scripts.iteration = 0
    if let end = await runGlobalBlocks(before: place, &progress, &state) { return end }
    guard let plan = state.scriptPlan(place) else { return nil }
    state.scripts.globalsRunFor = nil
    let block = state.scope.files.block(place)
    guard block.hasWildcards, block.loopTag == nil else { return nil }
    state.scripts.preparedFirstTurn = place
    return await runBefore(plan.pre, place, &progress, &state)
  }

  /// Runs scripts before a request is substituted; what is returned keeps it from being sent.
  private func runBefore(
    _ scripts: [PlannedScript], _ place: RequestPlace, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> TurnEnd? {
    var turn = state.scripts.turn
    defer { state.scripts.turn = turn }
    for script in scripts {
      let moment = ScriptMoment(
        request: state.scriptRequest(place), response: state.scriptResponse)
      let caller = ScriptCaller(
        place: place, phase: .pre, script: script, exchange: state.latest,
        request: moment.request)
      var mutation: ScriptEffects.Mutation?
      let problem = await run(script, moment, caller, &turn, &mutation, &progress, &state)
      if let mutation { state.change(template: mutation) }
      if let problem { return .outcome(state.notSent(place, problem, &turn)) }
      if let reason = turn.skip {
        turn = ScriptTurn()
        return .skipped(reason)
      }
    }
    return nil
  }

  // MARK: - A turn

  /// Sends a request once, with its scripts, and again as often as one of them asks for it.
  func sendTurn(
    _ place: RequestPlace, turn number: Int?, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> TurnEnd {
    guard let plan = state.scriptPlan(place), plan.hasTurns else {
      let outcome = await send(place, turn: number, &progress, &state)
      return .outcome(outcome)
    }
    // Nothing is sent whose handler may not run.
    if let failure = await state.trustScripts(services) {
      return .outcome(state.notSent(place, failure: failure))
    }
    state.scripts.replays = 0
    while true {
      let end = await sendScripted(plan, place, turn: number, &progress, &state)
      let turn = state.scripts.turn
      state.endTurn()
      if let next = turn.next { progress.next = next }
      if turn.stopsRun { progress.next = ScriptEffects.Next.none }
      guard turn.replays, !progress.isStopped, case .outcome(let outcome) = end,
        outcome.failure == nil
      else { return end }
      state.scripts.replays += 1
      if state.scripts.replays > Runner.mostReplays {
        let sentence = "The request was sent again \(Runner.mostReplays) times, as its script asks."
        return .outcome(
          state.notSent(place, failure: Failure(.scriptFailed, sentence)))
      }
      note(end, of: place, &progress, state)
    }
  }

  /// How often a script may have its request sent again.
  private static let mostReplays = 100

  private func sendScripted(
    _ plan: ScriptPlan, _ place: RequestPlace, turn number: Int?, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> TurnEnd {
    if state.scripts.preparedFirstTurn == place {
      state.scripts.preparedFirstTurn = nil
    } else if let end = await runBefore(plan.pre, place, &progress, &state) {
      await runAfter(plan, place, nil, &progress, &state)
      return end
    }
    var request: PreparedRequest
    let ahead = progress.takeAhead(place)
    switch await prepare(place, turn: number, ahead: ahead, &state, progress.onEvent) {
    case .failed(let outcome):
      await runAfter(plan, place, nil, &progress, &state)
      return .outcome(state.withScripts(outcome))
    case .ready(let made): request = made
    }
    if let end = await runHooks(plan, &request, &progress, &state) {
      await runAfter(plan, place, nil, &progress, &state)
      return end
    }
    let delay = request.lowered.settings.delayMilliseconds
    if delay > 0 {
      // Ends early when the run is cancelled, which is looked at next.
      try? await Alarm.sleep(milliseconds: delay)
    }
    if Task.isCancelled { return .outcome(state.notSent(place, failure: RunState.endedEarly)) }
    progress.onEvent(request.event)
    let stream = ahead == nil ? itemStream(plan, place, &state) : nil
    let sending =
      ahead?.sending ?? sending(request, state, progress.jar, progress.onEvent, items: stream)
    sending.begin()
    guard let stream else {
      let answer = await exchange(request, sending, state, progress.jar, progress.onEvent)
      return .outcome(await complete(plan, request, answer, nil, &progress, &state))
    }
    let (sent, known, jar, onEvent) = (request, state, progress.jar, progress.onEvent)
    async let whole = exchange(sent, sending, known, jar, onEvent, items: stream)
    let heard = await listen(plan, sent, stream, &progress, &state)
    return .outcome(await complete(plan, sent, await whole, heard, &progress, &state))
  }

  /// Runs the hooks before sending, which see and change the final request.
  private func runHooks(
    _ plan: ScriptPlan, _ request: inout PreparedRequest, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> TurnEnd? {
    let place = request.place
    var turn = state.scripts.turn
    defer { state.scripts.turn = turn }
    for script in plan.request {
      let spec = request.spec
      let moment = ScriptMoment(
        request: state.scriptRequest(
          place, method: spec.method, url: spec.url, headers: spec.headers,
          body: spec.bodyAtHand, isWritable: true),
        response: state.scriptResponse)
      let caller = ScriptCaller(
        place: place, phase: .request, script: script, exchange: state.latest,
        request: moment.request)
      var mutation: ScriptEffects.Mutation?
      var problem = await run(script, moment, caller, &turn, &mutation, &progress, &state)
      if let mutation, problem == nil, let mistake = request.spec.apply(mutation) {
        problem = state.problem(state.mask.mask(mistake).text, at: nil, caller)
      }
      request.method = state.mask.mask(request.spec.method).text
      request.url = state.mask.maskURL(request.spec.url).text
      if let problem { return .outcome(state.notSent(place, problem, &turn)) }
      if let reason = turn.skip {
        turn = ScriptTurn()
        return .skipped(reason)
      }
    }
    return nil
  }

  /// Runs the scripts after a response, then makes definitions and checks, and records all.
  private func complete(
    _ plan: ScriptPlan, _ request: PreparedRequest, _ answer: RequestAnswer, _ heard: HeardStream?,
    _ progress: inout RunProgress, _ state: inout RunState
  ) async -> RunOutcome {
    state.adopt(answer)
    var exchange = answer.exchange
    let referenced = state.remember(request, exchange, services)
    if plan.runsAfterSending, let head = AnswerHead(exchange, state.mask) {
      progress.onEvent(.answered(id: request.id, place: request.place, head))
    }
    var failed = heard?.failure
    if exchange.state == .done, failed == nil, heard?.leavesOutRest != true, let referenced {
      let moment = state.moment(after: exchange, referenced, request.place)
      let scripts = plan.afterStream(heard)
      failed = await runAll(scripts, request.place, moment, referenced, &progress, &state)
    }
    let problems = await state.define(after: referenced, of: request.place, services)
    let (tests, cancels) = (state.scripts.turn.tests, state.scripts.turn.refusal)
    exchange.tests = tests
    await state.check(&exchange, referenced, request, services)
    if exchange.state == .done, let referenced {
      let moment = state.moment(after: exchange, referenced, request.place)
      await runQuietly(
        plan.logging, .logging, request.place, moment, referenced, &progress, &state)
    }
    await runAfter(plan, request.place, (exchange, referenced), &progress, &state)
    exchange.tests += state.scripts.turn.tests.dropFirst(tests.count)
    exchange.display = state.scripts.turn.display.map { state.mask.mask($0).text }
    if let failed {
      exchange.failure = cancels ?? Failure(.scriptFailed, failed.message)
      if cancels?.code == .cancelled { exchange.state = .cancelled }
    }
    exchange.assigned = state.assigned
    exchange.output = state.takeOutput()
    warn(state.scripts.turn.warnings, progress.onEvent)
    var all = problems
    if let failed { all.insert(failed, at: 0) }
    if request.turn == nil { await sendNext(after: request, exchange, &progress, &state) }
    return await record(state.outcome(request, exchange, all), of: request, progress.onEvent)
  }

  /// Runs scripts until one fails.
  private func runAll(
    _ scripts: [(PlannedScript, ScriptPhase)], _ place: RequestPlace, _ moment: ScriptMoment,
    _ exchange: ReferencedExchange, _ progress: inout RunProgress, _ state: inout RunState
  ) async -> EvaluationProblem? {
    var turn = state.scripts.turn
    defer { state.scripts.turn = turn }
    for (index, (script, phase)) in scripts.enumerated() {
      let caller = ScriptCaller(
        place: place, phase: phase, script: script, exchange: exchange, request: moment.request)
      let moment = state.reads(script, itemsOf: moment, services)
      var mutation: ScriptEffects.Mutation?
      let next = index == scripts.count - 1 ? progress.onItsOwn(after: place, &state) : nil
      let problem = await run(
        script, moment, caller, &turn, &mutation, &progress, &state, before: next)
      if let problem { return problem }
      // The rest of the scripts is left out.
      if turn.skip != nil { return nil }
    }
    return nil
  }

  /// Runs scripts whose failures are only warned of.
  private func runQuietly(
    _ scripts: [PlannedScript], _ phase: ScriptPhase, _ place: RequestPlace,
    _ moment: ScriptMoment, _ exchange: ReferencedExchange?, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async {
    if scripts.isEmpty || Task.isCancelled { return }
    var turn = state.scripts.turn
    for script in scripts {
      let caller = ScriptCaller(
        place: place, phase: phase, script: script, exchange: exchange, request: moment.request)
      var mutation: ScriptEffects.Mutation?
      let problem = await run(script, moment, caller, &turn, &mutation, &progress, &state)
      if var problem {
        problem.severity = .warning
        turn.warnings.append(problem)
      }
    }
    state.scripts.turn = turn
  }

  /// Runs the scripts at the end of a turn, whatever became of it.
  private func runAfter(
    _ plan: ScriptPlan, _ place: RequestPlace,
    _ answered: (exchange: Exchange, referenced: ReferencedExchange?)?,
    _ progress: inout RunProgress, _ state: inout RunState
  ) async {
    if plan.after.isEmpty { return }
    var moment = ScriptMoment(request: state.scriptRequest(place), response: nil)
    if let (exchange, referenced) = answered, let referenced {
      moment = state.moment(after: exchange, referenced, place)
    }
    await runQuietly(
      plan.after, .after, place, moment, answered?.referenced, &progress, &state)
    if answered == nil {
      warn(state.scripts.turn.warnings, progress.onEvent)
      state.scripts.turn.warnings = []
    }
  }
}
