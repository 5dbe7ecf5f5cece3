// Begins scripts, and takes in what they come to.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax
import PostKitText

/// What a script is given of its request and response.
struct ScriptMoment: Sendable {
  var request: ScriptRequest
  var response: ScriptResponse?
}

extension RunState {
  /// Begins a script; gives the number of its job, or what keeps it from running.
  mutating func begin(
    _ script: PlannedScript, _ moment: ScriptMoment, _ caller: ScriptCaller,
    _ services: RunServices, before next: RequestPlace? = nil
  ) async -> Result<Int, ScriptRefusal> {
    if let failure = await openScripts(caller.place.file, services) {
      return .failure(ScriptRefusal(failure: failure))
    }
    if script.syntax.kind != .imports {
      var caller = caller
      if let refusal = await runImports(&caller, services) { return .failure(refusal) }
    }
    let text: ScriptText
    switch scriptText(script, caller, services) {
    case .success(let found): text = found
    case .failure(let error):
      return .failure(ScriptRefusal(problem: problem(error, caller)))
    }
    let offset = offset(caller)
    let stores = await handOver([text.text], caller, at: offset, services)
    let id = nextJob()
    scripts.texts[id] = text.text
    let job = RunScript(
      id: id, context: caller.place.file, phase: caller.phase, family: script.family,
      script: text, request: moment.request, response: moment.response,
      stores: stores)
    await scripts.session?.begin(.run(job))
    if let next { await handOverExpressions(of: next, after: job, text.text, services) }
    return .success(id)
  }

  /// Takes in what a script came to; `nil` where it went well.
  mutating func finish(
    _ outcome: ScriptOutcome, _ caller: ScriptCaller, _ turn: inout ScriptTurn
  ) -> EvaluationProblem? {
    apply(outcome.effects, of: caller.script, caller.place, &turn)
    let text = scripts.texts.removeValue(forKey: outcome.id)
    if let text, !outcome.effects.exportedFunctions.isEmpty {
      scripts.lastingWords[caller.place.file, default: []].formUnion(ScriptWords([text]).bare)
    }
    scripts.stream?.latest = outcome.subscriptions.map(\.number)
    turn.tests += outcome.tests.map { test(of: $0, caller) }
    // Masked before it is cut: a part of a secret would not be found.
    let reason = outcome.reason.map { mask.mask($0).text.excerpt }
    switch outcome.stopped {
    case .skip: turn.skip = turn.skip ?? reason ?? "a script leaves it out"
    case .replay: turn.replays = true
    case .abort: return problem(reason ?? "A script has stopped the request.", at: nil, caller)
    case .time:
      let limit = ScriptLimits.shown(milliseconds: input.scriptLimits.milliseconds)
      return problem(reason ?? "The script took longer than \(limit).", at: nil, caller)
    case .memory:
      let limit = ScriptLimits.shown(bytes: input.scriptLimits.memoryBytes)
      return problem(reason ?? "The script used more than \(limit).", at: nil, caller)
    case .cancelled, .exit, nil: break
    }
    return outcome.error.map { problem($0, caller) }
  }

  private func test(of test: ScriptTest, _ caller: ScriptCaller) -> TestResult {
    let own = path(ofScriptFile: caller.place.file)
    var sentences = [test.message].compactMap { $0 }
    if let actual = test.actual, sentences.isEmpty { sentences.append("The value is `\(actual)`.") }
    if let expected = test.expected, sentences.count == 1, test.message == nil {
      sentences.append("Expected: `\(expected)`.")
    }
    let message = mask.mask(sentences.joined(separator: " ")).text
    var result = TestResult(
      name: mask.mask(test.name).text.excerpt, passed: test.isPassed,
      message: test.isPassed ? "" : message.excerpt, line: test.place.line,
      milliseconds: Int(test.milliseconds.rounded()))
    if test.place.file != own { result.path = test.place.file }
    result.column = test.place.column
    return result
  }

  /// Runs the `={% %}` block of a request's file, once a run; where it has failed, nothing runs
  /// that may need it.
  mutating func runImports(
    _ caller: inout ScriptCaller, _ services: RunServices
  ) async -> ScriptRefusal? {
    let file = caller.place.file
    guard hasScripts, let script = scripts.files[file]?.imports else { return nil }
    guard scripts.imported.insert(file).inserted else { return scripts.importFailures[file] }
    let refusal = await runImports(script, caller, services)
    scripts.importFailures[file] = refusal
    return refusal
  }

  /// What is wrong in the `={% %}` block of a request's file, where that is why it has failed.
  func importProblem(_ place: RequestPlace, _ failure: Failure) -> EvaluationProblem? {
    guard failure.code == .scriptFailed, let problem = scripts.importFailures[place.file]?.problem,
      problem.message == failure.message
    else { return nil }
    return problem
  }

  private mutating func runImports(
    _ script: PlannedScript, _ caller: ScriptCaller, _ services: RunServices
  ) async -> ScriptRefusal? {
    let inner = ScriptCaller(place: caller.place, phase: .imports, script: script, exchange: nil)
    let moment = ScriptMoment(request: scriptRequest(caller.place), response: nil)
    switch await begin(script, moment, inner, services) {
    case .failure(let refusal): return refusal
    case .success(let id):
      var turn = ScriptTurn()
      while true {
        switch await nextStep(id, inner, services) {
        case .outside(let call):
          await scripts.session?.answer(
            call, .failure("an import block can't use the network or its cookies"))
        case .values: break
        case .failed(let failure):
          return ScriptRefusal(failure: Failure(.scriptFailed, failure.message))
        case .done(let outcome):
          return finish(outcome, inner, &turn).map { ScriptRefusal(problem: $0) }
        }
      }
    }
  }
}

/// Why a script does not run.
struct ScriptRefusal: Error, Sendable {
  var failure: Failure?
  var problem: EvaluationProblem?

  /// Makes a reason.
  init(failure: Failure? = nil, problem: EvaluationProblem? = nil) {
    self.failure = failure
    self.problem = problem
  }

  /// The failure in the words of a run.
  func failure(_ state: RunState) -> Failure {
    failure ?? Failure(.scriptFailed, problem?.message ?? "The script does not run.")
  }
}
