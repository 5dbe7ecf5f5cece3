// How a token is got, step by step, without doing any of it (AU-1).

import PostKitHTTP
import PostKitJSON

/// The steps to a token. It is told what has happened and says what is next.
package struct GrantPlan: Sendable {
  /// What the plan waits for.
  enum Awaited: Sendable {
    case begin
    case discovery(Discovery)
    case answer(ClientCall)
    case listener(RedirectPlace)
    case visit
    case codeShown
    case pause(milliseconds: Int)
    /// The steps of the token exchange, which are a plan of their own.
    case exchange
    case nothing
  }

  var configuration: AuthConfiguration
  let context: AuthContext
  /// What was kept of an earlier time, whose refresh token is used first (AU-43).
  var kept: TokenSet?
  /// The tokens that are exchanged, in the plan of an exchange.
  var subject: TokenSet?
  var metadata: ServerMetadata?
  var awaited = Awaited.begin
  /// Whether what was kept is of no use any more.
  var wasRefused = false
  /// How the client proved who it is when that was accepted.
  var accepted: ClientAuthentication?
  var authorization = Authorization()
  var device: DevicePolling?
  /// The plan of the exchange, and the tokens that go into it; one at most.
  var exchanges: [GrantPlan] = []

  /// Makes a plan that has done nothing yet.
  package init(_ configuration: AuthConfiguration, kept: TokenSet? = nil, _ context: AuthContext) {
    self.configuration = configuration
    self.kept = kept
    self.context = context
  }

  /// What is next after an event.
  package mutating func next(_ event: GrantEvent) -> GrantStep {
    do throws(AuthFailure) {
      return try step(event)
    } catch {
      awaited = .nothing
      var failure = error
      failure.forgetsTokens = failure.forgetsTokens || wasRefused
      return .failed(failure)
    }
  }

  private mutating func step(_ event: GrantEvent) throws(AuthFailure) -> GrantStep {
    if case .declined = event { throw declined }
    switch (awaited, event) {
    case (.begin, .begin): return try begin()
    case (.discovery(var discovery), _):
      switch try discovery.next(event) {
      case .request(let request):
        awaited = .discovery(discovery)
        return .request(request)
      case .found(let metadata): return try discovered(metadata)
      }
    case (.answer(var call), _):
      if call.goal == .poll, let step = try retriedPoll(event) { return step }
      switch try call.next(event) {
      case .request(let request):
        awaited = .answer(call)
        return .request(request)
      case .answer(let answer): return try answered(answer, call)
      }
    case (.listener, .listening(let redirectURI)): return try listening(redirectURI)
    case (.listener, .cannotListen(let failure)): throw failure
    case (.visit, .redirected(let fields)): return try redirected(fields)
    case (.visit, .pasted(let text)): return try pasted(text)
    case (.visit, .timedOut(let seconds)), (.codeShown, .timedOut(let seconds)):
      throw timedOut(seconds)
    case (.codeShown, .shown): return try pause()
    case (.pause(let milliseconds), .waited): return try waited(milliseconds)
    case (.exchange, _): return try exchanged(event)
    default: throw .unexpected
    }
  }

  // MARK: - The beginning

  private mutating func begin() throws(AuthFailure) -> GrantStep {
    if let tokens = mockTokens { return try done(tokens) }
    try configuration.check()
    if !canRefresh { try checkPerson() }
    if let issuer = configuration.issuer, !issuer.isEmpty,
      configuration.clientAuthentication == .tls
        || !configuration.missingFields(afterDiscovery: true).isEmpty
    {
      let discovery = try Discovery(configuration, issuer: issuer)
      awaited = .discovery(discovery)
      return .request(discovery.request)
    }
    return try proceed()
  }

  private mutating func discovered(_ found: ServerMetadata) throws(AuthFailure) -> GrantStep {
    metadata = found
    configuration = configuration.completed(with: found)
    try configuration.check(afterDiscovery: true)
    return try proceed()
  }

  /// Refreshes what was kept, or begins the grant.
  mutating func proceed() throws(AuthFailure) -> GrantStep {
    if canRefresh { return try refresh() }
    try checkPerson()
    if subject != nil { return try exchange() }
    switch configuration.grant {
    case .clientCredentials, .password, .jwtBearer: return try askForToken()
    case .authorizationCode, .implicit, .hybrid: return try authorize()
    case .deviceCode: return try askForCode()
    case .mock: throw .unexpected
    }
  }

  private var mockTokens: TokenSet? {
    guard configuration.grant == .mock, subject == nil, let mock = configuration.mock,
      let token = mock.token ?? mock.idToken
    else { return nil }
    var result = TokenSet(accessToken: token, acquired: context.now())
    result.idToken = mock.idToken
    return result
  }

  /// Fails where somebody has to sign in and nobody can, or where nothing new is wanted (AU-3,
  /// AU-50).
  private func checkPerson() throws(AuthFailure) {
    guard subject == nil else { return }
    if !configuration.acquires {
      throw AuthFailure(
        .authLoginNeeded,
        "`\(configuration.id)` has no valid token, and none is got by itself. "
          + "Run: \(context.loginCommand)")
    }
    if configuration.grant.needsPerson, !context.hasPerson {
      throw AuthFailure(
        .authLoginNeeded,
        "`\(configuration.id)` needs a sign-in by a person. Run: \(context.loginCommand)")
    }
  }

  private var declined: AuthFailure {
    var failure = AuthFailure(
      .authLoginNeeded,
      "The sign-in for `\(configuration.id)` was ended. Send the request again to sign in.")
    failure.wasDeclined = true
    return failure
  }

  private func timedOut(_ seconds: Int) -> AuthFailure {
    AuthFailure(
      .authTimeout,
      "Nobody signed in for `\(configuration.id)` within \(DurationText.text(seconds: seconds)). "
        + "Send the request again, or give more time with the setting `auth.timeout`.")
  }
}

extension AuthConfiguration {
  /// Fails where the configuration can't work, before anything is sent (AU-5, AU-7, AU-9).
  func check(afterDiscovery: Bool = false) throws(AuthFailure) {
    if let parameter = parameters.first(where: { AuthConfiguration.isReserved($0.name) }) {
      throw AuthFailure(
        .authParameterReserved,
        "`\(id)` writes the parameter `\(parameter.name)`, which belongs to the sign-in itself. "
          + "Remove it.")
    }
    if let failure = incomplete(afterDiscovery: afterDiscovery) { throw failure }
    let endpoints = [
      ("Auth URL", authorizationURL), ("Token URL", tokenURL), ("Device Auth URL", deviceURL),
    ]
    for (key, url) in endpoints {
      guard let url, !url.isEmpty, !AuthConfiguration.isWeb(url) else { continue }
      throw AuthFailure(
        .authIncomplete,
        "`\(name(ofField: key))` of `\(id)` is no absolute http or https address. Correct it.")
    }
    let broken = headers.first { ([$0.name] + $0.values).contains(where: \.breaksLine) }
    if let header = broken {
      throw AuthFailure(
        .authIncomplete,
        "A header of `\(id)` has a line break: `\(header.name.cleaned(40))`. Remove it.")
    }
  }

  /// The name of a field in the words that the configuration was written in, by its key in
  /// `Security.Auth`.
  func name(ofField key: String) -> String {
    let field = Grant.allCases.lazy.flatMap(RequiredField.fields).first { $0.key == key }
    return field?.name(in: self) ?? key
  }
}
