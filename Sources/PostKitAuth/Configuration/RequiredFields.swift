// What each grant can't do without (AU-5), in one table, with the names that files have for it.

/// A field of a configuration that a grant may need.
package struct RequiredField: Sendable {
  /// The key in `Security.Auth`.
  package let key: String
  /// httpYac's variable without its prefix.
  package let variable: String
  /// The words of REST Client's references: an environment variable, a parameter.
  fileprivate let azure: String
  fileprivate let oidc: String
  fileprivate let isMissing: @Sendable (AuthConfiguration) -> Bool

  /// How an author would write it.
  package func name(in configuration: AuthConfiguration) -> String {
    switch configuration.dialect {
    case .securityAuth: key
    case .header: "\(configuration.id)_\(variable)"
    // `$aadToken` has variables of its own.
    case .azure:
      configuration.id == "aadToken" ? azure.filter { $0 != "V" && $0 != "2" } : azure
    case .oidc: oidc
    }
  }
}

extension RequiredField {
  /// An address of a provider, with its names.
  enum Endpoint {
    case issuer, authorization, token, device, revocation

    /// How an author would write it.
    func name(in configuration: AuthConfiguration) -> String {
      switch self {
      case .authorization: authorizationURL.name(in: configuration)
      case .token: tokenURL.name(in: configuration)
      case .device: deviceURL.name(in: configuration)
      case .issuer: configuration.dialect == .oidc ? "issuer:" : "Issuer"
      case .revocation: "Revoke URL"
      }
    }
  }

  private static let tokenURL = RequiredField(
    key: "Token URL", variable: "tokenEndpoint", azure: "aadV2TenantId", oidc: "tokenEndpoint:",
    isMissing: { isEmpty($0.tokenURL) })
  private static let authorizationURL = RequiredField(
    key: "Auth URL", variable: "authorizationEndpoint", azure: "aadV2TenantId",
    oidc: "authorizeEndpoint:", isMissing: { isEmpty($0.authorizationURL) })
  private static let deviceURL = RequiredField(
    key: "Device Auth URL", variable: "deviceCodeEndpoint", azure: "aadV2TenantId",
    oidc: "tokenEndpoint:", isMissing: { isEmpty($0.deviceURL) })
  private static let clientID = RequiredField(
    key: "Client ID", variable: "clientId", azure: "aadV2ClientId", oidc: "clientId:",
    isMissing: { isEmpty($0.clientID) })
  private static let clientSecret = RequiredField(
    key: "Client Secret", variable: "clientSecret", azure: "aadV2ClientSecret", oidc: "clientId:",
    isMissing: { $0.needsSecret && isEmpty($0.clientSecret) })
  private static let privateKey = RequiredField(
    key: "private_key", variable: "privateKey", azure: "aadV2ClientSecret", oidc: "clientId:",
    isMissing: { $0.clientAuthentication == .privateKeyJWT && isEmpty($0.assertion.privateKey) })
  private static let username = RequiredField(
    key: "Username", variable: "username", azure: "", oidc: "", isMissing: { $0.username == nil })
  private static let password = RequiredField(
    key: "Password", variable: "password", azure: "", oidc: "", isMissing: { $0.password == nil })
  private static let assertion = RequiredField(
    key: "Assertion", variable: "assertion", azure: "", oidc: "",
    isMissing: { configuration in
      let given = configuration.assertion
      return isEmpty(given.text) && isEmpty(given.privateKey) && isEmpty(configuration.clientSecret)
    })
  private static let appURI = RequiredField(
    key: "Scope", variable: "scope", azure: "aadV2AppUri", oidc: "scopes:",
    isMissing: { $0.dialect == .azure && isEmpty($0.scope) })
  private static let mockToken = RequiredField(
    key: "Token", variable: "token", azure: "", oidc: "",
    isMissing: { $0.mock?.token == nil && $0.mock?.idToken == nil })

  private static func isEmpty(_ text: String?) -> Bool { text?.isEmpty ?? true }

  /// What a grant needs, in the order in which a message names it.
  package static func fields(of grant: Grant) -> [RequiredField] {
    switch grant {
    case .clientCredentials: [tokenURL, clientID, clientSecret, privateKey, appURI]
    case .password: [tokenURL, clientID, username, password, privateKey]
    case .authorizationCode, .hybrid: [authorizationURL, tokenURL, clientID, privateKey]
    case .deviceCode: [deviceURL, tokenURL, clientID, privateKey]
    case .implicit: [authorizationURL, clientID]
    case .jwtBearer: [tokenURL, assertion]
    case .mock: [mockToken]
    }
  }

  /// Whether discovery can find it.
  fileprivate var isEndpoint: Bool { key.hasSuffix(" URL") }
}

extension AuthConfiguration {
  /// Whether the client has to prove who it is by a secret.
  fileprivate var needsSecret: Bool {
    switch clientAuthentication {
    case .none?, .tls?, .privateKeyJWT?: false
    case .basic?, .body?, .secretJWT?, nil: true
    }
  }

  /// What its grant needs and it lacks; endpoints count only where no issuer is known by which they
  /// can be found, or where that was asked already.
  package func missingFields(afterDiscovery: Bool = false) -> [RequiredField] {
    let isFindable = issuer != nil && !afterDiscovery
    return RequiredField.fields(of: grant).filter { field in
      !(isFindable && field.isEndpoint) && field.isMissing(self)
    }
  }

  /// Says all at once what is missing (AU-5); `nil` where nothing is.
  package func incomplete(afterDiscovery: Bool = false) -> AuthFailure? {
    var names: [String] = []
    for field in missingFields(afterDiscovery: afterDiscovery) {
      let name = "`\(field.name(in: self))`"
      if !names.contains(name) { names.append(name) }
    }
    guard let last = names.popLast() else { return nil }
    let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
    return AuthFailure(
      .authIncomplete,
      "`\(id)` needs \(list) for the grant \(grant.title). "
        + "Add \(names.isEmpty ? "it" : "them") to \(place).")
  }
}
