// What a request needs before it is sent, and who gets it: the values of `@prompt`s and of
// references such as `$input` (PK-54, PK-111).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension RunState {
  /// Asks for the values of `@prompt`s that nobody has given yet; gives the failure where one is
  /// missing.
  mutating func answer(
    _ prompts: [Prompt], of place: RequestPlace, _ services: RunServices
  ) async -> Failure? {
    let open = prompts.filter { scope.prompted[$0.name] == nil }
    guard !open.isEmpty else { return nil }
    var missing = MissingAnswers()
    for prompt in open {
      scope.prompted[prompt.name] = await answer(prompt, services, &missing)
    }
    if Task.isCancelled { return RunState.endedEarly }
    if missing.prompts.isEmpty { return nil }
    // All that is missing is said at once, so that nobody has to try again and again.
    for prompt in missing.prompts { scope.prompted[prompt.name] = prompt.name }
    let more = lower(place, services).needs.compactMap(\.prompt).filter { given($0) == nil }
    for prompt in missing.prompts { scope.prompted[prompt.name] = nil }
    missing.prompts += more
    return failure(missing)
  }

  /// Evaluates a block until nothing is lacking. One answer holds for all references of the request
  /// with that label.
  mutating func lowerAnswered(
    _ place: RequestPlace, _ services: RunServices
  ) async -> Result<LoweredRequest, Failure> {
    beginAnswers()
    if scripts.ahead != nil { await takeExpressionsAhead(place, services) }
    let lowered = await meetingNeeds(of: place, services) { await $0.lowerTrusted(place, services) }
    return lowered.flatMap { $0.map(Result.success) ?? .failure(RunState.endedEarly) }
  }

  /// How often a request may say that it lacks something.
  static let needRounds = 10

  /// Evaluates something, gets what it needs and evaluates it again, until it needs nothing. Gives
  /// the failure where something can't be got, and `nil` where there is nothing to evaluate.
  mutating func meetingNeeds(
    of place: RequestPlace, _ services: RunServices,
    _ evaluate: (inout RunState) async -> LoweredRequest?
  ) async -> Result<LoweredRequest?, Failure> {
    var rounds = 0
    while let lowered = await evaluate(&self) {
      if lowered.needs.isEmpty { return .success(lowered) }
      if rounds == RunState.needRounds { return .failure(RunState.endlessNeeds) }
      rounds += 1
      if let failure = await meet(lowered, of: place, services) { return .failure(failure) }
    }
    return .success(nil)
  }

  private static let endlessNeeds = Failure(
    .usage,
    "This request still needs a value after \(needRounds) rounds of questions, because each answer "
      + "leads to another question. Write the value into the file.")

  /// Gets what a request needs; gives the failure where something is missing. Answers and values
  /// may change what a token is got with, so that tokens wait until neither is missing.
  mutating func meet(
    _ lowered: LoweredRequest, of place: RequestPlace, _ services: RunServices
  ) async -> Failure? {
    let needs = lowered.needs
    let tokens = needs.compactMap(\.token)
    if tokens.count == needs.count { return await meet(tokens, of: place, lowered, services) }
    var missing = MissingAnswers()
    for need in needs where !scope.answers.meet(need) {
      switch need {
      case .expression, .token: continue
      case .prompt(let prompt):
        guard let answer = await answer(prompt, services, &missing) else { continue }
        if !prompt.options.isEmpty, !prompt.options.contains(answer) {
          return RunState.failure(prompt, answer)
        }
        scope.answers.prompts[prompt.name] = answer
        if prompt.asksOnce { lastingAnswers.prompts[prompt.name] = answer }
      }
    }
    if Task.isCancelled { return RunState.endedEarly }
    if !missing.prompts.isEmpty { return failure(missing) }
    // Answers may be a part of what is evaluated, so that they come first.
    if needs.contains(where: { $0.prompt != nil && !scope.answers.meet($0) }) { return nil }
    return await meet(needs.compactMap(\.expression), of: place, services)
  }

  /// What the user has given beforehand.
  private func given(_ prompt: Prompt) -> String? {
    input.inputs[prompt.name] ?? input.overrides[prompt.name]
  }

  /// The answer to a question: the one that was given beforehand, else what somebody says now. Who
  /// has closed one question is not asked the others.
  private mutating func answer(
    _ prompt: Prompt, _ services: RunServices, _ missing: inout MissingAnswers
  ) async -> String? {
    var answer = given(prompt)
    if answer == nil, !missing.wasDeclined, !Task.isCancelled {
      switch await services.ask(prompt) {
      case .given(let text): answer = text
      case .declined: missing.wasDeclined = true
      case .cannotAsk: break
      }
    }
    guard let answer else {
      missing.prompts.append(prompt)
      return nil
    }
    if prompt.isSecret { addSecrets([answer]) }
    return answer
  }

  private func failure(_ missing: MissingAnswers) -> Failure {
    var names: [String] = []
    for prompt in missing.prompts where !names.contains(prompt.name) { names.append(prompt.name) }
    let problem = EvaluationProblem(
      .inputMissing(names, wasDeclined: missing.wasDeclined), range: 0..<0)
    return Failure(
      problem.code, problem.message(on: input.surface), wasDeclined: missing.wasDeclined)
  }

  private static func failure(_ prompt: Prompt, _ answer: String) -> Failure {
    let problem = EvaluationProblem(
      .notAChoice(name: prompt.name, answer: answer, options: prompt.options), range: 0..<0)
    return Failure(problem.code, problem.message)
  }
}

/// Questions that have no answer.
private struct MissingAnswers: Sendable {
  var prompts: [Prompt] = []
  /// Whether somebody has closed one of them.
  var wasDeclined = false
}
