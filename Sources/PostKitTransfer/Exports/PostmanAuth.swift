// Who sends a request, as collections of Postman have it: the tables of IO-18 backwards.

import PostKitHTTP
import PostKitJSON

/// Writes auths of requests.
enum PostmanAuth {
  /// The member `auth` of a request; `nil` where nothing or a header says who sends it.
  static func member(
    of request: ExportedRequest, _ notes: ExportNotes, _ string: (ExportedText) -> String
  ) -> JSONValue? {
    let names = ["accessKey", "secretKey", "sessionToken", "region", "service"]
    guard let form = request.commonAuthForm(aws: names) ?? form(of: request, notes) else {
      return nil
    }
    var values = form.fields.map { name, value -> JSONValue in
      let text = string(value)
      let flag: JSONValue? = text == "true" ? true : text == "false" ? false : nil
      return [
        "key": .string(name), "value": flag ?? .string(text),
        "type": flag == nil ? "string" : "boolean",
      ]
    }
    if case .client(let client) = request.auth { values += parameters(of: client, string) }
    return .object([
      JSONMember("type", .string(form.kind)), JSONMember(form.kind, .array(values)),
    ])
  }

  private static func form(of request: ExportedRequest, _ notes: ExportNotes) -> AuthForm? {
    switch request.auth {
    case .apiKey(let name, let value, let isInQuery):
      return AuthForm(
        kind: "apikey",
        fields: [
          ("key", name), ("value", value), ("in", ExportedText(isInQuery ? "query" : "header")),
        ])
    case .client(let client):
      return AuthForm(kind: "oauth2", fields: fields(of: client, request, notes))
    case .other(let kind, let fields) where kinds.contains(kind):
      return AuthForm(kind: kind, fields: fields.map { ($0.name, $0.value) })
    case .other(let kind, _):
      notes.tell(
        .authUnsupported, "Postman does not support \(kind); it is left out.", of: request)
      return nil
    default: return nil
    }
  }

  /// The kinds that PostKit keeps as comments and Postman can send.
  private static let kinds: Set<String> = ["oauth1", "hawk", "asap", "jwt", "edgegrid"]

  // MARK: - OAuth 2

  private static let grants = [
    "Authorization Code": "authorization_code", "Client Credentials": "client_credentials",
    "Password": "password_credentials", "Implicit": "implicit",
  ]
  /// Fields of `Security.Auth` whose texts are taken as they are.
  private static let texts = [
    ("Auth URL", "authUrl"), ("Token URL", "accessTokenUrl"), ("Redirect URL", "redirect_uri"),
    ("Client ID", "clientId"), ("Client Secret", "clientSecret"), ("Scope", "scope"),
    ("State", "state"), ("Username", "username"), ("Password", "password"),
    ("Code Verifier", "code_verifier"),
  ]
  /// Fields that are written otherwise, or say what Postman does anyway.
  private static let others: Set<String> = [
    "Type", "Grant Type", "Client Credentials", "PKCE", "Code Challenge Method",
  ]

  private static func fields(
    of client: ExportedClient, _ request: ExportedRequest, _ notes: ExportNotes
  ) -> [(name: String, value: ExportedText)] {
    let grant = client["Grant Type"]?.literal ?? ""
    let hasPKCE = client["PKCE"]?.literal == "true"
    var word = grants[grant] ?? "authorization_code"
    if hasPKCE, word == "authorization_code" { word += "_with_pkce" }
    var fields: [(name: String, value: ExportedText)] = [
      ("tokenName", ExportedText(client.name)), ("grant_type", ExportedText(word)),
    ]
    for (name, field) in texts {
      if let value = client[name], !value.isEmpty { fields.append((field, value)) }
    }
    let isInBody = client["Client Credentials"]?.literal == "in body"
    fields.append(("client_authentication", ExportedText(isInBody ? "body" : "header")))
    if hasPKCE {
      let isPlain = client["Code Challenge Method"]?.literal == "Plain"
      fields.append(("challengeAlgorithm", ExportedText(isPlain ? "plain" : "S256")))
    }
    fields.append(("addTokenTo", ExportedText(client.isInQuery ? "queryParams" : "header")))
    if !client.isInQuery { fields.append(("headerPrefix", ExportedText(client.prefix))) }
    for parameter in client.parameters where isPlain(parameter) {
      fields.append((parameter.name, parameter.value))
    }
    let known = Set(texts.map(\.0)).union(others)
    let left = client.fields.map(\.name).filter { !known.contains($0) }
    if grants[grant] == nil || !left.isEmpty {
      let what = (grants[grant] == nil ? ["Grant Type"] : []) + left
      notes.tell(
        .authPartial,
        "Postman has no form for \(what.map { "`\($0)`" }.listed("and")) of `\(client.name)`.",
        of: request)
    }
    return fields
  }

  /// Whether Postman has a field for a parameter.
  private static func isPlain(_ parameter: ExportedClient.Parameter) -> Bool {
    parameter.use == nil && ["audience", "resource"].contains(parameter.name)
  }

  /// The lists of further parameters.
  private static func parameters(
    of client: ExportedClient, _ string: (ExportedText) -> String
  ) -> [JSONValue] {
    let lists = [
      ("authRequestParams", "In Token Request"), ("tokenRequestParams", "In Auth Request"),
    ]
    return lists.compactMap { list, other in
      let meant = client.parameters.filter { !isPlain($0) && $0.use != other }
      if meant.isEmpty { return nil }
      let values = meant.map { parameter -> JSONValue in
        [
          "key": .string(parameter.name), "value": .string(string(parameter.value)),
          "enabled": true, "send_as": list == "authRequestParams" ? "request_url" : "request_body",
        ]
      }
      return ["key": .string(list), "value": .array(values), "type": "any"]
    }
  }
}
