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
  static func plan(_ state: RunState, _ services: RunServices) async -> Planning {
    let input = state.input
    let known = Set(state.exchanges.keys)
    func plan(_ autoRun: AutoRun) -> RunPlan {
      RunPlan(
        document: input.document, blocks: input.blocks, autoRun: autoRun,
        isKnown: { known.contains($0) })
    }
    let autoRun = input.dialect.sendsNeededRequests ? input.autoRun : .never
    guard autoRun == .ask else { return .go(plan(autoRun)) }
    let asked = plan(.never)
    let whole = plan(.missing)
    // Of many requests those that need each other must not keep the others from being sent.
    if asked.failure != nil || whole.failure != nil && input.blocks.count > 1 { return .go(asked) }
    let needed = whole.order.filter { !asked.order.contains($0) }
    guard whole.failure == nil, let last = needed.last, let goal = input.blocks.last else {
      return .go(whole)
    }
    let answer = await services.sendFirst(needed.map { state.planned($0) }, state.planned(goal))
    if Task.isCancelled {
      return .refused(state.notSent(goal, failure: RunState.endedEarly, problems: []))
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
    _ goal: Int, needed: Int, _ plan: RunPlan, _ state: RunState
  ) -> RunOutcome {
    let block = state.input.document.blocks[goal]
    let reference = plan.implicitNeeds(of: block).first { $0.block == needed }?.reference
    let line = block.syntax.request?.line ?? 0..<0
    let problem = EvaluationProblem(
      .requestNotRun(name: state.planned(needed).title),
      range: block.absolute(reference?.range ?? line))
    return state.notSent(
      goal, failure: Failure(problem.code, problem.message), problems: [problem])
  }
}
