// How a token is got, whichever tool's words said so: one form for all (AU-3).

/// A way to a token, with every value evaluated.
package struct AuthConfiguration: Sendable, Hashable {
  /// Its name in the file, such as `shop`, which every message uses.
  package var id: String
  /// Whose words it was written in.
  package var dialect: AuthDialect
  /// The name of the file where its fields stand, such as `http-client.env.json`; empty for none.
  package var file = ""
  package var grant: Grant
  /// The issuer, from which missing endpoints are found (AU-12).
  package var issuer: String?
  package var authorizationURL: String?
  package var tokenURL: String?
  package var deviceURL: String?
  package var revocationURL: String?
  package var introspectionURL: String?
  package var endSessionURL: String?
  package var clientID: String?
  package var clientSecret: String?
  /// How the client proves who it is; `nil` where nobody said, so that two ways are tried (AU-21).
  package var clientAuthentication: ClientAuthentication?
  package var scope: String?
  package var audiences: [String] = []
  package var resources: [String] = []
  /// More parameters, in the author's order (AU-9).
  package var parameters: [AuthParameter] = []
  /// More header fields, in the author's order.
  package var headers: [AuthParameter] = []
  package var username: String?
  package var password: String?
  package var redirectURI: String?
  /// The port that is listened on, where that isn't the one of the redirect URI.
  package var listenPort: UInt16?
  package var pkce = PKCE.s256
  /// A verifier that the author has written.
  package var codeVerifier: String?
  package var responseType: String?
  package var responseMode: String?
  /// What the state begins with.
  package var statePrefix: String?
  /// Whether a token is got where none is at hand.
  package var acquires = true
  /// Whether the ID token goes where the access token would go.
  package var usesIDToken = false
  /// The seconds a token lasts where its answer does not say so.
  package var lifetime: Int?
  /// Whether the page that has the code filled in is opened (AU-38).
  package var opensCompleteURI = true
  /// Whether polling waits until somebody opens the page (AU-38).
  package var pollsAfterBrowser = false
  /// What a grant of JWT bearer asserts (AU-24), and what a client signs itself with (AU-20).
  package var assertion = AuthAssertion()
  /// What `Type: Mock` answers.
  package var mock: MockTokens?
  /// For what the token is exchanged (RFC 8693); one at most.
  package var exchange: [AuthConfiguration] = []
  /// The issuer of the token that is exchanged, where it is written (`subject_issuer`).
  package var subjectIssuer: String?

  /// Makes a configuration of which only the grant is known.
  package init(id: String, dialect: AuthDialect, grant: Grant) {
    self.id = id
    self.dialect = dialect
    self.grant = grant
  }
}

/// Whose words a configuration was written in; they differ in what holds where nothing is written.
package enum AuthDialect: Sendable, Hashable {
  /// `Security.Auth` of an environment file (JetBrains, kulala).
  case securityAuth
  /// `Authorization: oauth2 …` and its variables (httpYac).
  case header
  /// `$aadToken` and `$aadV2Token` (REST Client).
  case azure
  /// `$oidcAccessToken` (REST Client).
  case oidc
}

/// A way to a token (RFC 6749, section 1.3, and its extensions).
package enum Grant: String, Sendable, Hashable, CaseIterable {
  case clientCredentials, password, authorizationCode, deviceCode, implicit, hybrid, jwtBearer
  /// No request: the tokens are written in the file.
  case mock

  /// Whether a person has to sign in.
  package var needsPerson: Bool {
    switch self {
    case .authorizationCode, .deviceCode, .implicit, .hybrid: true
    case .clientCredentials, .password, .jwtBearer, .mock: false
    }
  }

  /// Its name for people, as JetBrains writes it.
  package var title: String {
    switch self {
    case .clientCredentials: "Client Credentials"
    case .password: "Password"
    case .authorizationCode: "Authorization Code"
    case .deviceCode: "Device Authorization"
    case .implicit: "Implicit"
    case .hybrid: "Hybrid"
    case .jwtBearer: "JWT Bearer"
    case .mock: "Mock"
    }
  }
}

/// How a client proves who it is (AU-20).
package enum ClientAuthentication: Sendable, Hashable {
  /// `Authorization: Basic` (RFC 6749, section 2.3.1).
  case basic
  /// `client_id` and `client_secret` in the body.
  case body
  /// `client_id` alone.
  case none
  /// A JWT that the secret signs (RFC 7523).
  case secretJWT
  /// A JWT that a private key signs (RFC 7523).
  case privateKeyJWT
  /// The client's certificate (RFC 8705).
  case tls
}

/// How a code is bound to who asked for it (RFC 7636).
package enum PKCE: Sendable, Hashable { case off, s256, plain }

/// A parameter or header field that an author adds.
package struct AuthParameter: Sendable, Hashable {
  /// Which requests have it.
  package enum Use: Sendable, Hashable { case everywhere, authorization, token }

  package var name: String
  package var values: [String]
  package var use: Use

  /// Makes a parameter.
  package init(name: String, values: [String], use: Use = .everywhere) {
    self.name = name
    self.values = values
    self.use = use
  }
}

/// What stands in for a person or a client: a JWT that is written, or one to be made.
package struct AuthAssertion: Sendable, Hashable {
  /// The assertion as it is.
  package var text: String?
  /// JSON of the header's members, as written.
  package var header: String?
  /// JSON of the claims, as written.
  package var claims: String?
  /// A private key: PEM or a JWK (AU-65).
  package var privateKey: String?

  /// Makes one of which nothing is known.
  package init() {}
}

/// Tokens that are written in a file.
package struct MockTokens: Sendable, Hashable {
  package var token: String?
  package var idToken: String?

  /// Makes tokens.
  package init(token: String? = nil, idToken: String? = nil) {
    self.token = token
    self.idToken = idToken
  }
}
