// Requests that would be sent for themselves.

import PostKitEvaluate
package import PostKitHTTP

extension RunInput {
  /// Why its requests can't be sent because they, or files that they need, need each other; `nil`
  /// where none does. Nobody is asked, and nothing is sent.
  package var circle: Failure? {
    let state = RunState(input: self)
    let plan = RunPlan(
      scope: state.scope, blocks: blocks.map { RequestPlace(block: $0) }, autoRun: .missing,
      known: [], included: state.included)
    guard let failure = plan.failure, failure.code == .includeCycle else { return nil }
    return failure
  }
}
