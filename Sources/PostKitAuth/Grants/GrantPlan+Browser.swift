// Grants in which a person signs in with a browser: code, implicit and hybrid (AU-27, AU-30 to
// AU-34).

import PostKitHTTP
import PostKitJSON

/// What one visit of a browser is known by, and what it is bound to.
struct Authorization: Sendable {
  var redirectURI = ""
  /// Whether somebody listens for the redirect.
  var isListened = false
  var state = ""
  var nonce: String?
  var verifier: String?
  var code: String?
  /// What the browser has brought beside a code (AU-27).
  var tokens: TokenSet?
}

extension GrantPlan {
  /// Begins with the listener, because the redirect URI may depend on it (AU-30).
  mutating func authorize() throws(AuthFailure) -> GrantStep {
    switch RedirectChoice(configuration) {
    case .listen(let place):
      awaited = .listener(place)
      authorization.isListened = true
      return .listen(place)
    case .paste(let uri): return try listening(uri)
    }
  }

  /// Once the redirect URI is known: the visit, or what is pushed before it (RFC 9126).
  mutating func listening(_ redirectURI: String) throws(AuthFailure) -> GrantStep {
    let types = configuration.responseTypes
    let scopes = (configuration.scope ?? "").split(separator: " ")
    authorization.redirectURI = redirectURI
    authorization.state = (configuration.statePrefix ?? "") + context.randomText()
    if scopes.contains("openid") || types.contains("id_token") {
      authorization.nonce = context.randomText()
    }
    if types.contains("code"), configuration.pkce != .off {
      let written = configuration.codeVerifier ?? ""
      // 48 bytes are the 64 characters of AU-30, all of them unreserved.
      authorization.verifier = written.isEmpty ? context.randomText(bytes: 48) : written
    }
    var parameters = authorizationParameters
    if let metadata, metadata.flag("require_pushed_authorization_requests"),
      let url = metadata.endpoint(
        "pushed_authorization_request_endpoint", tls: configuration.clientAuthentication == .tls)
    {
      return try send(.push, url, parameters)
    }
    parameters.apply(configuration.parameters(for: .authorization))
    return visit(parameters)
  }

  private var authorizationParameters: TokenParameters {
    var parameters = TokenParameters()
    parameters.add("response_type", configuration.responseTypes.joined(separator: " "))
    parameters.add("client_id", configuration.clientID)
    parameters.add("redirect_uri", authorization.redirectURI)
    parameters.add("scope", configuration.scope)
    parameters.add("state", authorization.state)
    parameters.add("nonce", authorization.nonce)
    if let verifier = authorization.verifier {
      let isPlain = configuration.pkce == .plain
      parameters.add("code_challenge", isPlain ? verifier : context.challenge(verifier))
      parameters.add("code_challenge_method", isPlain ? "plain" : "S256")
    }
    parameters.add("response_mode", configuration.responseMode)
    parameters.addTargets(of: configuration)
    return parameters
  }

  /// The answer to a pushed request is what the visit names (RFC 9126, section 2.2).
  mutating func pushed(
    _ answer: EndpointAnswer, _ call: ClientCall
  ) throws(AuthFailure) -> GrantStep {
    guard answer.isSuccess else { throw refusal(call).failure(answer) }
    guard let reference = answer.text("request_uri") else {
      throw refusal(call).unreadable(answer, "it has no `request_uri`")
    }
    var parameters = TokenParameters()
    parameters.add("client_id", configuration.clientID)
    parameters.add("request_uri", reference)
    return visit(parameters)
  }

  private mutating func visit(_ parameters: TokenParameters) -> GrantStep {
    awaited = .visit
    return .visit(
      BrowserVisit(
        url: parameters.added(to: configuration.authorizationURL ?? ""),
        redirectURI: authorization.redirectURI, state: authorization.state,
        isListened: authorization.isListened, takesBareCode: takesBareCode,
        readsFragment: readsFragment))
  }

  /// A code alone says nothing of who asked for it: its verifier does.
  private var takesBareCode: Bool {
    configuration.responseTypes == ["code"] && authorization.verifier != nil
  }

  private var readsFragment: Bool {
    switch configuration.responseMode {
    case "fragment": true
    case "query", "form_post": false
    default: configuration.responseTypes != ["code"]
    }
  }

  // MARK: - What comes back

  /// What somebody has pasted: an address, what stands in one, or a bare code (AU-34).
  mutating func pasted(_ text: String) throws(AuthFailure) -> GrantStep {
    // A line that was copied often has its end with it.
    let text = text.split(whereSeparator: \.isNewline).joined().trimmingASCIIBlanks()
    let mark = text.firstIndex { $0 == "?" || $0 == "#" }
    let rest = mark.map { text[text.index(after: $0)...] } ?? text[...]
    let fields = rest.split(separator: "#").flatMap { TokenParameters.fields(of: $0) }
    let known = ["state", "code", "error", "access_token", "id_token"]
    if fields.contains(where: { known.contains($0.name) }) { return try redirected(fields) }
    guard takesBareCode, !text.contains("://"), !text.isEmpty else {
      throw AuthFailure(
        .authState,
        "What was pasted is not the address that the sign-in for `\(configuration.id)` ends at. "
          + "Sign in again, and paste the whole address.")
    }
    return try useCode(text)
  }

