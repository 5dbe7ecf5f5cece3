// The plan of a run, and the one question that stands before a longer one.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Runner {
  /// What comes of planning a run.
  enum Planning: Sendable {
    case go(RunPlan)
    /// The user does not want the requests that would have to go first.
    case refused(RunOutcome)
  }

  /// Plans a run. Where it needs requests that nobody asked for, the user may be asked, once for
  /// the whole chain, before anything is sent (PK-58, PK-89).
  static func plan(_ state: inout RunState, _ services: RunServices) async -> Planning {
    let input = state.input
    let known = Set(state.kept.ofRequests.keys)
    let blocks = input.blocks.map { RequestPlace(block: $0) }
    let scope = state.scope
    let included = state.included
    var off: Set<RequestPlace> = []
    for (file, document) in scope.files.files.map(\.document).enumerated() {
      for block in document.blocks where block.disabledTag != nil {
        let place = RequestPlace(file: file, block: block.index)
        let (readiness, _) = state.evaluate(place, services) { $0.readiness(of: $1) }
        if readiness == .disabled { off.insert(place) }
      }
    }
    func plan(_ autoRun: AutoRun) -> RunPlan {
      RunPlan(
        scope: scope, blocks: blocks, autoRun: autoRun, known: known, off: off,
        included: included)
    }
    let autoRun: AutoRun =
      switch input.dialect.neededRequests {
      case .ask: input.autoRun
      case .missing: input.autoRun == .never ? .never : .missing
      case .never: .never
      }
    guard autoRun == .ask else { return .go(plan(autoRun)) }
    let asked = plan(.never)
    let whole = plan(.missing)
    // Of many requests those that need each other must not keep the others from being sent.
    if asked.failure != nil || whole.failure != nil && input.blocks.count > 1 { return .go(asked) }
    let without = Set(asked.order)
    let needed = whole.order.filter { !without.contains($0) }
    guard whole.failure == nil, let last = needed.last, let goal = blocks.last else {
      return .go(whole)
    }
    let answer = await services.sendFirst(needed.map { state.planned($0) }, state.planned(goal))
    if Task.isCancelled {
      return .refused(state.notSent(goal, failure: RunState.endedEarly))
    }
    switch answer {
    case .yes: return .go(whole)
    case .cannotAsk: return .go(asked)
    case .no: return .refused(refusal(goal, needed: last, whole, state))
    }
  }

  /// The outcome of a request whose needs are not to be sent: the sentence that a reference to a
  /// response gives that isn't there.
  private static func refusal(
    _ goal: RequestPlace, needed: RequestPlace, _ plan: RunPlan, _ state: RunState
  ) -> RunOutcome {
    let block = state.scope.files.block(goal)
    let reference = plan.implicitNeeds(of: goal).first { $0.place == needed }?.range
    let problem = EvaluationProblem(
      .requestNotRun(name: state.planned(needed).title),
      range: reference.map(block.absolute) ?? block.requestLine)
    return state.notSent(
      goal, failure: Failure(problem.code, problem.message, wasDeclined: true),
      problems: [problem])
  }

  /// Asks before requests go to a guarded environment; why nothing is sent, else `nil`. A script
  /// that runs requests names the environment, and means it.
  func askForEnvironment(
    _ environments: EnvironmentSet, _ plan: RunPlan, _ state: RunState
  ) async -> Failure? {
    guard state.input.needsConsent, environments.asksFirst, let name = environments.active else {
      return nil
    }
    let answer = await services.confirmEnvironment(name, plan.order.map(state.planned))
    if Task.isCancelled { return RunState.endedEarly }
    if answer == true { return nil }
    let what =
      plan.order.count == 1
      ? "`\(state.planned(plan.order[0]).title)` was" : "The \(plan.order.count) requests were"
    let reason =
      answer == false
      ? "you did not confirm the environment `\(name)`. Send again and press `Send`, or choose "
        + "another environment."
      : "the environment `\(name)` asks first (`\"confirm\": true`), and this editor shows no "
        + "buttons. Remove `confirm`, or send with `postkit run --env \(name)`."
    return Failure(.cancelled, "\(what) not sent: \(reason)", wasDeclined: answer == false)
  }
}
