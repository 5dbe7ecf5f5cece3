// Who sends a request, in the words of Bruno: the tables of IO-18 backwards.

import PostKitHTTP

/// Makes auths of requests.
enum BrunoAuthForm {
  /// The auth of a request; `none` where nothing or a header says who sends it.
  static func form(of request: ExportedRequest, _ notes: ExportNotes) -> AuthForm {
    let names = ["accessKeyId", "secretAccessKey", "sessionToken", "region", "service"]
    if let form = request.commonAuthForm(aws: names) { return form }
    switch request.auth {
    case .apiKey(let name, let value, let isInQuery):
      let place = ExportedText(isInQuery ? "queryparams" : "header")
      return AuthForm(
        kind: "apikey", fields: [("key", name), ("value", value), ("placement", place)])
    case .client(let client):
      return AuthForm(kind: "oauth2", fields: fields(of: client, request, notes))
    case .other(let kind, let fields) where kind == "wsse":
      return AuthForm(kind: kind, fields: fields.map { ($0.name, $0.value) })
    case .other(let kind, _):
      notes.tell(
        .authUnsupported, "The fields of \(kind) have no form in Bruno; it is left out.",
        of: request)
    default: break
    }
    return AuthForm(kind: "none", fields: [])
  }

  private static let grants = [
    "Authorization Code": "authorization_code", "Client Credentials": "client_credentials",
    "Password": "password", "Implicit": "implicit",
  ]
  /// Fields of `Security.Auth` whose texts are taken as they are.
  private static let texts = [
    ("Auth URL", "authorization_url"), ("Token URL", "access_token_url"),
    ("Redirect URL", "callback_url"), ("Client ID", "client_id"),
    ("Client Secret", "client_secret"), ("Scope", "scope"), ("State", "state"),
    ("Username", "username"), ("Password", "password"),
  ]
  /// Fields that are written otherwise, or say what Bruno does anyway.
  private static let others: Set<String> = [
    "Type", "Grant Type", "Client Credentials", "PKCE", "Use ID Token", "Acquire Automatically",
  ]

  private static func fields(
    of client: ExportedClient, _ request: ExportedRequest, _ notes: ExportNotes
  ) -> [(name: String, value: ExportedText)] {
    func flag(_ name: String) -> Bool? { client[name]?.literal.map { $0 == "true" } }
    let grant = client["Grant Type"]?.literal ?? ""
    var fields: [(name: String, value: ExportedText)] = []
    func add(_ name: String, _ value: String) { fields.append((name, ExportedText(value))) }
    add("grant_type", grants[grant] ?? "authorization_code")
    for (name, field) in texts {
      if let value = client[name], !value.isEmpty { fields.append((field, value)) }
    }
    let isInBody = client["Client Credentials"]?.literal == "in body"
    add("credentials_placement", isInBody ? "body" : "basic_auth_header")
    if let hasPKCE = flag("PKCE") { add("pkce", hasPKCE ? "true" : "false") }
    if flag("Use ID Token") == true { add("token_source", "id_token") }
    if flag("Acquire Automatically") == false { add("auto_fetch_token", "false") }
    add("credentials_id", client.name)
    add("token_placement", client.isInQuery ? "url" : "header")
    if client.isInQuery { add("token_query_key", "access_token") }
    if !client.isInQuery { add("token_header_prefix", client.prefix) }
    let known = Set(texts.map(\.0)).union(others)
    let left = client.fields.map(\.name).filter { !known.contains($0) }
      + client.parameters.map(\.name) + (grants[grant] == nil ? ["Grant Type"] : [])
    if !left.isEmpty {
      notes.tell(
        .authPartial,
        "The export has no form for \(left.map { "`\($0)`" }.listed("and")) of `\(client.name)`.",
        of: request)
    }
    return fields
  }
}
