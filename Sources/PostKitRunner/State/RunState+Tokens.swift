// The tokens that requests need: handed in by the user, kept from earlier, or got now.

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
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

  /// Puts a token where evaluation reads it. One that was asked for as a new one serves one request.
  mutating func use(_ answer: TokenAnswer, for need: TokenNeed) {
    let tokens = answer.tokens
    addSecrets([answer.text] + [tokens.accessToken, tokens.refreshToken, tokens.idToken]
      .compactMap { $0 })
    scope.answers.tokens[need] = answer
    if !need.isNew { lastingAnswers.tokens[need] = answer }
  }

  /// The token for a need: what the user hands in stands above everything.
  mutating func token(
    _ need: TokenNeed, of place: RequestPlace, _ lowered: LoweredRequest, _ services: RunServices
  ) async -> Result<TokenAnswer, Failure> {
    switch await handedIn(need, services) {
    case .success(let answer?): return .success(answer)
    case .success(nil): break
    case .failure(let failure): return .failure(failure)
    }
    if let failure = refusal(lowered.settings) { return .failure(failure) }
    let errand = errand(need.configuration, of: place, lowered, services)
    switch await services.tokens.got(need, errand) {
    case .success(let got):
      if got.isFresh { freshTokens.insert(need) }
      return .success(got.answer)
    case .failure(let failure): return .failure(masked(failure))
    }
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
    var errand = TokenBroker.Errand(
      place: tokenPlace, driver: driver, mayAskPerson: services.signIn != nil)
    errand.loginCommand = loginCommand(configuration.id)
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
    let file = FilePath.relative(input.file, to: input.workspace.root)
    let environment = input.environment.map { " --env \(RunState.quoted($0))" } ?? ""
    return "postkit auth login \(RunState.quoted(file)) --id \(RunState.quoted(id))\(environment)"
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let plain = ASCIISet(alphanumericsAnd: "-._/:@%+=,")
    if !word.isEmpty, word.utf8.allSatisfy({ $0 >= 128 || plain.contains($0) }) { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  // MARK: - Handed in

  /// The name of the environment variable that hands in a token: capitals and digits of the id,
  /// `_` for anything else (AU-50).
  static func variable(ofToken id: String) -> String {
    "POSTKIT_TOKEN_"
      + id.unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          ? String(scalar).uppercased() : "_"
      }.joined()
  }

  /// The token that the user hands in. The environment of the process is not for folders that are
  /// not trusted.
  private mutating func handedIn(
    _ need: TokenNeed, _ services: RunServices
  ) async -> Result<TokenAnswer?, Failure> {
    let configuration = need.configuration
    // An access token is none that says who somebody is.
    guard need.kind == .access || configuration.usesIDToken else { return .success(nil) }
    if let text = input.overrides["auth.\(configuration.id)"] { return .success(answer(text)) }
    let name = RunState.variable(ofToken: configuration.id)
    guard let text = ProcessEnvironment.value(name), !text.isEmpty else { return .success(nil) }
    if trust != .given {
      let clause = "the environment variable `\(name)`"
      let subject = TrustSubject.choice(clause, file: configuration.file)
      if trust == nil { trust = await services.trust([subject]) }
      if Task.isCancelled { return .failure(RunState.endedEarly) }
      if let remedy = trust?.remedy {
        return .failure(
          Failure(
            .authNotTrusted,
            "Nothing is sent: the request would use \(clause), and \(input.workspace.root) is not "
              + "trusted. \(remedy), or unset it.", wasDeclined: trust?.wasDeclined == true))
      }
    }
    return .success(answer(text))
  }

  private func answer(_ text: String) -> TokenAnswer {
    TokenAnswer(
      text: text, scheme: "Bearer",
      tokens: TokenSet(accessToken: text, acquired: Clock.wallMilliseconds))
  }
}
