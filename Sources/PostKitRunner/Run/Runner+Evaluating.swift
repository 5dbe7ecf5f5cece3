// What a reference comes to, without anything being sent.

import PostKitEvaluate
package import PostKitHTTP
import PostKitSyntax

extension Runner {
  /// Evaluates a text with references as it means at an offset of the file, for the last block of a
  /// run: expressions in it run in the script engine once the folder is trusted. Nothing is sent,
  /// no other script runs, and what expressions set is not kept. The value's secrets are masked.
  package func evaluate(
    _ text: String, at offset: Int, _ input: RunInput
  ) async -> Result<String, Failure> {
    var (state, refusal) = await RunState.begin(input, services)
    if let failure = refusal ?? Runner.environmentFailure(state.scope.environments) {
      return .failure(failure)
    }
    let owner = WorkspaceEnvironment(folder: input.workspace.root, environment: input.environment)
    state.scope.globals = await services.globals(owner)
    await state.prepareEarlier(services)
    let place = RequestPlace(block: input.blocks.last ?? 0)
    let (value, problems) = await state.evaluateAnswered(place, services) { evaluator, _ in
      evaluator.display(text, at: offset)
    }
    await state.closeScripts()
    if let problem = problems.first(where: { $0.severity == .error }) ?? problems.first {
      let message = problem.message(on: input.surface)
      return .failure(Failure(problem.code, state.mask.mask(message).text))
    }
    return .success(state.mask.mask(value).text)
  }
}
