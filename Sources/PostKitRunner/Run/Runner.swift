// One run: plan, evaluate, send, follow redirects, record, and tell about it.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitSyntax
package import PostKitTransport

/// Carries out runs. A runner keeps nothing between them but the transport's connections.
package struct Runner: Sendable {
  package let transport: Transport
  package let services: RunServices

  /// Makes a runner.
  package init(transport: Transport, services: RunServices) {
    var services = services
    services.transport = transport
    self.transport = transport
    self.services = services
  }

  /// Sends the requests of a run, and those they need, one after the other. Cancelling the task
  /// ends the request that is under way; the rest is not sent.
  package func run(
    _ input: RunInput, onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> RunResult {
    var (state, refusal) = await RunState.begin(input, services)
    if let refusal, let goal = input.blocks.last {
      return RunResult(outcomes: [state.notSent(RequestPlace(block: goal), failure: refusal)])
    }
    let environments = state.scope.environments
    if let failure = Runner.environmentFailure(environments) {
      return RunResult(outcomes: [], failure: failure)
    }
    state.tell = onEvent
    let owner = WorkspaceEnvironment(folder: input.workspace.root, environment: input.environment)
    let globals = await services.globals(owner)
    state.scope.globals = globals
    await state.prepareEarlier(services)
    let plan: RunPlan
    switch await Runner.plan(&state, services) {
    case .go(let made): plan = made
    case .refused(let outcome): return RunResult(outcomes: [outcome])
    }
    if let failure = plan.failure { return RunResult(outcomes: [], failure: failure) }
    if state.mayNeedEngine {
      state.scripts.tell = onEvent
      if state.trust == .given { services.scripts.warm() }
    }
    if let failure = await askForEnvironment(environments, plan, state) {
      return RunResult(outcomes: [], failure: failure)
    }
    if input.tellsQueue, plan.order.count > 1 {
      onEvent(.queue(plan.order.map { state.planned($0) }))
    }
    if plan.order.count > input.blocks.count {
      onEvent(.plan(plan.order.map { state.planned($0) }))
    }
    warn(environments.problems, onEvent)
    let cookies = await services.cookies(owner)
    let jar = transport.makeCookieJar(cookies)
    let result = await send(plan, &state, jar, onEvent)
    await state.closeScripts()
    let changes = CookieChanges(from: cookies, to: await transport.cookies(of: jar))
    if !changes.isEmpty { await services.keepCookies(changes, owner) }
    let globalChanges = GlobalChanges(from: globals, to: state.scope.globals)
    if !globalChanges.isEmpty { await services.keepGlobals(globalChanges, owner) }
    return result
  }

  /// Sends the requests of a plan.
  private func send(
    _ plan: RunPlan, _ state: inout RunState, _ jar: CookieJar,
    _ onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> RunResult {
    // Looking through the whole plan is only worth it where something may run beside.
    let mayRunBeside =
      state.input.parallel > 1 && !state.mayNeedEngine && plan.isPlain && !state.dependsOnOrder
    var schedule = RunSchedule(plan, input: state.input, mayRunBeside: mayRunBeside)
    if schedule.limit > 1 {
      await sendBeside(&schedule, &state, jar, onEvent)
      return RunResult(outcomes: schedule.outcomes)
    }
    var progress = RunProgress(plan: plan, jar: jar, onEvent: onEvent)
    for _ in 0..<max(1, state.input.repeats) where !progress.isStopped {
      state.beginRound()
      progress.beginRound()
      var index = 0
      while index < state.input.blocks.count, !progress.isStopped {
        let following = state.input.blocks.dropFirst(index + 1).first
        let place = RequestPlace(block: state.input.blocks[index])
        progress.turn = (place, following.map { RequestPlace(block: $0) })
        await perform(place, .asked, &progress, &state)
        index = progress.takeNext(state) ?? index + 1
      }
    }
    return RunResult(outcomes: progress.outcomes, skipped: progress.skipped)
  }

  /// Removes the spooled bodies of a run whose exchanges are recorded and shown.
  package func discardBodies(of result: RunResult) {
    for outcome in result.outcomes {
      if let body = outcome.exchange?.response?.body { transport.discard(body) }
    }
  }

  /// Removes a spooled body in which a secret was found; the masked one is another.
  func discardUnmasked(_ outcome: RunOutcome) {
    guard let body = outcome.exchange?.response?.body, outcome.masked?.response?.body != body
    else { return }
    transport.discard(body)
  }

  /// An environment that was asked for by name must exist (PK-108).
  static func environmentFailure(_ environments: EnvironmentSet) -> Failure? {
    guard let name = environments.active.flatMap(environments.missing(in:)) else { return nil }
    let problem = EvaluationProblem(
      .environmentNotFound(name: name, known: environments.names), range: 0..<0)
    let broken = environments.problems.map(\.message)
    return Failure(problem.code, ([problem.message] + broken).joined(separator: " "))
  }

  /// Evaluates one block and sends it; `turn` counts the turns of a loop.
  func send(
    _ place: RequestPlace, turn: Int?, _ progress: inout RunProgress, _ state: inout RunState
  ) async -> RunOutcome {
    let ahead = progress.takeAhead(place)
    switch await prepare(place, turn: turn, ahead: ahead, &state, progress.onEvent) {
    case .failed(let outcome): return outcome
    case .ready(let request):
      let delay = request.lowered.settings.delayMilliseconds
      if delay > 0 {
        // Ends early when the run is cancelled, which is looked at next.
        try? await Alarm.sleep(milliseconds: delay)
        if Task.isCancelled { return state.notSent(place, failure: RunState.endedEarly) }
      }
      progress.onEvent(request.event)
      let sending = ahead?.sending ?? sending(request, state, progress.jar, progress.onEvent)
      sending.begin()
      if turn == nil { prepareNext(after: request, sending, &progress, state) }
      let answer = await exchange(request, sending, state, progress.jar, progress.onEvent)
      return await complete(request, answer, &state, progress.onEvent)
    }
  }

  /// Evaluates one block, unless that has been done ahead of its turn.
  func prepare(
    _ place: RequestPlace, turn: Int? = nil, ahead: RequestAhead? = nil,
    _ state: inout RunState, _ onEvent: (RunEvent) -> Void
  ) async -> Preparation {
    let lowered: LoweredRequest
    if let ahead {
      lowered = ahead.lowered
      state.adopt(lowered, of: place)
    } else {
      switch await state.lowerAnswered(place, services) {
      case .success(let made): lowered = made
      case .failure(let failure): return .failed(state.notSent(place, failure: failure))
      }
    }
    warn(state.luaProblems(place) + lowered.problems.filter { $0.severity != .error }, onEvent)
    guard let spec = lowered.spec else {
      let failure = state.failure(lowered.problems)
      return .failed(state.notSent(place, failure: failure, problems: lowered.problems))
    }
    if let refusal = state.refusal(lowered, spec) {
      return .failed(state.notSent(place, failure: refusal, problems: lowered.problems))
    }
    state.addSecrets(ExchangeMask.credentials(in: spec.headers))
    return .ready(
      PreparedRequest(
        id: ahead?.id ?? Identifier.next(), place: place, turn: turn, spec: spec,
        method: state.mask.mask(spec.method).text, url: state.mask.maskURL(spec.url).text,
        lowered: lowered))
  }

  /// Tells of mistakes that keep nothing from being sent, where there are any.
  func warn(_ problems: [EvaluationProblem], _ onEvent: (RunEvent) -> Void) {
    if !problems.isEmpty { onEvent(.warnings(problems)) }
  }

  /// Remembers and records an exchange, and tells what its definitions did not find in it.
  func complete(
    _ request: PreparedRequest, _ answer: RequestAnswer, _ state: inout RunState,
    _ onEvent: (RunEvent) -> Void
  ) async -> RunOutcome {
    state.adopt(answer)
    var exchange = answer.exchange
    let referenced = state.remember(request, exchange, services)
    let problems = await state.define(after: referenced, of: request.place, services)
    await state.check(&exchange, referenced, request, services)
    exchange.output += state.takeOutput()
    return await record(state.outcome(request, exchange, problems), of: request, onEvent)
  }

  /// Tells what was wrong after the response, and records the exchange.
  func record(
    _ outcome: RunOutcome, of request: PreparedRequest, _ onEvent: (RunEvent) -> Void
  ) async -> RunOutcome {
    var outcome = outcome
    let later = outcome.problems.dropFirst(request.lowered.problems.count)
    // What made it fail is told of with the failure.
    warn(later.filter { outcome.failure == nil || $0.severity != .error }, onEvent)
    if request.lowered.settings.isLogged, let masked = outcome.masked {
      outcome.isRecorded = await services.record(masked)
    }
    return outcome
  }

  /// The first hop of a request, which has not begun.
  func sending(
    _ request: PreparedRequest, _ state: RunState, _ jar: CookieJar,
    _ onEvent: @escaping @Sendable (RunEvent) -> Void, items: ItemStream? = nil
  ) -> Sending {
    var spec = request.spec
    spec.options = request.lowered.settings.options
    feed(jar, with: spec)
    return sending(spec, of: request, state, jar, items: items, onEvent)
  }

  /// Prepares the sending of a request as it is; `repeated` are texts of secrets that a server may
  /// say again.
  func sending(
    _ spec: RequestSpec, of request: PreparedRequest, _ state: RunState, _ jar: CookieJar,
    repeated: [String] = [], items: ItemStream?, _ onEvent: @escaping @Sendable (RunEvent) -> Void
  ) -> Sending {
    let id = request.id
    var spec = spec
    spec.options.fileBoundary = state.boundary(of: spec)
    var tell: (@Sendable (TransferEvent) -> Void)?
    if state.input.watchesTransfers {
      let body = ToldBody(
        state.input.tellsBodies, state.mask, secrets: state.secrets, repeated: repeated)
      tell = { event in
        if let told = body.told(event) { onEvent(.transfer(id: id, told)) }
      }
    }
    return transport.prepare(
      spec, jar: spec.options.usesCookieJar ? jar : nil,
      saves: Runner.saves(request, spec, state),
      tellsBody: state.input.tellsBodies != .none, items: items, onEvent: tell)
  }
}

extension Runner {
  /// Keeps the cookies that the author wrote, for the host and the folder of the URL's path, where
  /// the dialect does that (PK-83).
  private func feed(_ jar: CookieJar, with spec: RequestSpec) {
    guard spec.options.cookieHeaderFeedsJar, spec.options.usesCookieJar,
      let header = spec.headers.first("Cookie"), let url = URLParts(spec.url)
    else { return }
    let folder = url.path.lastIndex(of: "/").map { String(url.path[..<$0]) } ?? ""
    transport.add(
      header.split(separator: ";").compactMap { pair -> Cookie? in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(halves[0].drop { $0 == " " })
        guard halves.count == 2, !name.isEmpty else { return nil }
        return Cookie(
          key: Cookie.Key(domain: url.host, path: folder.isEmpty ? "/" : folder, name: name),
          value: String(halves[1]))
      }, to: jar)
  }

  /// Where the body of a response goes, unless it is redirected.
  private static func saves(
    _ request: PreparedRequest, _ spec: RequestSpec, _ state: RunState
  ) -> SaveOrder? {
    let targets = request.lowered.settings.saves
    if targets.isEmpty { return nil }
    let mayRenew = state.renewable(spec, of: request) != nil
    let (secrets, obstacle) = (state.secrets, state.saveObstacle)
    return SaveOrder(targets: targets, obstacle: obstacle) { status, headers in
      let decision = Redirects.decide(
        after: spec, status: status, headers: headers, secrets: secrets)
      if case .follow = decision { return false }
      return !(mayRenew && BearerChallenge.refusesToken(status, headers))
    }
  }
}

/// What evaluating a block comes to.
enum Preparation: Sendable {
  case ready(PreparedRequest)
  case failed(RunOutcome)
}
