// One run: plan, evaluate, send, follow redirects, record, and tell about it.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitSyntax
package import PostKitTransport

/// Carries out runs. A runner keeps nothing between them but the transport's connections.
package struct Runner: Sendable {
  package let transport: Transport
  package let services: RunServices

  /// Makes a runner.
  package init(transport: Transport, services: RunServices) {
    self.transport = transport
    self.services = services
  }

  /// Sends the requests of a run, and those they need, one after the other. Cancelling the task
  /// ends the request that is under way; the rest is not sent.
  package func run(
    _ input: RunInput, onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> RunResult {
    let sources = input.workspace.environmentSources(active: input.environment)
    let environments = EnvironmentSet(sources: sources, active: input.environment)
    if let failure = Runner.environmentFailure(environments) {
      return RunResult(outcomes: [], failure: failure)
    }
    var state = RunState(input: input, environments: environments)
    await state.prepareEarlier(services)
    let plan: RunPlan
    switch await Runner.plan(state, services) {
    case .go(let made): plan = made
    case .refused(let outcome): return RunResult(outcomes: [outcome])
    }
    if let failure = plan.failure { return RunResult(outcomes: [], failure: failure) }
    if let failure = await state.trustEnvironments(sources, services),
      let goal = input.blocks.last
    {
      return RunResult(outcomes: [state.notSent(goal, failure: failure, problems: [])])
    }
    if plan.order.count > input.blocks.count {
      onEvent(.plan(plan.order.map { state.planned($0) }))
    }
    for problem in environments.problems {
      onEvent(.warning(problem, block: plan.order.first ?? 0))
    }
    for (problem, block) in state.laterDirectives { onEvent(.warning(problem, block: block)) }
    let jar = transport.makeCookieJar()
    var outcomes: [RunOutcome] = []
    outcomes.reserveCapacity(plan.order.count)
    for block in plan.order {
      if let failed = plan.needs[block]?.first(where: { state.failed.contains($0) }) {
        outcomes.append(state.skipped(block, because: failed))
      } else {
        outcomes.append(await send(block, &state, jar, onEvent))
      }
      let outcome = outcomes[outcomes.count - 1]
      if outcome.exitCode != 0 { state.failed.insert(block) }
      onEvent(.finished(outcome))
      discardUnmasked(outcome)
      if outcome.state == .cancelled || outcome.exitCode != 0 && input.stopsAtFirstFailure { break }
    }
    return RunResult(outcomes: outcomes)
  }

  /// Removes the spooled bodies of a run whose exchanges are recorded and shown.
  package func discardBodies(of result: RunResult) {
    for case let body? in result.outcomes.map(\.exchange?.response?.body) {
      transport.discard(body)
    }
  }

  /// Removes a spooled body in which a secret was found; the masked one is another.
  private func discardUnmasked(_ outcome: RunOutcome) {
    guard let body = outcome.exchange?.response?.body, outcome.masked?.response?.body != body
    else { return }
    transport.discard(body)
  }

  /// An environment that was asked for by name must exist (PK-108).
  private static func environmentFailure(_ environments: EnvironmentSet) -> Failure? {
    guard let name = environments.active, !environments.contains(name) else { return nil }
    let problem = EvaluationProblem(
      .environmentNotFound(name: name, known: environments.names), range: 0..<0)
    let broken = environments.problems.map(\.message)
    return Failure(problem.code, ([problem.message] + broken).joined(separator: " "))
  }

  /// Evaluates one block and sends it.
  private func send(
    _ index: Int, _ state: inout RunState, _ jar: CookieJar,
    _ onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> RunOutcome {
    let block = state.input.document.blocks[index]
    if let failure = await state.answerPrompts(of: block, services) {
      return state.notSent(index, failure: failure, problems: [])
    }
    guard let lowered = await state.lowerTrusted(block, services) else {
      return state.notSent(index, failure: RunState.endedEarly, problems: [])
    }
    for problem in lowered.problems where problem.severity != .error {
      onEvent(.warning(problem, block: index))
    }
    guard let spec = lowered.spec else {
      return state.notSent(
        index, failure: state.failure(lowered, block), problems: lowered.problems)
    }
    if let refusal = state.refusal(spec) {
      return state.notSent(index, failure: refusal, problems: lowered.problems)
    }
    let id = Identifier.next()
    let mask = state.mask
    onEvent(.sending(id: id, block: index, method: spec.method, url: mask.maskURL(spec.url).text))
    var exchange = await exchange(id, spec, block, state, jar, lowered.settings, onEvent)
    exchange.environment = state.input.environment
    let outcome = state.finish(index, exchange, lowered, services)
    if lowered.settings.isLogged, let masked = outcome.masked { await services.record(masked) }
    return outcome
  }

  /// Sends a request and follows its redirects (PK-84).
  private func exchange(
    _ id: String, _ first: RequestSpec, _ block: ParsedBlock, _ state: RunState, _ jar: CookieJar,
    _ settings: RequestSettings, _ onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> Exchange {
    var spec = first
    spec.options = settings.options
    var exchange = state.record(id, block, spec)
    while true {
      let transfer = await transport.send(spec, jar: spec.options.usesCookieJar ? jar : nil) {
        onEvent(.transfer(id: id, $0))
      }
      exchange.request = transfer.sent
      exchange.response = transfer.response
      exchange.timings = exchange.timings.adding(transfer.timings)
      exchange.remoteAddress = transfer.remoteAddress
      exchange.state = transfer.state
      exchange.failure = transfer.failure
      if let hop = exchange.hops.last, transfer.failure?.code == .syntax {
        exchange.failure = Runner.badRedirect(hop, to: spec.url, state.mask)
      }
      guard transfer.state == .done, let response = transfer.response,
        case .follow(let next) = Redirects.decide(
          after: spec, status: response.status, headers: response.headers, secrets: state.secrets)
      else { return exchange }
      if exchange.hops.count >= spec.options.redirectLimit {
        exchange.state = .failed
        exchange.failure = Failure(
          .tooManyRedirects,
          "\(state.mask.maskURL(first.url).text) redirects more than "
            + "\(spec.options.redirectLimit) times; the last answer points to "
            + "\(state.mask.maskURL(next.url).text). Send it with `# @no-redirect` to look at "
            + "the first.")
        return exchange
      }
      transport.discard(response.body)
      exchange.hops.append(
        RedirectHop(
          request: transfer.sent, status: response.status, headers: response.headers,
          timings: transfer.timings))
      spec = next
    }
  }
}

extension Runner {
  /// The failure where a server redirects to something that can't be sent to.
  private static func badRedirect(
    _ hop: RedirectHop, to url: String, _ mask: SecretMask
  ) -> Failure {
    Failure(
      .protocol,
      "\(mask.maskURL(hop.request.url).text) redirects to `\(mask.maskURL(url).text)`, which is "
        + "not a URL that can be sent to. Send it with `# @no-redirect` to look at its answer.")
  }
}

extension Timings {
  /// The times of a transfer that began when these ended.
  fileprivate func adding(_ next: Timings) -> Timings {
    if total == 0 { return next }
    var result = next
    result.nameLookup += total
    result.connect += total
    if next.tls > 0 { result.tls += total }
    result.firstByte += total
    result.total += total
    return result
  }
}
