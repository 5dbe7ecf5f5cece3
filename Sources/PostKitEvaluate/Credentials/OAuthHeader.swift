// `Authorization: oauth2 …` and `openid …` with the variables that they read, as httpYac has
// them (section 4.2).

package import PostKitAuth
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// The words of the header: `oauth2 [FLOW] [PREFIX] [token_exchange PREFIX]`.
package struct OAuthHeader: Sendable, Hashable {
  package var grant = Grant.clientCredentials
  /// What the names of its variables begin with.
  package var prefix = OAuthHeader.defaultPrefix
  /// The same of what the token is exchanged for.
  package var exchangePrefix: String?

  /// The prefix of the variables that all headers read.
  package static let defaultPrefix = "oauth2"

  /// The words for grants, the first of each grant being its usual one.
  package static let flows: [(word: String, grant: Grant)] = [
    ("client_credentials", .clientCredentials), ("client", .clientCredentials),
    ("authorization_code", .authorizationCode), ("code", .authorizationCode),
    ("device_code", .deviceCode), ("device", .deviceCode), ("password", .password),
    ("implicit", .implicit), ("hybrid", .hybrid),
  ]

  /// Reads the value of a header; `nil` for another one. A first word that is no flow is the
  /// prefix.
  package init?(_ text: String) {
    var words = text.split { $0 == " " || $0 == "\t" }[...]
    guard let scheme = words.popFirst()?.lowercased(), scheme == "oauth2" || scheme == "openid",
      !words.contains(where: { $0.contains("{") || $0.contains("}") })
    else { return nil }
    if let word = words.first?.lowercased(),
      let flow = OAuthHeader.flows.first(where: { $0.word == word })
    {
      grant = flow.grant
      words = words.dropFirst()
    }
    func isExchange(_ word: Substring?) -> Bool { word?.lowercased() == "token_exchange" }
    if let word = words.first, !(words.count == 2 && isExchange(word)) {
      prefix = String(word)
      words = words.dropFirst()
    }
    if words.count == 2, isExchange(words.first) {
      exchangePrefix = words.last.map(String.init)
      words = []
    }
    guard words.isEmpty else { return nil }
  }

  /// The names of its variables without their prefix, each with what it is for.
  package static let variables: [(name: String, summary: String)] = [
    ("tokenEndpoint", "The endpoint that gives tokens."),
    ("authorizationEndpoint", "The page on which a person signs in."),
    ("deviceCodeEndpoint", "The endpoint that gives codes for other devices."),
    ("clientId", "The name of this client at the provider."),
    ("clientSecret", "The secret of this client."),
    ("scope", "What the token is for, words with blanks between."),
    ("audience", "For whom the token is; a text or a list."),
    ("resource", "For what the token is; a text or a list."),
    ("username", "The name of the user, for the flow `password`."),
    ("password", "The password of the user, for the flow `password`."),
    ("redirectUri", "Where the browser comes back to; http://localhost:3000/callback if absent."),
    ("serverPort", "The port that PostKit listens on, where it isn't that of `redirectUri`."),
    ("useAuthorizationHeader", "Whether the client is named in a header; it is unless `false`."),
    ("usePkce", "Whether the code is bound to who asked for it; it is unless `false`."),
    ("useDeviceCodeClientSecret", "Whether the flow `device_code` sends the secret."),
    ("responseType", "What the provider sends back; `token` for `implicit` if absent."),
    ("responseMode", "How the provider sends it back."),
    ("subjectIssuer", "The issuer of the token that is exchanged."),
    ("keepAlive", "For httpYac; PostKit gets a new token when one is needed."),
  ]
}

