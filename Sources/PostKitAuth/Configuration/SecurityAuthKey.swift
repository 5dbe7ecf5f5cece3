// The keys of a client in `Security.Auth`, in one table: how they are read, completed, explained
// and checked comes from it.

/// A key of a client in `Security.Auth`, as JetBrains and kulala write it.
package struct SecurityAuthKey: Sendable, Hashable {
  /// What a key may have for a value; a text may have references.
  package enum Value: Sendable, Hashable {
    case text, url, bool
    /// A whole number of seconds.
    case seconds
    /// One of these words, written with any case.
    case words([String])
    /// An object with these members, or, where there are none, any.
    case object([SecurityAuthKey])
    /// `true`, `false`, or an object with these members.
    case boolOrObject([SecurityAuthKey])
    /// An object of names: each has a text, a list, or an object with these members.
    case parameters([SecurityAuthKey])

    /// The members that an object in its place may have.
    package var members: [SecurityAuthKey] {
      switch self {
      case .object(let keys), .boolOrObject(let keys), .parameters(let keys): keys
      case .text, .url, .bool, .seconds, .words: []
      }
    }

    /// The words that can be written; empty where any text can.
    package var words: [String] {
      if case .words(let words) = self { words } else { [] }
    }
  }

  /// The name as JetBrains writes it, such as `Token URL`.
  package let name: String
  package let value: Value
  /// The grants that use it; empty for all.
  package let grants: [Grant]
  /// Whether its value is a secret, which belongs into a private file.
  package let isSecret: Bool
  /// What it is for, in a sentence.
  package let documentation: String

  private init(
    _ name: String, _ value: Value, _ grants: [Grant], isSecret: Bool = false,
    _ documentation: String
  ) {
    self.name = name
    self.value = value
    self.grants = grants
    self.isSecret = isSecret
    self.documentation = documentation
  }

  private init(
    _ name: String, _ value: Value, isSecret: Bool = false, _ documentation: String
  ) {
    self.init(name, value, [], isSecret: isSecret, documentation)
  }

  /// Whether a grant uses it; `nil` stands for a grant that nobody knows.
  package func isUsed(by grant: Grant?) -> Bool {
    grant.map { grants.isEmpty || grants.contains($0) } ?? true
  }

  /// The key with a name among some: the one that is written so, else the one that differs in case
  /// alone (AU-6).
  package static func named(
    _ name: String, among keys: [SecurityAuthKey] = SecurityAuthKey.all
  ) -> SecurityAuthKey? {
    if let exact = keys.first(where: { $0.name == name }) { return exact }
    let folded = name.lowercased()
    return keys.first { $0.name.lowercased() == folded }
  }

  /// All keys, in the order in which people write them.
  package static let all: [SecurityAuthKey] = [
    identity, endpoints, client, person, requests, own,
  ].flatMap { $0 }
}

extension SecurityAuthKey {
  private static let browser: [Grant] = [.authorizationCode, .implicit, .hybrid]
  private static let signed: [Grant] = [.jwtBearer]
  private static let direct: [Grant] = [
    .clientCredentials, .password, .authorizationCode, .deviceCode, .hybrid, .jwtBearer,
  ]
  private static let online: [Grant] = browser + [
    .clientCredentials, .password, .deviceCode, .jwtBearer,
  ]

  private static let identity = [
    SecurityAuthKey(
      "Type", .words(["OAuth2", "Mock"]),
      "How the token is got: `OAuth2` asks a server, `Mock` takes the tokens that are written."),
    SecurityAuthKey(
      "Grant Type",
      .words([
        "Authorization Code", "Client Credentials", "Device Authorization", "Implicit", "Password",
        "Hybrid", "JWT Bearer",
      ]), online,
      "The way to the token (RFC 6749, section 1.3)."),
  ]

  private static let endpoints = [
    SecurityAuthKey(
      "Issuer", .url, online,
      "The address of the provider, from whose description missing endpoints are taken."),
    SecurityAuthKey("Auth URL", .url, browser, "The page on which a person signs in."),
    SecurityAuthKey("Token URL", .url, direct, "The endpoint that gives tokens."),
    SecurityAuthKey(
      "Device Auth URL", .url, [.deviceCode], "The endpoint that gives codes for other devices."),
    SecurityAuthKey(
      "Redirect URL", .url, browser,
      "Where the browser comes back to; the provider has to know it. Without one PostKit listens "
        + "at a free port of 127.0.0.1."),
    SecurityAuthKey(
      "Revoke URL", .url, online, "The endpoint that a sign-out tells to forget the tokens."),
  ]

