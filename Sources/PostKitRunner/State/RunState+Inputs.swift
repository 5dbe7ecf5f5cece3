// What a request asks of the user: the values of `@prompt`s and of references such as `$input`
// (PK-54, PK-111).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension RunState {
  /// What comes of evaluating a block.
  enum Lowered: Sendable {
    case ready(LoweredRequest)
    /// Somebody has to do something first; nothing is sent.
    case failed(Failure)
  }

  /// Asks for the values of `@prompt`s that nobody has given yet; gives the failure where one is
  /// missing.
  mutating func answer(
    _ prompts: [Prompt], of place: RequestPlace, _ services: RunServices
  ) async -> Failure? {
    let open = prompts.filter { scope.prompted[$0.name] == nil }
    guard !open.isEmpty else { return nil }
    var missing: [Prompt] = []
    for prompt in open {
      guard let answer = await answer(prompt, services) else {
        missing.append(prompt)
        continue
      }
      scope.prompted[prompt.name] = answer
    }
    if Task.isCancelled { return RunState.endedEarly }
    if missing.isEmpty { return nil }
    // All that is missing is said at once, so that nobody has to try again and again.
    for prompt in missing { scope.prompted[prompt.name] = prompt.name }
    let more = lower(place, services).inputs.filter { given($0) == nil }
    for prompt in missing { scope.prompted[prompt.name] = nil }
    return RunState.failure(missing + more)
  }

  /// Evaluates a block; what its references ask for is asked where nobody has given it. One
  /// answer holds for all references of the request with that label.
  mutating func lowerAnswered(
    _ place: RequestPlace, _ services: RunServices
  ) async -> Lowered {
    scope.answers = lastingAnswers
    while let lowered = await lowerTrusted(place, services) {
      if lowered.inputs.isEmpty { return .ready(lowered) }
      if let failure = await answer(lowered.inputs, services) { return .failed(failure) }
    }
    return .failed(RunState.endedEarly)
  }

  /// Asks for what references wait for; gives the failure where that is missing.
  mutating func answer(_ inputs: [Prompt], _ services: RunServices) async -> Failure? {
    var missing: [Prompt] = []
    for prompt in inputs where scope.answers[prompt.name] == nil {
      guard let answer = await answer(prompt, services) else {
        missing.append(prompt)
        continue
      }
      if !prompt.options.isEmpty, !prompt.options.contains(answer) {
        return RunState.failure(prompt, answer)
      }
      scope.answers[prompt.name] = answer
      if prompt.asksOnce { lastingAnswers[prompt.name] = answer }
    }
    if Task.isCancelled { return RunState.endedEarly }
    return missing.isEmpty ? nil : RunState.failure(missing)
  }

  /// What the user has given beforehand.
  private func given(_ prompt: Prompt) -> String? {
    input.inputs[prompt.name] ?? input.overrides[prompt.name]
  }

  private mutating func answer(_ prompt: Prompt, _ services: RunServices) async -> String? {
    var answer = given(prompt)
    if answer == nil, !Task.isCancelled { answer = await services.ask(prompt) }
    if prompt.isSecret, let answer { addSecrets([answer]) }
    return answer
  }

  private static func failure(_ missing: [Prompt]) -> Failure {
    var names: [String] = []
    for prompt in missing where !names.contains(prompt.name) { names.append(prompt.name) }
    let problem = EvaluationProblem(.inputMissing(names), range: 0..<0)
    return Failure(problem.code, problem.message)
  }

  private static func failure(_ prompt: Prompt, _ answer: String) -> Failure {
    let problem = EvaluationProblem(
      .notAChoice(name: prompt.name, answer: answer, options: prompt.options), range: 0..<0)
    return Failure(problem.code, problem.message)
  }
}