extension Evaluator {
  /// The configuration that a header names, as names mean at an offset.
  mutating func configuration(
    of header: OAuthHeader, at range: Range<Int>, offset: Int
  ) -> ConfigurationFinding {
    let count = problems.count
    let known = lacks
    var names = PrefixedNames(scope, prefix: header.prefix, range: range, offset: offset)
    names.reportUnused(&self)
    var result = names.configuration(header.grant, hasExchange: header.exchangePrefix != nil, &self)
    if let prefix = header.exchangePrefix {
      names.prefix = prefix
      var exchange = names.configuration(.clientCredentials, hasExchange: true, &self)
      if exchange.clientSecret == nil { exchange.clientAuthentication = ClientAuthentication.none }
      result.exchange = [exchange]
    }
    if problems[count...].contains(where: { $0.severity == .error }) || lacks != known {
      return .pending
    }
    for configuration in [result] + result.exchange {
      do throws(AuthFailure) {
        try configuration.checkEndpoints()
        if let failure = configuration.incomplete() { throw failure }
      } catch {
        return .problem(.signIn(EvaluationProblem.SignInMistake(error), error.message))
      }
    }
    return .known(result)
  }
}

/// Looks up the variables of a header.
private struct PrefixedNames {
  var prefix: String
  private let range: Range<Int>
  private let offset: Int
  /// All names by their small letters, where more than one has these.
  private let folded: [String: [String]]

  init(_ scope: Scope, prefix: String, range: Range<Int>, offset: Int) {
    self.prefix = prefix
    (self.range, self.offset) = (range, offset)
    let names = Set(scope.nameGroups.joined()).filter { $0.utf8.contains(UInt8(ascii: "_")) }
    folded = Dictionary(grouping: names) { $0.lowercased() }
  }

  /// The value of a variable: the one with the prefix, else the one of all headers.
  private func value(_ name: String, _ evaluator: inout Evaluator) -> JSONValue? {
    if let value = value(name, of: prefix, &evaluator) { return value }
    if prefix == OAuthHeader.defaultPrefix { return nil }
    return value(name, of: OAuthHeader.defaultPrefix, &evaluator)
  }

  /// Its name as it is written, else the only one that differs in case alone, else a member.
  private func value(
    _ name: String, of prefix: String, _ evaluator: inout Evaluator
  ) -> JSONValue? {
    let whole = "\(prefix)_\(name)"
    var found = evaluator.definition(whole, at: offset)
    if found == nil, let names = folded[whole.lowercased()], names.count == 1 {
      found = evaluator.definition(names[0], at: offset)
    }
    if let found {
      switch evaluator.use(found, at: range, place: .header, offset: offset) {
      case .value(let value): return value
      case .unresolved(let kind):
        evaluator.report(kind, range)
        return nil
      }
    }
    guard let object = evaluator.definition(prefix, at: offset) else { return nil }
    return evaluator.member("." + name, of: object, at: range, place: .header, offset: offset)
  }

  /// A text that is not empty.
  private func text(_ name: String, _ evaluator: inout Evaluator) -> String? {
    guard let value = value(name, &evaluator), value != .null else { return nil }
    let text = value.substitutionText
    return text.isEmpty ? nil : text
  }

  private func texts(_ name: String, _ evaluator: inout Evaluator) -> [String] {
    switch value(name, &evaluator) {
    case nil, .null?: []
    case .array(let elements)?: elements.map(\.substitutionText)
    case let value?: value.substitutionText.isEmpty ? [] : [value.substitutionText]
    }
  }

