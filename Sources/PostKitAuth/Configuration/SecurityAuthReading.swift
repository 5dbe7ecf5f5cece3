// A client of `Security.Auth` becomes a configuration (AU-3, AU-6, AU-9).

package import PostKitJSON

/// A field of a client with every reference in its value replaced.
package struct SecurityAuthField: Sendable, Hashable {
  package var name: String
  package var value: JSONValue

  /// Makes a field.
  package init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

extension AuthConfiguration {
  /// Reads the fields of a client that stands in a file, or says what keeps it from being used.
  /// Which keys count is for `SecurityAuthReading.keys(of:)` to say.
  package init(
    id: String, file: String, fields: [SecurityAuthField]
  ) throws(AuthFailure) {
    let reading = SecurityAuthReading(id: id, file: file, fields: fields)
    self = try reading.configuration()
  }
}

/// Reads the fields of a client.
package struct SecurityAuthReading {
  private let id: String
  private let file: String
  private let values: [String: JSONValue]

  /// Takes the fields in; of two that differ in case alone the one counts that is written as
  /// JetBrains writes it (AU-6).
  package init(id: String, file: String, fields: [SecurityAuthField]) {
    self.id = id
    self.file = file
    var values: [String: JSONValue] = [:]
    for field in fields {
      guard let key = SecurityAuthKey.named(field.name) else { continue }
      if key.name == field.name || !fields.contains(where: { $0.name == key.name }) {
        values[key.name] = field.value
      }
    }
    self.values = values
  }

  /// The keys by which the grant is chosen.
  package static let choosingKeys: Set<String> = ["Type", "Grant Type", "Client Credentials"]

  /// The grant that the fields choose, or why there is none.
  package func grant() throws(AuthFailure) -> Grant {
    if text("Type")?.lowercased() == "mock" { return .mock }
    let isSigned = text("Client Credentials")?.lowercased() == "jwt"
    guard let words = text("Grant Type"), !words.isEmpty else {
      if isSigned { return .jwtBearer }
      throw AuthFailure(.authIncomplete, "`\(id)` needs `Grant Type`. Add it to \(file).")
    }
    guard let grant = Grant(words: words), grant != .mock else {
      throw AuthFailure(
        .authGrantUnknown,
        "`\(id)` has the grant type `\(AuthConfiguration.excerpt(words))`, which does not exist. "
          + "Write one of: \(Grant.allCases.filter { $0 != .mock }.map(\.title).formatted).")
    }
    return isSigned && grant == .clientCredentials ? .jwtBearer : grant
  }

  fileprivate func configuration() throws(AuthFailure) -> AuthConfiguration {
    var result = AuthConfiguration(id: id, dialect: .securityAuth, grant: try grant())
    result.file = file
    result.usesIDToken = flag("Use ID Token") ?? false
    if result.grant == .mock {
      result.mock = MockTokens(token: text("Token"), idToken: text("ID Token"))
      return result
    }
    result.issuer = given("Issuer")
    result.authorizationURL = given("Auth URL")
    result.tokenURL = given("Token URL")
    result.deviceURL = given("Device Auth URL")
    result.revocationURL = given("Revoke URL")
    result.redirectURI = given("Redirect URL")
    result.clientID = given("Client ID")
    result.clientSecret = given("Client Secret")
    result.clientAuthentication = text("Client Credentials").flatMap {
      ClientAuthentication(words: $0)
    }
    result.scope = given("Scope")
    result.username = text("Username")
    result.password = text("Password")
    result.responseType = given("Response Type")
    result.statePrefix = given("State")
    result.acquires = flag("Acquire Automatically") ?? true
    result.lifetime = text("Expires In").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    result.opensCompleteURI = flag("Open Complete URI") ?? true
    result.pollsAfterBrowser = flag("Start Polling After Browser") ?? false
    readPKCE(&result)
    readAssertion(&result)
    result.parameters = try parameters("Custom Request Parameters")
    result.headers = try parameters("Custom Headers")
    try result.checkEndpoints()
    return result
  }

  // MARK: - Values

  private func text(_ key: String) -> String? { values[key]?.written }

  /// A text that is not empty.
  private func given(_ key: String) -> String? { text(key).flatMap { $0.isEmpty ? nil : $0 } }

  private func flag(_ key: String) -> Bool? { values[key]?.flag }

  private func readPKCE(_ result: inout AuthConfiguration) {
    guard let value = values["PKCE"] else { return }
    guard case .object(let members) = value else {
      if let isOn = value.flag { result.pkce = isOn ? .s256 : .off }
      return
    }
    for member in members {
      switch SecurityAuthKey.named(member.key, among: SecurityAuthReading.pkceKeys)?.name {
      case "Code Challenge Method":
        result.pkce = member.value.written?.lowercased() == "plain" ? .plain : .s256
      case "Code Verifier": result.codeVerifier = member.value.written
      default: break
      }
    }
  }

  private static let pkceKeys = SecurityAuthKey.named("PKCE")?.value.members ?? []
  private static let useKeys =
    SecurityAuthKey.named("Custom Request Parameters")?.value.members ?? []

  private func readAssertion(_ result: inout AuthConfiguration) {
    result.assertion.text = given("Assertion")
    result.assertion.privateKey = values["private_key"].flatMap { key in
      if case .object = key { key.text } else { key.written }
    }
    guard case .object(let members)? = values["JWT"] else { return }
    for member in members {
      let text = if case .string(let text) = member.value { text } else { member.value.text }
      switch member.key.lowercased() {
      case "header": result.assertion.header = text
      case "payload": result.assertion.claims = text
      default: break
      }
    }
  }

  // MARK: - Parameters

  private func parameters(_ key: String) throws(AuthFailure) -> [AuthParameter] {
    guard case .object(let members)? = values[key] else { return [] }
    var result: [AuthParameter] = []
    for member in members {
      if key == "Custom Request Parameters", AuthConfiguration.isReserved(member.key) {
        throw AuthFailure(
          .authParameterReserved,
          "`\(id)` sets the parameter `\(member.key)`, which PostKit sets itself. "
            + "Remove it from `\(key)` in \(file).")
      }
      add(member.value, named: member.key, use: .everywhere, to: &result)
    }
    return result
  }

  /// Adds the values of a parameter; those that follow each other for the same requests stay
  /// together.
  private func add(
    _ value: JSONValue, named name: String, use: AuthParameter.Use,
    to result: inout [AuthParameter]
  ) {
    switch value {
    case .null: return
    case .array(let elements):
      for element in elements { add(element, named: name, use: use, to: &result) }
    case .object(let members):
      var (inner, use) = (JSONValue.null, use)
      for member in members {
        switch SecurityAuthKey.named(member.key, among: SecurityAuthReading.useKeys)?.name {
        case "Value": inner = member.value
        case "Use": use = AuthParameter.Use(words: member.value.written ?? "")
        default: break
        }
      }
      add(inner, named: name, use: use, to: &result)
    case .bool, .number, .string:
      let text = value.written ?? ""
      if let last = result.last, last.name == name, last.use == use {
        result[result.count - 1].values.append(text)
      } else {
        result.append(AuthParameter(name: name, values: [text], use: use))
      }
    }
  }
}

extension AuthConfiguration {
  /// Whether a parameter is one that no author may set (AU-9).
  package static func isReserved(_ parameter: String) -> Bool {
    ["client_secret", "code_verifier", "state"].contains(parameter)
  }

  /// Says of the first endpoint that is no address of the web what is wrong with it (AU-7).
  package func checkEndpoints() throws(AuthFailure) {
    let endpoints: [(RequiredField.Endpoint, String?)] = [
      (.issuer, issuer), (.authorization, authorizationURL), (.token, tokenURL),
      (.device, deviceURL), (.revocation, revocationURL),
    ]
    for (endpoint, url) in endpoints {
      guard let url, !AuthConfiguration.isWebAddress(url) else { continue }
      throw AuthFailure(
        .authIncomplete,
        "`\(endpoint.name(in: self))` of `\(id)` must be an address that begins with https:// or "
          + "http://, but it is `\(AuthConfiguration.excerpt(url))`. Correct it in \(place).")
    }
  }

  /// Whether a text is an absolute address of the web.
  package static func isWebAddress(_ text: String) -> Bool {
    let folded = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: folded.hasPrefix) else { return false }
    guard let first = folded.dropFirst(scheme.count).first else { return false }
    // Browsers take `\` for `/`, so that they would go to another host than it seems.
    return !"/?#".contains(first) && !folded.contains { $0.isWhitespace || $0 == "\\" }
  }

  /// Where its fields stand, for messages.
  package var place: String { file.isEmpty ? "the request file or its environment" : file }

  /// The beginning of a text that a message quotes.
  fileprivate static func excerpt(_ text: String) -> String {
    text.count > 100 ? text.prefix(100) + "…" : text
  }
}

extension AuthParameter.Use {
  /// Reads JetBrains' words; anything else means both requests.
  fileprivate init(words: String) {
    switch words.lowercased().filter({ $0 != " " }) {
    case "inauthrequest": self = .authorization
    case "intokenrequest": self = .token
    default: self = .everywhere
    }
  }
}

extension JSONValue {
  /// The text of a plain value; `nil` for `null` and for values with members.
  fileprivate var written: String? {
    switch self {
    case .string(let text): text
    case .number, .bool: text
    case .null, .array, .object: nil
    }
  }

  /// A truth value, which may be written as a text.
  fileprivate var flag: Bool? {
    switch written?.lowercased() {
    case "true", "1", "yes", "on": true
    case "false", "0", "no", "off": false
    default: nil
    }
  }
}

extension [String] {
  /// The words with commas between.
  fileprivate var formatted: String { joined(separator: ", ") }
}