  private static let client = [
    SecurityAuthKey("Client ID", .text, online, "The name of this client at the provider."),
    SecurityAuthKey(
      "Client Secret", .text, direct, isSecret: true,
      "The secret of this client. It belongs into http-client.private.env.json."),
    SecurityAuthKey(
      "Client Credentials", .words(ClientAuthentication.words), direct,
      "How the client proves who it is. Where nothing is written, PostKit tries `in body`, then "
        + "`basic`."),
    SecurityAuthKey("Scope", .text, online, "What the token is for, words with blanks between."),
  ]

  private static let person = [
    SecurityAuthKey("Username", .text, [.password], "The name of the user who signs in."),
    SecurityAuthKey(
      "Password", .text, [.password], isSecret: true,
      "The password of the user. It belongs into http-client.private.env.json."),
    SecurityAuthKey(
      "PKCE",
      .boolOrObject([
        SecurityAuthKey(
          "Code Challenge Method", .words(["S256", "SHA-256", "Plain"]),
          "How the code is bound to who asked for it; `S256` where nothing is written."),
        SecurityAuthKey(
          "Code Verifier", .text, isSecret: true,
          "A verifier of your own; without one PostKit makes one for each sign-in."),
      ]), [.authorizationCode, .hybrid],
      "Whether the code is bound to who asked for it (RFC 7636); it is unless you write `false`."),
    SecurityAuthKey(
      "Response Type", .text, browser,
      "What the provider sends back, such as `token` or `code id_token`."),
    SecurityAuthKey(
      "State", .text, browser, "What the state begins with; PostKit adds random characters."),
    SecurityAuthKey(
      "Open Complete URI", .bool, [.deviceCode],
      "Whether the page is opened with the code filled in; it is unless you write `false`."),
    SecurityAuthKey(
      "Start Polling After Browser", .bool, [.deviceCode],
      "Whether PostKit asks for the token only once you have opened the page."),
    SecurityAuthKey(
      "Browser CMD", .text, browser + [.deviceCode],
      "A command that opens the browser for kulala. It has no effect here: the browser of the "
        + "editor or of the system opens."),
  ]

  private static let uses = [
    SecurityAuthKey("Value", .text, "The value, or a list of them."),
    SecurityAuthKey(
      "Use", .words(["Everywhere", "In Auth Request", "In Token Request"]),
      "The requests that have it; `Everywhere` where nothing is written."),
  ]

  private static let requests = [
    SecurityAuthKey(
      "Custom Request Parameters", .parameters(uses), online,
      "More parameters. Each is a text, a list, or an object with `Value` and `Use`."),
    SecurityAuthKey(
      "Custom Headers", .parameters(uses), online,
      "More header fields. Each is a text, a list, or an object with `Value` and `Use`."),
    SecurityAuthKey(
      "Acquire Automatically", .bool, online,
      "Whether a token is got where none is at hand; it is unless you write `false`."),
    SecurityAuthKey(
      "Use ID Token", .bool, "Whether the ID token goes where the access token would go."),
    SecurityAuthKey(
      "Expires In", .seconds, online,
      "The seconds that a token lasts where the provider does not say so."),
  ]

  private static let own = [
    SecurityAuthKey(
      "Assertion", .text, signed, isSecret: true, "The signed JWT that is given for a token."),
    SecurityAuthKey(
      "JWT",
      .object([
        SecurityAuthKey("header", .object([]), "The header of the JWT; `alg` is RS256 if absent."),
        SecurityAuthKey("payload", .object([]), "The claims of the JWT."),
      ]), signed,
      "The JWT that PostKit makes and signs in order to get a token (RFC 7523)."),
    SecurityAuthKey(
      "private_key", .text, direct, isSecret: true,
      "The private key that signs, as PEM or JWK. It belongs into http-client.private.env.json."),
    SecurityAuthKey(
      "Token", .text, [.mock], isSecret: true, "The access token that a mock gives."),
    SecurityAuthKey("ID Token", .text, [.mock], isSecret: true, "The ID token that a mock gives."),
    SecurityAuthKey(
      "auth_data", .object([]), isSecret: true,
      "What kulala keeps of its tokens. PostKit keeps its own in the keyring."),
  ]
}
