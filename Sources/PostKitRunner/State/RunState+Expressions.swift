// Gets what expressions come to, all of a round in one message (SC-35).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax

extension RunState {
  /// Evaluates expressions in the order of their use; what they come to is put where evaluation
  /// reads it. Gives the failure where none can be evaluated.
  mutating func meet(
    _ needs: [ExpressionNeed], of place: RequestPlace, _ services: RunServices
  ) async -> Failure? {
    var open = needs.filter { scope.answers.expressions[$0] == nil }
    if open.isEmpty { return nil }
    if let failure = await openScripts(place.file, services) { return failure }
    var caller = ScriptCaller(place: place, phase: .pre, script: nil, exchange: latest)
    if let refusal = await runImports(&caller, services) { return refusal.failure(self) }
    let texts = open.map(\.text)
    let offset = open[0].path.isEmpty ? open[0].offset : self.offset(caller)
    let stores = await handOver(texts, caller, at: offset, services)
    // Some were evaluated, as others read them by name.
    open.removeAll { scope.answers.expressions[$0] != nil }
    if open.isEmpty { return nil }
    let job = job(of: open, caller, stores)
    await scripts.session?.begin(.evaluate(job))
    return await values(of: job.id, open, caller, services)
  }

  /// The job that evaluates expressions.
  mutating func job(
    of needs: [ExpressionNeed], _ caller: ScriptCaller, _ stores: ScriptStores
  ) -> EvaluateExpressions {
    let items = needs.enumerated().map { index, need in
      ScriptExpression(key: String(index), ScriptText(need.text, at: standing(need)))
    }
    return EvaluateExpressions(
      id: nextJob(), context: caller.place.file, request: scriptRequest(caller.place),
      response: scriptResponse, stores: stores, items: items)
  }

  /// Waits for the values of expressions and puts them where evaluation reads them.
  mutating func values(
    of job: Int, _ open: [ExpressionNeed], _ caller: ScriptCaller, _ services: RunServices
  ) async -> Failure? {
    switch await outcome(of: job, caller, services) {
    case .success(let outcome): note(outcome, open)
    case .failure(let failure): failure
    }
  }

  /// Waits for what a job of expressions comes to.
  mutating func outcome(
    of job: Int, _ caller: ScriptCaller, _ services: RunServices
  ) async -> Result<ExpressionOutcome, Failure> {
    var turn = ScriptTurn()
    while true {
      switch await nextStep(job, caller, services) {
      case .outside(let call):
        await scripts.session?.answer(
          call, .failure("an expression can't use the network or its cookies"))
      case .done: break
      case .failed(let failure):
        if failure == .cancelled || Task.isCancelled { return .failure(RunState.endedEarly) }
        return .failure(Failure(.scriptFailed, failure.message))
      case .values(let outcome):
        apply(outcome.effects, of: nil, caller.place, &turn)
        return .success(outcome)
      }
    }
  }

  /// Keeps the values of expressions; gives the failure where some have none.
  mutating func note(
    _ outcome: ExpressionOutcome, _ needs: [ExpressionNeed]
  ) -> Failure? {
    for (key, value) in outcome.items {
      guard let index = Int(key), needs.indices.contains(index) else { continue }
      scope.answers.expressions[needs[index]] = answer(value)
    }
    let isWhole = needs.allSatisfy { scope.answers.expressions[$0] != nil }
    if isWhole && outcome.stopped == nil { return nil }
    switch outcome.stopped {
    case .cancelled: return RunState.endedEarly
    case .time: return Failure(.scriptFailed, "The expressions took longer than they may.")
    case .memory: return Failure(.scriptFailed, "The expressions used more memory than they may.")
    case .exit, .skip, .abort, .replay, nil:
      return isWhole ? nil : Failure(.scriptFailed, "The script engine left out an expression.")
    }
  }

  private func answer(_ value: ScriptValue) -> ExpressionAnswer {
    switch value {
    case .value(let value): .value(value)
    case .undefined: .undefined
    case .bytes(let bytes): .value(.string(String(keeping: bytes)))
    case .error(let error):
      if let name = error.unknownName {
        .unknownName(name)
      } else {
        .failed(error.name.isEmpty ? error.message : "\(error.name): \(error.message)")
      }
    }
  }

  /// Where an expression stands.
  private func standing(_ need: ExpressionNeed) -> ScriptPlace {
    let path = need.path
    if path.isEmpty { return scriptPlace(need.file, at: need.offset) }
    guard let file = scope.files.files.firstIndex(where: { $0.path == path }) else {
      return ScriptPlace(file: path, line: 1, column: 1)
    }
    return scriptPlace(file, at: need.offset)
  }

  /// Does something with what a block says apart from its request, after the expressions in it have
  /// been evaluated and its tokens were got; the problems are returned.
  mutating func evaluateAnswered<Result>(
    _ place: RequestPlace, _ services: RunServices,
    _ work: (inout Evaluator, ParsedBlock) -> Result
  ) async -> (Result, [EvaluationProblem]) {
    beginAnswers()
    for _ in 0..<RunState.needRounds {
      let before = stable
      var evaluator = evaluator(place, services, "tags")
      let result = work(&evaluator, scope.files.block(place))
      let needs = evaluator.needs.compactMap(\.expression)
      let tokens = evaluator.needs.compactMap(\.token)
      if needs.isEmpty, tokens.isEmpty {
        stable = evaluator.stable
        addSecrets(evaluator.secrets)
        return (result, evaluator.problems.map { located($0, place.file) })
      }
      stable = before
      if needs.isEmpty {
        let lowered = lowerAhead(place, services)
        guard let failure = await meet(tokens, of: place, lowered, services) else { continue }
        return (result, [problem(failure, place)])
      }
      if let failure = await meet(needs, of: place, services) {
        if let problem = importProblem(place, failure) { return (result, [problem]) }
        let block = scope.files.block(place)
        let problem = EvaluationProblem(.scriptFailed(failure.message), range: block.requestLine)
        return (result, [located(problem, place.file)])
      }
    }
    return evaluate(place, services, work)
  }

  /// Evaluates the expressions that something lacks, and gets its tokens; what can't be evaluated
  /// is told where it is used, and of tokens that can't be got somebody is warned.
  mutating func meetExpressions(
    of place: RequestPlace, _ services: RunServices, _ work: (inout Evaluator) -> Void
  ) async {
    for _ in 0..<RunState.needRounds {
      var evaluator = evaluator(place, services, "after")
      work(&evaluator)
      let needs = evaluator.needs.compactMap(\.expression)
      if needs.isEmpty {
        let tokens = evaluator.needs.compactMap(\.token)
        if tokens.isEmpty { return }
        let lowered = lowerAhead(place, services)
        guard let failure = await meet(tokens, of: place, lowered, services) else { continue }
        var warning = problem(failure, place)
        warning.severity = .warning
        tell?(.warnings([warning]))
        return
      }
      guard let failure = await meet(needs, of: place, services) else { continue }
      for need in needs where scope.answers.expressions[need] == nil {
        scope.answers.expressions[need] = .failed(failure.message)
      }
    }
  }

  /// What is said of a token that can't be got after its request was sent.
  private func problem(_ failure: Failure, _ place: RequestPlace) -> EvaluationProblem {
    located(
      EvaluationProblem(
        .signIn(.failed(failure.code), failure.message),
        range: scope.files.block(place).requestLine), place.file)
  }

  /// The latest response as scripts see it before their own request is answered (PK-106).
  var scriptResponse: ScriptResponse? {
    latest.map { ScriptResponse($0, name: nil, timings: nil) }
  }
}
