// The requests of a token endpoint, and what follows from their answers.

import PostKitHTTP
import PostKitJSON

extension GrantPlan {
  /// Sends a request in the client's name.
  mutating func send(
    _ goal: CallGoal, _ url: String?, _ parameters: TokenParameters
  ) throws(AuthFailure) -> GrantStep {
    guard let url else { throw .unexpected }
    let candidates = ClientProof.candidates(
      configuration, remembered: accepted ?? kept?.clientAuthentication)
    // What was accepted once in this plan is not doubted again.
    let isKnown = accepted != nil && configuration.clientAuthentication == nil
    var call = ClientCall(
      goal, url, parameters, configuration, proofs: isKnown ? [candidates[0]] : candidates,
      issuer: metadata?.issuer, context)
    let request = try call.start()
    awaited = .answer(call)
    return .request(request)
  }

  /// What follows from the answer to a request.
  mutating func answered(
    _ answer: EndpointAnswer, _ call: ClientCall
  ) throws(AuthFailure) -> GrantStep {
    let isKnown = answer.error != nil && answer.error != "invalid_client"
    if answer.isSuccess || isKnown && answer.reply.status != 401 {
      accepted = call.proof.authentication
    }
    switch call.goal {
    case .push: return try pushed(answer, call)
    case .device: return try codeGiven(answer, call)
    case .poll where !answer.isSuccess: return try pollRefused(answer, call)
    case .refresh where !answer.isSuccess: return try refreshRefused(answer, call)
    case .grant, .refresh, .poll, .exchange, .revocation: break
    }
    guard answer.isSuccess else { throw refusal(call).failure(answer) }
    return try done(try tokens(answer, call))
  }

  /// The tokens of an answer.
  private func tokens(
    _ answer: EndpointAnswer, _ call: ClientCall
  ) throws(AuthFailure) -> TokenSet {
    guard answer.members != nil else { throw refusal(call).unreadable(answer) }
    var reading = TokenReading(configuration: configuration, now: context.now())
    reading.renewed = call.goal == .refresh ? kept : nil
    switch reading.tokens(answer) {
    case .failure(let reason): throw refusal(call).unreadable(answer, reason.text)
    case .success(var tokens):
      tokens.clientAuthentication = accepted
      if call.goal == .grant { complete(&tokens) }
      if call.goal == .exchange { noteIssuedType(answer, &tokens) }
      return tokens
    }
  }

  /// What is known for messages about an answer.
  func refusal(_ call: ClientCall) -> Refusal {
    Refusal(
      configuration: configuration, goal: call.goal, url: call.url, metadata: metadata,
      tried: call.tried, parameterNames: call.parameterNames,
      secrets: ownSecrets + call.sentSecrets, late: device?.late)
  }

  /// Values of this sign-in that no message may show.
  var ownSecrets: [String] {
    let texts = [
      kept?.accessToken, kept?.refreshToken, kept?.idToken, subject?.accessToken,
      authorization.code, authorization.verifier, device?.deviceCode,
    ]
    return texts.compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The end of the grant: tokens, or their exchange (AU-25).
  mutating func done(_ tokens: TokenSet) throws(AuthFailure) -> GrantStep {
    guard let other = configuration.exchange.first else {
      awaited = .nothing
      return .done(tokens)
    }
    var plan = GrantPlan(other, context)
    plan.subject = tokens
    exchanges = [plan]
    awaited = .exchange
    return try exchanged(.begin)
  }

  // MARK: - Grants of one request

  /// Client credentials, password and JWT bearer (AU-22 to AU-24).
  mutating func askForToken() throws(AuthFailure) -> GrantStep {
    var parameters = TokenParameters()
    switch configuration.grant {
    case .password:
      parameters.add("grant_type", "password")
      parameters.add("scope", configuration.scope)
      parameters.add("username", configuration.username)
      parameters.add("password", configuration.password)
    case .jwtBearer:
      parameters.add("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
      parameters.add("assertion", try assertion())
      parameters.add("scope", configuration.scope)
    default:
      parameters.add("grant_type", "client_credentials")
      parameters.add("scope", configuration.scope)
    }
    parameters.addTargets(of: configuration)
    return try send(.grant, configuration.tokenURL, parameters)
  }

  /// The assertion as it is written, or one of the written header and claims (AU-24).
  private func assertion() throws(AuthFailure) -> String {
    if let text = configuration.assertion.text, !text.isEmpty { return text }
    let written = configuration.assertion
    let header = try members(written.header, "header")
    var claims = try members(written.claims, "payload")
    let now = context.now() / 1_000
    func addDefault(_ name: String, _ value: JSONValue) {
      if !claims.contains(where: { $0.key == name }) { claims.append(JSONMember(name, value)) }
    }
    if written.claims == nil {
      let id = JSONValue.string(configuration.clientID ?? "")
      addDefault("iss", id)
      addDefault("sub", id)
      addDefault("aud", .string(configuration.tokenURL ?? ""))
    }
    addDefault("iat", .int(now))
    let issued = claims.last { $0.key == "iat" }?.value.int ?? Int(now)
    addDefault("exp", .int(issued.addingReportingOverflow(50).partialValue))
    let key = written.privateKey.flatMap { $0.isEmpty ? nil : $0 }
    return try configuration.signedToken(header, claims, privateKey: key, context)
  }

  private func members(
    _ json: String?, _ name: String
  ) throws(AuthFailure) -> [JSONMember] {
    guard let json, !json.isEmpty else { return [] }
    // The message says what is expected; at which byte it fails, the editor shows.
    guard let root = try? JSONTree(parsing: Array(json.utf8)).root,
      case .object(let members) = root.value
    else {
      throw AuthFailure(
        .authIncomplete,
        "`\(name)` in `JWT` of `\(configuration.id)` is no JSON object. Correct it.")
    }
    return members
  }

  // MARK: - Refresh

  /// Whether a refresh token is there that may still be good.
  var canRefresh: Bool {
    guard !wasRefused, subject == nil, configuration.grant != .clientCredentials,
      let kept, kept.refreshToken?.isEmpty == false
    else { return false }
    return kept.refreshExpires.map { context.now() < $0 } ?? true
  }

  /// Renews the tokens that were kept, with the scope that was granted (AU-43).
  mutating func refresh() throws(AuthFailure) -> GrantStep {
    var parameters = TokenParameters()
    parameters.add("grant_type", "refresh_token")
    parameters.add("refresh_token", kept?.refreshToken)
    parameters.addTargets(of: configuration)
    return try send(.refresh, configuration.tokenURL, parameters)
  }

  /// A sign-in that has ended begins anew; anything else is told, and nothing is forgotten.
  private mutating func refreshRefused(
    _ answer: EndpointAnswer, _ call: ClientCall
  ) throws(AuthFailure) -> GrantStep {
    guard answer.error == "invalid_grant" else { throw refusal(call).failure(answer) }
    wasRefused = true
    return try proceed()
  }
}

extension TokenParameters {
  /// Adds what the token is for.
  mutating func addTargets(of configuration: AuthConfiguration) {
    add("audience", each: configuration.audiences)
    add("resource", each: configuration.resources)
  }
}
