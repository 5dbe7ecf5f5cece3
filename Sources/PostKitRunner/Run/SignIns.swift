// The sign-ins that a request file and its environment name, for who wants a token and sends no
// request: `postkit auth` (AU, section 9).

package import PostKitAuth
import PostKitEvaluate
package import PostKitHTTP
import PostKitSupport
import PostKitSyntax

/// A sign-in that a file or its environment names.
package struct KnownSignIn: Sendable {
  /// What is known of it.
  package enum Content: Sendable {
    case configuration(AuthConfiguration)
    /// The token was handed in for this call (AU-50).
    case given(String)
    /// It has a mistake.
    case broken(Failure)
  }

  /// Its name in the file, such as `shop`.
  package let id: String
  package let content: Content
  /// The request whose connection it uses.
  let place: RequestPlace
  let lowered: LoweredRequest

  /// How its token is got, where that is known.
  package var configuration: AuthConfiguration? {
    if case .configuration(let configuration) = content { configuration } else { nil }
  }
}

/// The sign-ins of a file in one environment. Finding them sends nothing and runs no script.
package struct SignIns: Sendable {
  /// Those of `Security.Auth` by their names, then those of requests in their order.
  package private(set) var all: [KnownSignIn] = []
  /// Whose their tokens are.
  package var place: TokenPlace { state.tokenPlace }
  private var state: RunState
  private let services: RunServices

  /// Finds the sign-ins of the blocks of a file and of its environment; gives the failure where
  /// that is not there.
  package static func find(
    _ input: RunInput, _ runner: Runner
  ) async -> Result<SignIns, Failure> {
    let (state, refusal) = await RunState.begin(input, runner.services)
    if let refusal { return .failure(refusal) }
    let environments = state.scope.environments
    if let failure = Runner.environmentFailure(environments) { return .failure(failure) }
    var result = SignIns(state: state, services: runner.services)
    result.collect(input.blocks.map { RequestPlace(block: $0) })
    return .success(result)
  }

  private init(state: RunState, services: RunServices) {
    self.state = state
    self.services = services
  }

  private mutating func collect(_ places: [RequestPlace]) {
    guard let first = places.first else { return }
    let connection = state.lower(first, services)
    for id in state.scope.environments.clients.keys.sorted() {
      let content = content(ofClient: id, at: first)
      all.append(KnownSignIn(id: id, content: content, place: first, lowered: connection))
    }
    var seen = Set(all.compactMap(\.configuration))
    for place in places {
      let lowered = place == first ? connection : state.lower(place, services)
      for configuration in lowered.needs.compactMap({ $0.token?.configuration })
      where seen.insert(configuration).inserted {
        all.append(
          KnownSignIn(
            id: configuration.id, content: .configuration(configuration), place: place,
            lowered: lowered))
      }
    }
  }

  private mutating func content(
    ofClient id: String, at place: RequestPlace
  ) -> KnownSignIn.Content {
    let reference = TokenReference(name: "auth.token", arguments: "(\"\(id)\")")
    guard let reference else { return .broken(Failure(.usage, "An id is empty.")) }
    let (finding, problems) = state.evaluate(place, services) { evaluator, _ in
      evaluator.token(reference, at: 0..<0, offset: .max)
    }
    switch finding {
    case .need(let need): return .configuration(need.configuration)
    case .given(let text): return .given(text)
    case .problem(let kind):
      let problem = EvaluationProblem(kind, range: 0..<0)
      return .broken(Failure(problem.code, problem.message(on: state.input.surface)))
    case .pending:
      guard let problem = problems.first(where: { $0.severity == .error }) else {
        return .broken(
          Failure(
            .usage,
            "`\(id)` has a value that only a request is asked for. Write the value into the file, "
              + "or send a request that uses the token."))
      }
      return .broken(Failure(problem.code, problem.message(on: state.input.surface)))
    }
  }

  /// Gets the token of a sign-in: what was handed in, the kept one where it is valid, else a new
  /// one, and always a new one where it is forced. Who asks for a sign-in gets one also where the
  /// configuration acquires none by itself; by a device it is got with a code that somebody types
  /// in elsewhere, and serves in place of what the configuration says.
  package mutating func token(
    _ signIn: KnownSignIn, kind: TokenNeed.Kind, isForced: Bool, signsIn: Bool, byDevice: Bool
  ) async -> Result<TokenAnswer, Failure> {
    let need: TokenNeed
    switch signIn.content {
    case .broken(let failure): return .failure(failure)
    case .given(let text):
      let tokens = TokenSet(accessToken: text, acquired: Clock.wallMilliseconds)
      return .success(TokenAnswer(text: text, scheme: tokens.scheme, tokens: tokens))
    case .configuration(let configuration):
      need = TokenNeed(configuration, kind: kind, isNew: isForced)
    }
    var services = services
    if signsIn { services.tokens = services.tokens.acquiring(by: byDevice ? .deviceCode : nil) }
    return await state.token(need, of: signIn.place, signIn.lowered, services)
  }

  /// Gives what is kept of a token back to its provider, which nobody may be able to reach; what is
  /// kept is still there afterwards.
  package func revoke(
    _ signIn: KnownSignIn, _ configuration: AuthConfiguration
  ) async -> RevocationOutcome {
    let tokens = await kept(configuration) ?? TokenSet(accessToken: "", acquired: 0)
    var known = state
    known.addSecrets(
      [tokens.accessToken, tokens.refreshToken, tokens.idToken].compactMap { $0 }
        .filter { !$0.isEmpty })
    let driver = known.errand(configuration, of: signIn.place, signIn.lowered, services).driver
    var plan = RevocationPlan(configuration, tokens, .system)
    var event = GrantEvent.begin
    while true {
      switch plan.next(event) {
      case .request(let request): event = await driver.event(of: request)
      case .done(var outcome):
        outcome.warnings = outcome.warnings.map { known.mask.mask($0).text }
        return outcome
      }
    }
  }

  /// What is kept of a token; `nil` where nothing is, or where it can't be read.
  package func kept(_ configuration: AuthConfiguration) async -> TokenSet? {
    let key = TokenOwner(configuration, at: place).key
    guard case .kept(let kept)? = await services.tokens.vault?.content(key) else { return nil }
    return kept.tokens
  }

  /// Opens a page in a browser, where there is one; answers whether it did.
  package func open(_ url: String, by host: any SignInHost) async -> Bool {
    await SystemBrowser.open(url, by: host)
  }
}

extension TokenBroker {
  /// One with the same vault that gets tokens whenever it is asked for one, by another grant than
  /// the configuration says where one is given.
  nonisolated func acquiring(by grant: Grant?) -> TokenBroker {
    TokenBroker(vault, context: context) { configuration, kept, context, driver in
      var configuration = configuration
      configuration.acquires = true
      if let grant { configuration.grant = grant }
      return await driver.run(GrantPlan(configuration, kept: kept, context))
    }
  }
}