  private func flag(_ name: String, _ evaluator: inout Evaluator) -> Bool? {
    switch text(name, &evaluator)?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  private func secret(_ name: String, _ evaluator: inout Evaluator) -> String? {
    let found = text(name, &evaluator)
    evaluator.note(secret: found ?? "")
    return found
  }

  /// Says which variables of httpYac's have no effect here.
  func reportUnused(_ evaluator: inout Evaluator) {
    let remedies = [
      "interceptRequest": "PostKit calls no function for a token request.",
      "proxy": "A token request goes by the proxy of the request that needs the token.",
    ]
    for (name, remedy) in remedies.sorted(by: { $0.key < $1.key }) {
      guard evaluator.definition("\(prefix)_\(name)", at: offset) != nil else { continue }
      evaluator.report(
        .unsupported("`\(prefix)_\(name)` has no effect. \(remedy)"), range, .warning)
    }
  }

  func configuration(
    _ grant: Grant, hasExchange: Bool, _ evaluator: inout Evaluator
  ) -> AuthConfiguration {
    var result = AuthConfiguration(id: prefix, dialect: .header, grant: grant)
    result.tokenURL = text("tokenEndpoint", &evaluator)
    result.clientID = text("clientId", &evaluator)
    result.clientSecret = secret("clientSecret", &evaluator)
    let isByHeader = flag("useAuthorizationHeader", &evaluator) ?? true
    result.clientAuthentication = isByHeader ? .basic : .body
    // A client without a secret is named in the body (RFC 6749, section 3.2.1).
    if result.clientSecret == nil, grant != .clientCredentials {
      result.clientAuthentication = ClientAuthentication.none
    }
    result.scope = text("scope", &evaluator)
    if result.scope == nil, grant.needsPerson { result.scope = "openid" }
    result.audiences = texts("audience", &evaluator)
    result.resources = texts("resource", &evaluator)
    if hasExchange { result.subjectIssuer = text("subjectIssuer", &evaluator) }
    switch grant {
    case .password:
      result.username = text("username", &evaluator)
      result.password = secret("password", &evaluator)
    case .deviceCode:
      result.deviceURL = text("deviceCodeEndpoint", &evaluator)
      if flag("useDeviceCodeClientSecret", &evaluator) == true {
        result.clientAuthentication = .body
      } else {
        result.clientAuthentication = ClientAuthentication.none
      }
    case .authorizationCode, .implicit, .hybrid:
      result.authorizationURL = text("authorizationEndpoint", &evaluator)
      result.redirectURI = text("redirectUri", &evaluator) ?? "http://localhost:3000/callback"
      result.listenPort = text("serverPort", &evaluator).flatMap { UInt16($0) }
      result.responseType = text("responseType", &evaluator)
      result.responseMode = text("responseMode", &evaluator)
      if flag("usePkce", &evaluator) == false { result.pkce = .off }
    case .clientCredentials, .jwtBearer, .mock: break
    }
    return result
  }
}

extension Scope {
  /// The variable that holds what was got last for a header.
  package static let tokenSession = "oauth2Session"
}

extension BlockLowering {
  /// The value of the header once there is a token; until then it stands for one.
  mutating func authorization(_ header: OAuthHeader, at range: Range<Int>) -> String? {
    func value(_ token: String, scheme: String = "Bearer") -> String {
      scheme + " " + evaluator.shown(token, isSecret: true)
    }
    let standIn = "Bearer " + Evaluator.standIn(for: header.prefix)
    if let handed = evaluator.handedIn(header.prefix) {
      switch handed {
      case .given(let token): return value(token)
      case .problem(let kind): report(kind, range)
      case .need, .pending: break
      }
      return standIn
    }
    switch evaluator.configuration(of: header, at: range, offset: range.lowerBound) {
    case .pending: return standIn
    case .problem(let kind):
      report(kind, range)
      return standIn
    case .known(let configuration):
      let need = TokenNeed(configuration, kind: .access)
      guard let answer = evaluator.answer(to: need) else { return standIn }
      session = oauth2Session(of: answer)
      return value(answer.text, scheme: answer.scheme)
    }
  }

  /// What the variable `oauth2Session` holds after a token was got for a header.
  private mutating func oauth2Session(of answer: TokenAnswer) -> JSONValue {
    let tokens = answer.tokens
    for secret in [tokens.accessToken, tokens.refreshToken, tokens.idToken] {
      evaluator.note(secret: secret ?? "")
    }
    let seconds = tokens.expires.map { ($0 - tokens.acquired) / 1_000 }
    return [
      "accessToken": .string(tokens.accessToken), "refreshToken": .optional(tokens.refreshToken),
      "idToken": .optional(tokens.idToken), "expiresIn": seconds.map { .int($0) } ?? .null,
      "scope": .optional(tokens.scope),
    ]
  }
}