  /// What a redirect has brought, checked in the order of AU-33.
  mutating func redirected(_ fields: [AuthField]) throws(AuthFailure) -> GrantStep {
    try checkState(fields)
    try checkIssuer(fields)
    let answer = EndpointAnswer(fields)
    if answer.error != nil { throw redirectRefusal.failure(answer) }
    let types = configuration.responseTypes
    if types.contains("token") || types.contains("id_token") {
      var reading = TokenReading(configuration: configuration, now: context.now())
      reading.needsAccessToken = types.contains("token")
      switch reading.tokens(answer) {
      case .success(var tokens):
        complete(&tokens)
        guard types.contains("code") else { return try done(tokens) }
        authorization.tokens = tokens
      case .failure(let reason):
        // The code gives the tokens that are not there yet.
        guard types.contains("code") else {
          throw redirectRefusal.unreadable(answer, reason.text)
        }
      }
    }
    guard let code = fields.only("code") else {
      throw redirectRefusal.unreadable(answer, "it has no `code`")
    }
    return try useCode(code)
  }

  /// Errors may come without a state: some providers leave it out, and the listener hands them on
  /// where nothing else waits (AU-32).
  private func checkState(_ fields: [AuthField]) throws(AuthFailure) {
    let states = fields.filter { $0.name == "state" }
    if states.isEmpty, fields.contains(where: { $0.name == "error" }) { return }
    guard states.count == 1, states[0].value.isEqualInConstantTime(to: authorization.state) else {
      throw AuthFailure(
        .authState,
        "The answer for `\(configuration.id)` belongs to another sign-in, or to none. "
          + "Sign in again.")
    }
  }

  /// Who answers has to be whom the sign-in was sent to (RFC 9207).
  private func checkIssuer(_ fields: [AuthField]) throws(AuthFailure) {
    let named = fields.filter { $0.name == "iss" }
    let isRequired = metadata?.flag("authorization_response_iss_parameter_supported") == true
    guard let issuer = metadata?.issuer ?? configuration.issuer, !issuer.isEmpty,
      isRequired || !named.isEmpty
    else { return }
    guard named.count == 1, named[0].value == issuer else {
      let who = named.first.map { "comes from \($0.value.cleaned(300))" } ?? "names no issuer"
      throw AuthFailure(
        .authIssuerMismatch,
        "The answer for `\(configuration.id)` \(who), not from \(issuer). It is not used. "
          + "Check `Issuer`, and sign in again.")
    }
  }

  private var redirectRefusal: Refusal {
    Refusal(
      configuration: configuration, goal: .grant, url: configuration.authorizationURL ?? "",
      metadata: metadata, secrets: ownSecrets)
  }

  private mutating func useCode(_ code: String) throws(AuthFailure) -> GrantStep {
    guard !code.isEmpty, code.utf8.count <= 8 << 10 else {
      throw AuthFailure(
        .authAnswerUnreadable,
        "The code for `\(configuration.id)` is empty or longer than 8 KiB. Sign in again.")
    }
    authorization.code = code
    var parameters = TokenParameters()
    parameters.add("grant_type", "authorization_code")
    parameters.add("code", code)
    parameters.add("redirect_uri", authorization.redirectURI)
    parameters.add("code_verifier", authorization.verifier)
    return try send(.grant, configuration.tokenURL, parameters)
  }

  /// Adds what the browser's part of the sign-in knows of the tokens.
  func complete(_ tokens: inout TokenSet) {
    tokens.nonce = authorization.nonce
    if tokens.idToken == nil { tokens.idToken = authorization.tokens?.idToken }
  }
}

extension AuthConfiguration {
  /// What an authorization endpoint is asked for (RFC 6749, section 3.1.1).
  var responseTypes: [Substring] {
    let text = responseType ?? ""
    if !text.isEmpty { return text.split(separator: " ") }
    return switch grant {
    case .implicit: ["token"]
    case .hybrid: ["code", "id_token"]
    default: ["code"]
    }
  }
}

extension AuthContext {
  /// The challenge of a verifier (RFC 7636, section 4.2).
  func challenge(_ verifier: String) -> String {
    Base64.encode(sha256(Array(verifier.utf8)), alphabet: .url, isPadded: false)
  }
}

extension String {
  /// Whether two texts are equal, in a time that does not tell where they differ.
  package func isEqualInConstantTime(to other: String) -> Bool {
    let own = Array(utf8)
    let others = Array(other.utf8)
    guard own.count == others.count else { return false }
    return zip(own, others).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
