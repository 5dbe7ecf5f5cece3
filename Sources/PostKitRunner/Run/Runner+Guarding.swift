// Environments that no request is to reach by mistake (`"confirm": true`).

import PostKitEvaluate
import PostKitHTTP

extension Runner {
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
