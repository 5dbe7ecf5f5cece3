// Who sends the requests of an export.

import PostKitHTTP

/// Who sends a request.
enum ExportedAuth: Sendable, Hashable {
  case none
  case basic(user: ExportedText, password: ExportedText)
  case bearer(ExportedText)
  case digest(user: ExportedText, password: ExportedText)
  case ntlm(user: ExportedText, password: ExportedText)
  case negotiate(user: ExportedText, password: ExportedText)
  case aws(key: ExportedText, secret: ExportedText, region: ExportedText, service: ExportedText)
  /// A client of OAuth 2. Only collections have it, as all below; elsewhere it is a token.
  case client(ExportedClient)
  /// A key in a header, or at the end of the query.
  case apiKey(name: ExportedText, value: ExportedText, isInQuery: Bool)
  /// One that PostKit keeps as comments: the other tool's word for it, and its fields.
  case other(kind: String, fields: [ExportedField])

  /// The texts in it.
  var texts: [ExportedText] {
    switch self {
    case .none: []
    case .bearer(let token): [token]
    case .basic(let user, let password), .digest(let user, let password),
      .ntlm(let user, let password), .negotiate(let user, let password):
      [user, password]
    case .aws(let key, let secret, let region, let service): [key, secret, region, service]
    case .client(let client): client.fields.map(\.value) + client.parameters.map(\.value)
    case .apiKey(let name, let value, _): [name, value]
    case .other(_, let fields): fields.map(\.value)
    }
  }

  /// The word for the scheme, for notes; `nil` for what every tool can send as a header.
  var scheme: String? {
    switch self {
    case .none, .basic, .bearer, .client, .apiKey, .other: nil
    case .digest: "Digest authentication"
    case .ntlm: "NTLM authentication"
    case .negotiate: "Negotiate authentication"
    case .aws: "AWS signatures"
    }
  }
}

/// A field of an auth by its name.
struct ExportedField: Sendable, Hashable {
  var name: String
  var value: ExportedText
}

/// A client of OAuth 2 as `Security.Auth` has it.
struct ExportedClient: Sendable, Hashable {
  /// A parameter that the client sends beyond the usual ones.
  struct Parameter: Sendable, Hashable {
    var name: String
    var value: ExportedText
    /// The request that it is in, such as `In Token Request`; `nil` for both.
    var use: String?
  }

  /// The name by which requests ask for its token.
  var name: String
  /// Texts and flags by the names of `Security.Auth`, those of `PKCE` among them.
  var fields: [ExportedField] = []
  var parameters: [Parameter] = []
  /// The word before the token in `Authorization`; empty for none.
  var prefix = "Bearer"
  /// Whether the token is the pair `access_token` of the query.
  var isInQuery = false

  /// The value of a field; `nil` where there is none.
  subscript(_ name: String) -> ExportedText? { fields.first { $0.name == name }?.value }
}

/// An auth in the words of another tool.
struct AuthForm {
  /// The tool's word for it.
  var kind: String
  /// The tool's names of the fields, with their values.
  var fields: [(name: String, value: ExportedText)]
}

extension ExportedRequest {
  /// The header in which AWS's session token stands, which collections keep with the keys.
  private static let sessionHeader = "X-Amz-Security-Token"

  /// The auth as Postman and Bruno write it alike, AWS's fields by these names: access key, secret,
  /// token, region, service. It is `nil` for what each has its own words for.
  func commonAuthForm(aws names: [String]) -> AuthForm? {
    switch auth {
    case .basic(let user, let password):
      return AuthForm(kind: "basic", fields: [("username", user), ("password", password)])
    case .bearer(let token): return AuthForm(kind: "bearer", fields: [("token", token)])
    case .digest(let user, let password):
      return AuthForm(kind: "digest", fields: [("username", user), ("password", password)])
    case .ntlm(let user, let password):
      let halves = user.split(separator: "\\", limit: 1)
      guard halves.count == 2 else {
        return AuthForm(kind: "ntlm", fields: [("username", user), ("password", password)])
      }
      return AuthForm(
        kind: "ntlm",
        fields: [("username", halves[1]), ("password", password), ("domain", halves[0])])
    case .aws(let key, let secret, let region, let service):
      let values = [key, secret, header(Self.sessionHeader) ?? ExportedText(), region, service]
      return AuthForm(
        kind: "awsv4",
        fields: zip(names, values).filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) })
    case .none, .negotiate, .client, .apiKey, .other: return nil
    }
  }

  /// The headers that a collection keeps beside auth and parts, which make some by themselves.
  var collectionHeaders: [ExportedHeader] {
    var made: [String] = []
    if case .multipart = content { made.append("Content-Type") }
    if case .aws = auth { made.append(Self.sessionHeader) }
    return headers.filter { header in
      !made.contains { header.name.literal?.equalsIgnoringASCIICase($0) == true }
    }
  }
}
