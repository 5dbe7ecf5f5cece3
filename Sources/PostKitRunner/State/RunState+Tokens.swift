// The tokens that requests need: handed in by the user, kept from earlier, or got now.

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitSyntax

extension RunState {
  /// Begins the answers of a request with those that last: of tokens the ones that still hold.
  mutating func beginAnswers() {
    freshTokens = []
    if !lastingAnswers.tokens.isEmpty {
      let now = Clock.wallMilliseconds
      lastingAnswers.tokens = lastingAnswers.tokens.filter { $0.value.tokens.isValid(at: now) }
    }
    scope.answers = lastingAnswers
  }

  /// Gets tokens; gives the failure where one can't be got.
  mutating func meet(
    _ needs: [TokenNeed], of place: RequestPlace, _ lowered: LoweredRequest,
    _ services: RunServices
  ) async -> Failure? {
    for need in needs where scope.answers.tokens[need] == nil {
      switch await token(need, of: place, lowered, services) {
      case .success(let answer): use(answer, for: need)
      case .failure(let failure): return failure
      }
      if Task.isCancelled { return RunState.endedEarly }
    }
    return nil
  }

  /// Puts a token where evaluation reads it. One that was asked for as a new one serves one
  /// request.
  mutating func use(_ answer: TokenAnswer, for need: TokenNeed) {
    let tokens = answer.tokens
    addSecrets([answer.text] + [tokens.accessToken, tokens.refreshToken, tokens.idToken]
      .compactMap { $0 })
    scope.answers.tokens[need] = answer
    if !need.isNew { lastingAnswers.tokens[need] = answer }
  }

  /// The token for a need, kept or new. What the user hands in is none: evaluation has it.
  mutating func token(
    _ need: TokenNeed, of place: RequestPlace, _ lowered: LoweredRequest, _ services: RunServices
  ) async -> Result<TokenAnswer, Failure> {
    if let failure = refusal(lowered.settings) { return .failure(failure) }
    let errand = errand(need.configuration, of: place, lowered, services)
    switch await services.tokens.got(need, errand) {
    case .success(let got):
      if got.isFresh {
        freshTokens.insert(need)
        for remark in got.answer.tokens.remarks { say(remark, of: need, place) }
      }
      if need.kind == .id, need.configuration.grant != .mock {
        await check(got.answer, need, errand, place, services)
      }
      return .success(got.answer)
    case .failure(let failure): return .failure(masked(failure))
    }
  }

  /// Warns where an ID token proves nobody's identity. It is sent all the same, as its author wants
  /// it so: servers that are broken are to be looked at, too (AU-60).
  private func check(
    _ answer: TokenAnswer, _ need: TokenNeed, _ errand: TokenBroker.Errand, _ place: RequestPlace,
    _ services: RunServices
  ) async {
    let verdict = await services.tokens.verdict(
      on: answer.text, answer.tokens, of: need.configuration, errand.driver)
    guard let warning = verdict.warning else {
      if verdict.unchecked != nil { say(verdict.signatureSentence, of: need, place) }
      return
    }
    var problem = EvaluationProblem(
      .signIn(.idToken, "`\(need.configuration.id)`: \(mask.mask(warning).text)"),
      range: scope.files.block(place).requestLine)
    problem.severity = .warning
    tell?(.warnings([located(problem, place.file)]))
  }

  /// Says what somebody should know of a token that can be used all the same (AU-28, AU-61).
  private func say(_ sentence: String, of need: TokenNeed, _ place: RequestPlace) {
    tell?(.signIn(place, "`\(need.configuration.id)`: \(mask.mask(sentence).text)"))
  }

  private func masked(_ failure: AuthFailure) -> Failure {
    var result = failure.failure
    result.message = mask.mask(result.message).text
    return result
  }

  /// What a request lends the broker.
  func errand(
    _ configuration: AuthConfiguration, of place: RequestPlace, _ lowered: LoweredRequest,
    _ services: RunServices
  ) -> TokenBroker.Errand {
    let sender = TokenSender(self, of: place, lowered, configuration, services)
    var driver = TokenPlanDriver(host: services.signIn) { await sender.send($0) }
    driver.personSeconds = input.signInSeconds
    driver.permitVisit = { await sender.permission(for: $0) }
    driver.loginCommand = loginCommand(configuration.id)
    var errand = TokenBroker.Errand(
      place: tokenPlace, driver: driver, mayAskPerson: services.signIn != nil)
    errand.loginCommand = driver.loginCommand
    errand.permit = { await sender.permission(for: $0) }
    let tell = tell
    errand.tell = { tell?(.signIn(place, $0)) }
    return errand
  }

  /// Whose the tokens of the run are.
  var tokenPlace: TokenPlace {
    TokenPlace(
      folder: input.workspace.root, environment: input.environment, file: input.file)
  }

  /// What to run in order to sign in.
  private func loginCommand(_ id: String) -> String {
    let isTyped = input.surface == .commandLine
    let folder = isTyped ? FileSystem.currentDirectory : input.workspace.root
    let relative = FilePath.relative(input.file, to: folder)
    let file = relative.utf8.count < input.file.utf8.count ? relative : input.file
    let environment = input.environment.map { " --env \(RunState.quoted($0))" } ?? ""
    return "postkit auth login \(RunState.quoted(file)) --id \(RunState.quoted(id))\(environment)"
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let plain = ASCIISet(alphanumericsAnd: "-._/:@%+=,")
    if !word.isEmpty, word.utf8.allSatisfy({ $0 >= 128 || plain.contains($0) }) { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  // MARK: - Scripts

  /// The answer to a script that names a token: the program gets it, and the script's clock stands
  /// still meanwhile.
  mutating func token(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) async -> ScriptAnswer {
    let name = call.argument(1).string == "id" ? "auth.idToken" : "auth.token"
    guard let id = call.argument(0).string,
      let reference = TokenReference(name: name, arguments: id)
    else { return .failure("the id must be a string that is not empty") }
    let lowered = lowerAhead(caller.place, services)
    let range = caller.script?.range ?? scope.files.block(caller.place).requestLine
    for _ in 0..<RunState.needRounds {
      var evaluator = evaluator(caller.place, services, "call \(call.number)")
      let finding = evaluator.token(reference, at: range, offset: offset(caller))
      addSecrets(evaluator.secrets)
      stable = evaluator.stable
      switch finding {
      case .given(let text):
        addSecrets([text])
        return .value(.string(text))
      case .problem(let kind):
        return .failure(mask.mask(EvaluationProblem(kind, range: range).message).text)
      case .need(let need):
        if let failure = await meet([need], of: caller.place, lowered, services) {
          return RunState.answer(failure)
        }
        guard let answer = scope.answers.tokens[need] else { continue }
        return .value(.string(answer.text))
      case .pending:
        if let problem = evaluator.problems.first(where: { $0.severity == .error }) {
          return .failure(mask.mask(problem.message).text)
        }
        var asked = lowered
        asked.needs = evaluator.needs.filter { $0.prompt != nil }
        if asked.needs.isEmpty {
          return .failure(
            "a value of \"\(reference.id)\" is JavaScript, which waits for this script")
        }
        if let failure = await meet(asked, of: caller.place, services) {
          return RunState.answer(failure)
        }
      }
    }
    return .failure("\"\(reference.id)\" needs more and more answers")
  }

  private static func answer(_ failure: Failure) -> ScriptAnswer {
    .error(name: "RequestError", message: failure.message, code: failure.code.rawValue)
  }
}
