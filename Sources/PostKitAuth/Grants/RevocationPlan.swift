// How tokens are taken back at the provider (RFC 7009; AU-47).

import PostKitHTTP
import PostKitJSON

/// What a plan of revocation wants next.
package enum RevocationStep: Sendable, Hashable {
  /// Send a request; answered by `.reply` or `.unreachable`.
  case request(TokenRequest)
  /// The end. The local tokens are to be forgotten whatever it says.
  case done(RevocationOutcome)
}

/// What came of a revocation.
package struct RevocationOutcome: Sendable, Hashable {
  /// Whether the provider has an endpoint that was asked.
  package var wasAsked = false
  /// What did not work, in sentences.
  package var warnings: [String] = []
  /// The page that ends the session in the browser; `nil` where the provider has none.
  package var endSessionURL: String?

  /// Makes the outcome of a provider that was not asked.
  package init() {}
}

/// The steps of a revocation: the refresh token first, then the access token.
package struct RevocationPlan: Sendable {
  private enum Awaited: Sendable {
    case begin
    case discovery(Discovery)
    case answer(ClientCall)
    case nothing
  }

  private var configuration: AuthConfiguration
  private let tokens: TokenSet
  private let context: AuthContext
  private var metadata: ServerMetadata?
  private var awaited = Awaited.begin
  /// The tokens that are left, with what they are.
  private var rest: [AuthField]
  private var outcome = RevocationOutcome()

  /// Makes a plan that has done nothing yet.
  package init(_ configuration: AuthConfiguration, _ tokens: TokenSet, _ context: AuthContext) {
    self.configuration = configuration
    self.tokens = tokens
    self.context = context
    rest = [AuthField("refresh_token", tokens.refreshToken ?? "")]
    rest.append(AuthField("access_token", tokens.accessToken))
    rest.removeAll { $0.value.isEmpty }
    if configuration.grant == .mock { rest = [] }
  }

  /// What is next after an event.
  package mutating func next(_ event: GrantEvent) -> RevocationStep {
    do throws(AuthFailure) {
      return try step(event)
    } catch {
      outcome.warnings.append(error.message)
      // What failed for one token may work for the other.
      if case .answer = awaited { return revokeNext() }
      return end()
    }
  }

  private mutating func step(_ event: GrantEvent) throws(AuthFailure) -> RevocationStep {
    switch awaited {
    case .begin:
      let lacks = configuration.revocationURL?.isEmpty != false
      if lacks, let issuer = configuration.issuer, !issuer.isEmpty, configuration.grant != .mock {
        let discovery = try Discovery(configuration, issuer: issuer)
        awaited = .discovery(discovery)
        return .request(discovery.request)
      }
      return revokeNext()
    case .discovery(var discovery):
      switch try discovery.next(event) {
      case .request(let request):
        awaited = .discovery(discovery)
        return .request(request)
      case .found(let found):
        metadata = found
        configuration = configuration.completed(with: found)
        return revokeNext()
      }
    case .answer(var call):
      switch try call.next(event) {
      case .request(let request):
        awaited = .answer(call)
        return .request(request)
      case .answer(let answer):
        if !(200...299).contains(answer.reply.status) { throw refusal(call).failure(answer) }
        return revokeNext()
      }
    case .nothing: return end()
    }
  }

  private mutating func revokeNext() -> RevocationStep {
    guard let url = configuration.revocationURL, AuthConfiguration.isWeb(url), !rest.isEmpty else {
      return end()
    }
    let token = rest.removeFirst()
    outcome.wasAsked = true
    var parameters = TokenParameters()
    parameters.add("token", token.value)
    parameters.add("token_type_hint", token.name)
    var call = ClientCall(
      .revocation, url, parameters, configuration,
      proofs: ClientProof.candidates(configuration, remembered: tokens.clientAuthentication),
      issuer: metadata?.issuer, context)
    do throws(AuthFailure) {
      let request = try call.start()
      awaited = .answer(call)
      return .request(request)
    } catch {
      outcome.warnings.append(error.message)
      return end()
    }
  }

  private mutating func end() -> RevocationStep {
    awaited = .nothing
    outcome.endSessionURL = endSessionURL
    return .done(outcome)
  }

  private func refusal(_ call: ClientCall) -> Refusal {
    Refusal(
      configuration: configuration, goal: .revocation, url: call.url, metadata: metadata,
      tried: call.tried, parameterNames: call.parameterNames,
      secrets: [tokens.accessToken, tokens.refreshToken, tokens.idToken].compactMap { $0 })
  }

  /// Where a browser ends the session (OpenID Connect RP-Initiated Logout, section 2).
  private var endSessionURL: String? {
    guard let url = configuration.endSessionURL, AuthConfiguration.isWeb(url) else { return nil }
    var parameters = TokenParameters()
    parameters.add("id_token_hint", tokens.idToken)
    parameters.add("client_id", configuration.clientID)
    return parameters.added(to: url)
  }
}
