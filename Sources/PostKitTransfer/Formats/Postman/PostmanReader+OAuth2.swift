// OAuth 2 of Postman as a member of `Security.Auth` (the table of IO-18).

import PostKitJSON

extension PostmanReader {
  private static let grants = [
    "authorization_code": "Authorization Code",
    "authorization_code_with_pkce": "Authorization Code",
    "client_credentials": "Client Credentials", "password_credentials": "Password",
    "implicit": "Implicit",
  ]

  /// The client that gets tokens; where Postman has nothing but a token, that token.
  func oauth2(_ fields: PostmanAuthFields, at place: OriginPlace) -> OriginAuth {
    let isInQuery = fields.text("addTokenTo") == "queryParams"
    let prefix = prefix(fields)
    let grant = fields.text(of: "grant_type", "grantType")
    let token = fields.text("accessToken")
    let urls = (fields.text("authUrl"), fields.text("accessTokenUrl"))
    if urls.0.isEmpty, urls.1.isEmpty {
      fields.ignore("tokenName", "tokenType", "useBrowser", "client_authentication", "state")
      if isInQuery { return .apiKey(name: "access_token", value: token, location: .query) }
      return .bearer(token: token, prefix: prefix)
    }
    guard let grantType = Self.grants[grant.isEmpty ? "authorization_code" : grant] else {
      return .other(name: "oauth2", fields: fields.variables())
    }
    var result = OriginOAuth2()
    let name = fields.text("tokenName")
    result.name = name.isEmpty || name.contains("{{") ? nil : name
    result.location = isInQuery ? .query : .header
    result.prefix = prefix
    func add(_ member: String, _ text: String) {
      guard !text.isEmpty else { return }
      result.fields.append(
        OriginVariable(name: member, value: .text(text), place: fields.place(member) ?? place))
    }
    add("Type", "OAuth2")
    add("Grant Type", grantType)
    add("Auth URL", urls.0)
    add("Token URL", urls.1)
    add("Redirect URL", fields.text(of: "redirect_uri", "redirectUri", "callBackUrl"))
    add("Client ID", fields.text("clientId"))
    add("Client Secret", fields.text("clientSecret"))
    switch fields.text(of: "client_authentication", "clientAuth") {
    case "body": add("Client Credentials", "in body")
    default: add("Client Credentials", "basic")
    }
    if grant == "authorization_code_with_pkce" { addPKCE(fields, to: &result, at: place) }
    add("Scope", fields.text("scope"))
    add("State", fields.text("state"))
    if grantType == "Password" {
      add("Username", fields.text("username"))
      add("Password", fields.text("password"))
    } else {
      fields.ignore("username", "password")
    }
    addParameters(fields, to: &result, at: place)
    // The browser is the system's here; what a token is called says what its answer holds.
    fields.ignore("useBrowser", "tokenType")
    if fields.text("refreshTokenUrl") != urls.1, !fields.text("refreshTokenUrl").isEmpty {
      notes.tell(
        .authPartial, "`refreshTokenUrl` is left out; tokens are refreshed at the token URL.",
        at: fields.place("refreshTokenUrl") ?? place)
    }
    return .oauth2(result)
  }

  private func prefix(_ fields: PostmanAuthFields) -> String {
    guard fields.view("headerPrefix") != nil else { return "Bearer" }
    return String(fields.text("headerPrefix")[...].trimmed)
  }

  private func addPKCE(
    _ fields: PostmanAuthFields, to result: inout OriginOAuth2, at place: OriginPlace
  ) {
    let isPlain = fields.text("challengeAlgorithm") == "plain"
    let verifier = fields.text("code_verifier")
    var value = "true"
    if isPlain || !verifier.isEmpty {
      var members = [JSONMember("Code Challenge Method", .string(isPlain ? "Plain" : "S256"))]
      if !verifier.isEmpty { members.append(JSONMember("Code Verifier", .string(verifier))) }
      value = JSONValue.object(members).text
    }
    result.fields.append(
      OriginVariable(name: "PKCE", value: .json(OriginJSON(text: value)), place: place))
  }

  /// `audience`, `resource` and the lists of further parameters.
  private func addParameters(
    _ fields: PostmanAuthFields, to result: inout OriginOAuth2, at place: OriginPlace
  ) {
    var members: [JSONMember] = []
    for name in ["audience", "resource"] {
      let text = fields.text(name)
      if !text.isEmpty { members.append(JSONMember(name, .string(text))) }
    }
    for (list, use) in [
      ("authRequestParams", "In Auth Request"), ("tokenRequestParams", "In Token Request"),
    ] {
      for view in fields.view(list)?.elements ?? [] where view["enabled"]?.bool != false {
        guard let name = view["key"]?.plainText, !name.isEmpty else { continue }
        let place = fields.place(list) ?? place
        if view["send_as"]?.string == "request_header" {
          notes.tell(
            .authPartial, "`\(name)` of `\(list)` is sent as a parameter, not as a header.",
            at: place)
        }
        let value = template(view["value"]?.anyText ?? "", at: place)
        members.append(
          JSONMember(
            name, .object([JSONMember("Value", .string(value)), JSONMember("Use", .string(use))])))
      }
    }
    guard !members.isEmpty else { return }
    result.fields.append(
      OriginVariable(
        name: "Custom Request Parameters",
        value: .json(OriginJSON(text: JSONValue.object(Self.merged(members)).text)), place: place))
  }

  /// One member for each name: the same value in both requests holds everywhere, others are a list.
  private static func merged(_ members: [JSONMember]) -> [JSONMember] {
    var result: [JSONMember] = []
    for member in members {
      guard let index = result.firstIndex(where: { $0.key == member.key }) else {
        result.append(member)
        continue
      }
      let old = result[index].value
      if old["Value"] == member.value["Value"], old["Value"] != nil {
        result[index].value = old["Value"] ?? old
      } else {
        result[index].value = .array((old.elements.isEmpty ? [old] : old.elements) + [member.value])
      }
    }
    return result
  }
}
