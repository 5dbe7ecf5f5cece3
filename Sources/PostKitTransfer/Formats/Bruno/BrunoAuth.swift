// Who sends a request, in the words of Bruno and OpenCollection (IO-18).

import PostKitJSON

/// A parameter that an OAuth 2 client sends beyond the usual ones.
struct BrunoParameter: Sendable, Hashable {
  /// Which request of the client it is in.
  enum Use: String, Sendable, Hashable {
    case authorization = "In Auth Request"
    case token = "In Token Request"
    case refresh
  }

  var name: String
  var value: String
  var use: Use
  /// Whether it is a header, which `Security.Auth` has no place for.
  var isHeader: Bool
  var place: OriginPlace
}

/// Makes an auth of the fields that Bruno has for it.
struct BrunoAuth {
  /// What is told, and who is meant.
  let notes: ImportNotes
  var origin: String?
  let templates: BrunoTemplates

  /// The auth of a kind such as `basic`; an empty kind is none. `fields` is `nil` where the origin
  /// names the kind and says no more.
  func auth(
    _ kind: String, _ fields: BrunoFields?, parameters: [BrunoParameter] = [],
    at place: OriginPlace
  ) -> OriginAuth {
    let fields = fields ?? BrunoFields([], at: place, notes: notes)
    defer { fields.finish(origin: origin) }
    func text(_ name: String) -> String {
      templates.text(fields[name] ?? "", at: fields.place(of: name), origin)
    }
    switch kind {
    case "", "none": return .none
    case "inherit": return .inherited
    case "basic": return .basic(user: text("username"), password: text("password"))
    case "bearer": return .bearer(token: text("token"), prefix: "Bearer")
    case "digest": return .digest(user: text("username"), password: text("password"))
    case "ntlm":
      let domain = text("domain")
      return .ntlm(
        user: text("username"), password: text("password"), domain: domain.isEmpty ? nil : domain)
    case "apikey":
      let isQuery = ["queryparams", "query"].contains(fields["placement"] ?? "")
      return .apiKey(
        name: text("key"), value: text("value"), location: isQuery ? .query : .header)
    case "awsv4":
      if fields.filled("profileName") != nil {
        tell(
          "The AWS profile is not read. Put its keys into the environment.", fields, "profileName")
      }
      return .aws(
        OriginAWS(
          accessKey: text("accessKeyId"), secretKey: text("secretAccessKey"),
          token: text("sessionToken"), region: text("region"), service: text("service")))
    case "oauth2": return .oauth2(client(fields, parameters))
    default:
      let members = fields.all().map {
        var member = $0
        member.value = .text(templates.text($0.value?.text ?? "", at: $0.place, origin))
        return member
      }
      return .other(name: kind, fields: members)
    }
  }

  // MARK: OAuth 2

  private static let grants = [
    "authorization_code": "Authorization Code", "client_credentials": "Client Credentials",
    "password": "Password", "resource_owner_password_credentials": "Password",
    "implicit": "Implicit",
  ]
  /// The fields of Bruno whose texts are taken as they are.
  private static let texts = [
    ("authorization_url", "Auth URL"), ("access_token_url", "Token URL"),
    ("callback_url", "Redirect URL"), ("client_id", "Client ID"),
    ("client_secret", "Client Secret"),
  ]
  private static let endTexts = [
    ("scope", "Scope"), ("username", "Username"), ("password", "Password"), ("state", "State"),
  ]

  private func client(_ fields: BrunoFields, _ parameters: [BrunoParameter]) -> OriginOAuth2 {
    var client = OriginOAuth2()
    func add(_ name: String, _ value: OriginValue, _ field: String) {
      client.fields.append(
        OriginVariable(name: name, value: value, place: fields.place(of: field)))
    }
    func addTexts(_ table: [(String, String)]) {
      for (field, name) in table {
        guard let value = fields.filled(field) else { continue }
        add(name, .text(templates.text(value, at: fields.place(of: field), origin)), field)
      }
    }
    let grant = fields["grant_type"] ?? ""
    if let name = Self.grants[grant] {
      add("Grant Type", .text(name), "grant_type")
    } else if !grant.isEmpty {
      tell(
        "PostKit has no OAuth 2 grant of this type. The token can't be had.", fields, "grant_type")
      add("Grant Type", .text(grant), "grant_type")
    }
    addTexts(Self.texts)
    // Bruno sends the client's id and secret in the body unless it is told otherwise.
    if grant != "implicit" {
      let isHeader = fields["credentials_placement"] == "basic_auth_header"
      add(
        "Client Credentials", .text(isHeader ? "basic" : "in body"), "credentials_placement")
    }
    addTexts(Self.endTexts)
    if grant == "authorization_code", let pkce = fields.bool("pkce") {
      add("PKCE", .json(OriginJSON(text: pkce ? "true" : "false")), "pkce")
    } else {
      fields.ignore("pkce")
    }
    if fields["token_source"] == "id_token" {
      add("Use ID Token", .json(OriginJSON(text: "true")), "token_source")
    }
    if fields.bool("auto_fetch_token") == false {
      add("Acquire Automatically", .json(OriginJSON(text: "false")), "auto_fetch_token")
    }
    if let custom = custom(parameters) {
      client.fields.append(
        OriginVariable(name: "Custom Request Parameters", value: custom, place: fields.place))
    }
    place(&client, fields)
    return client
  }

  /// Where the token is sent, and what has no equivalent.
  private func place(_ client: inout OriginOAuth2, _ fields: BrunoFields) {
    fields.ignore("auto_refresh_token")
    client.name = fields.filled("credentials_id")
    let placement = fields["token_placement"] ?? "header"
    if placement == "url" || placement == "query" { client.location = .query }
    if let prefix = fields["token_header_prefix"] { client.prefix = prefix }
    if let key = fields.filled("token_query_key"), key != "access_token",
      client.location == .query
    {
      tell(
        "The token is sent as `access_token`, not by the name that Bruno has for it.", fields,
        "token_query_key")
    }
    if let refresh = fields.filled("refresh_token_url"), refresh != fields["access_token_url"] {
      tell(
        "A URL of its own for refreshing tokens is not supported. The token URL is asked.", fields,
        "refresh_token_url")
    }
  }

  /// The parameters as `Security.Auth` has them; headers and those of refreshing are told.
  private func custom(_ parameters: [BrunoParameter]) -> OriginValue? {
    var members: [JSONMember] = []
    for parameter in parameters {
      guard !parameter.isHeader, parameter.use != .refresh else {
        notes.tell(
          .authPartial,
          "The OAuth 2 parameter `\(parameter.name)` is left out: only those in the query and body "
            + "of the requests for a code or a token are supported.",
          at: parameter.place, origin: origin)
        continue
      }
      let value = templates.text(parameter.value, at: parameter.place, origin)
      members.append(
        JSONMember(
          parameter.name,
          .object([
            JSONMember("Value", .string(value)),
            JSONMember("Use", .string(parameter.use.rawValue)),
          ])))
    }
    return members.isEmpty ? nil : .json(OriginJSON(text: JSONValue.object(members).text))
  }

  private func tell(_ message: String, _ fields: BrunoFields, _ name: String) {
    notes.tell(.authPartial, message, at: fields.place(of: name), origin: origin)
  }
}
