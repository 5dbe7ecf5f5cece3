// Sends the requests by which tokens are got, as the request that needs one is sent: by its proxy,
// its authorities, its certificates. They are exchanges of their own (AU-2, AU-48).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitTransport

/// Sends requests of plans for a request of a run.
struct TokenSender: Sendable {
  /// Milliseconds that a provider has for an answer, where nobody says otherwise.
  private static let patience = 30_000
  /// Bytes of an answer that are read: more than any that has tokens, so that one that is longer
  /// is seen to be.
  private static let answerBytes = (1 << 20) + 1

  let state: RunState
  let place: RequestPlace
  /// The request that needs a token, as far as it is known.
  let lowered: LoweredRequest
  let services: RunServices
  /// The name of the configuration, and the client's.
  let (id, client): (String, String?)
  /// The origins that the user lets this folder sign in at.
  private let origins = Monitor<Set<String>>([])

  /// Makes a sender for a request.
  init(
    _ state: RunState, of place: RequestPlace, _ lowered: LoweredRequest,
    _ configuration: AuthConfiguration, _ services: RunServices
  ) {
    (self.state, self.place, self.lowered) = (state, place, lowered)
    (id, client) = (configuration.id, configuration.clientID)
    self.services = services
  }

  /// Sends a request, records it, and gives its reply.
  func send(_ request: TokenRequest) async -> Result<TokenReply, Failure> {
    if let failure = await permission(for: request.url) { return .failure(failure.failure) }
    guard let transport = services.transport else {
      return .failure(Failure(.internal, "Nothing can be sent here."))
    }
    var known = state
    var spec = RequestSpec(
      method: request.method, url: request.url, headers: request.headers,
      body: request.body.isEmpty ? [] : [.bytes(request.body)], options: options)
    spec.headers.addDefault("Accept", "application/json")
    spec.headers.addDefault("User-Agent", state.input.defaults.userAgent)
    var owner = lowered
    // What a certificate needs is got; the token would wait for itself.
    (owner.needs, owner.problems) = ([], [])
    // Certificates are chosen by host, and this is another one than that of the request.
    if owner.spec == nil { owner.spec = RequestSpec(method: "GET", url: "http://unknown.invalid/") }
    let prepared = PreparedRequest(
      id: Identifier.next(), place: place, turn: nil, spec: spec, method: "", url: "",
      lowered: owner)
    switch await known.certificate(for: spec.url, of: prepared, services) {
    case .success(let identity): spec.options.clientCertificate = identity
    case .failure(let failure): return .failure(failure)
    }
    spec.options.fileBoundary = known.boundary(of: spec)
    // A poll would take the place of the code that somebody has to read.
    if !request.parameterNames.contains("device_code") {
      state.tell?(
        .signIn(
          place, "Signing in for `\(id)`: \(spec.method) \(known.mask.maskURL(spec.url).text)"))
    }
    let started = Clock.wallMilliseconds
    let outcome = await transport.send(spec, jar: nil)
    var exchange = Exchange(
      id: prepared.id, startedAt: started, file: state.file(of: place), line: state.line(place),
      template: "", request: outcome.sent, state: outcome.state)
    exchange.response = outcome.response
    exchange.timings = outcome.timings
    exchange.failure = outcome.failure
    exchange.remoteAddress = outcome.remoteAddress
    exchange.isUnverified = !spec.options.verifiesTLS && spec.url.hasPrefix("https:")
    defer {
      if let body = outcome.response?.body { transport.discard(body) }
    }
    await record(exchange, known.mask)
    if let failure = outcome.failure { return .failure(failure) }
    guard let response = outcome.response else {
      return .failure(Failure(.internal, "\(id): the provider's answer is missing."))
    }
    return .success(
      TokenReply(
        status: response.status, headers: response.headers,
        body: StoredBody.bytes(response.body, limit: TokenSender.answerBytes)))
  }

  /// How the request that needs a token is connected, without what is its own.
  private var options: TransferOptions {
    var options = lowered.settings.options
    options.httpVersion = .automatic
    options.usesCookieJar = false
    options.cookieHeaderFeedsJar = false
    options.authentication = nil
    options.keepsStream = false
    options.clientCertificate = nil
    options.followsRedirects = false
    options.totalTimeoutMilliseconds = options.totalTimeoutMilliseconds ?? TokenSender.patience
    return options
  }

  private func record(_ exchange: Exchange, _ mask: SecretMask) async {
    guard lowered.settings.isLogged else { return }
    var exchange = exchange
    exchange.purpose = .token
    exchange.workspaceFolder = state.input.workspace.root
    exchange.environment = state.input.environment
    exchange.origin = state.input.surface == .editor ? .editor : .run
    exchange.dialect = state.scope.dialect(of: place.file).preset.rawValue
    _ = await services.record(TokenExchangeMask.masked(exchange, mask))
  }

  // MARK: - Trust

  /// Why a plan for a configuration may not begin: its folder is not trusted, and nobody lets it
  /// sign in there.
  func permission(for configuration: AuthConfiguration) async -> AuthFailure? {
    let urls = [
      configuration.issuer, configuration.authorizationURL, configuration.tokenURL,
      configuration.deviceURL,
    ]
    for url in urls.compactMap({ $0 }) {
      if let failure = await permission(for: url) { return failure }
    }
    return nil
  }

  /// Why nothing may be sent to an address, and no browser may be sent there.
  func permission(for url: String) async -> AuthFailure? {
    if state.trust == .given { return nil }
    // What is no URL is not sent to; the plan or the transport says so.
    guard let origin = URLText(url).origin, !origins.update({ $0.contains(origin) }) else {
      return nil
    }
    // Where a folder wants to go is no secret: somebody has to know it, and decides for it alone.
    let subject = SignInSubject(origin: origin, client: client.map { state.mask.mask($0).text })
    let trust = await services.trustSignIn(subject)
    if Task.isCancelled { return .cancelled }
    guard let remedy = trust.remedy else {
      origins.update { _ = $0.insert(origin) }
      return nil
    }
    var failure = AuthFailure(
      .authNotTrusted,
      "Nothing is sent: `\(id)` \(subject.clause), and \(state.input.workspace.root) is not "
        + "trusted. \(remedy), or take the token from somewhere else.")
    failure.wasDeclined = trust.wasDeclined
    return failure
  }
}

extension FailureCode {
  /// A folder that is not trusted wants to sign in somewhere.
  static let authNotTrusted = FailureCode(rawValue: "auth-not-trusted")
}
