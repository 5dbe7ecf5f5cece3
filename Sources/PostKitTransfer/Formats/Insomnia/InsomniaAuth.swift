// Who sends a request, as Insomnia says it (IO-18).

import PostKitJSON

extension InsomniaReader {
  /// What a request or a folder says; one that says nothing inherits.
  func auth(of owner: OriginObject, _ use: InsomniaUse) -> OriginAuth {
    guard let object = owner.object("authentication") else {
      if owner.peek("authentication")?.isNull == true { owner.ignore("authentication") }
      return .inherited
    }
    let kind = object.text("type") ?? ""
    if object.isSet("disabled") {
      for name in object.names { object.ignore(name) }
      return .none
    }
    if kind.isEmpty || kind == "none" {
      object.finish(origin: use.origin)
      return .inherited
    }
    let auth = auth(kind, object, use)
    finish(object, kind, use)
    return auth
  }

  private func auth(_ kind: String, _ object: OriginObject, _ use: InsomniaUse) -> OriginAuth {
    func text(_ name: String) -> String { template(object, name, use) }
    switch kind {
    case "basic": return .basic(user: text("username"), password: text("password"))
    case "bearer": return .bearer(token: text("token"), prefix: prefix(text("prefix")))
    case "apikey":
      let location: OriginKeyLocation =
        switch text("addTo") {
        case "queryParams": .query
        case "cookie": .cookie
        default: .header
        }
      return .apiKey(name: text("key"), value: text("value"), location: location)
    case "digest": return .digest(user: text("username"), password: text("password"))
    case "ntlm": return .ntlm(user: text("username"), password: text("password"), domain: nil)
    case "iam":
      return .aws(
        OriginAWS(
          accessKey: text("accessKeyId"), secretKey: text("secretAccessKey"),
          token: text("sessionToken"), region: text("region"), service: text("service")))
    case "oauth2": return oauth2(object, use)
    default: return other(kind, object, use)
    }
  }

  /// The word before a token: `NO_PREFIX` is none, nothing is Insomnia's default.
  private func prefix(_ text: String) -> String {
    text.isEmpty ? "Bearer" : text == "NO_PREFIX" ? "" : text
  }

  private static let secrets: Set<String> = [
    "consumerSecret", "tokenSecret", "token", "privateKey", "key", "password", "clientSecret",
    "accessToken", "refreshToken", "secret",
  ]

  /// A kind that can't be had, with all its fields.
  private func other(_ kind: String, _ object: OriginObject, _ use: InsomniaUse) -> OriginAuth {
    var fields: [OriginVariable] = []
    for name in object.names where name != "type" && name != "disabled" {
      let text = template(object, name, use)
      if text.isEmpty || object.peek(name)?.bool == false { continue }
      fields.append(
        OriginVariable(
          name: name, value: .text(text), isSecret: Self.secrets.contains(name),
          place: object.place.member(name)))
    }
    return .other(name: kind, fields: fields)
  }

  /// Tells the fields that nothing here does anything with.
  private func finish(_ object: OriginObject, _ kind: String, _ use: InsomniaUse) {
    object.ignore("disabled", "type")
    for name in object.unreadNames {
      guard let view = object[name], !view.anyText.isEmpty, view.bool != false else { continue }
      notes.tell(
        .authPartial, "`\(name)` of `\(kind)` has no equivalent and is left out.",
        at: object.place.member(name), origin: use.origin)
    }
  }

  // MARK: - OAuth 2

  private static let grants = [
    "authorization_code": "Authorization Code", "client_credentials": "Client Credentials",
    "password": "Password", "implicit": "Implicit",
  ]

  /// The client that gets tokens, as a member of `Security.Auth`.
  private func oauth2(_ object: OriginObject, _ use: InsomniaUse) -> OriginAuth {
    let grant = object.text("grantType") ?? "authorization_code"
    guard let grantType = Self.grants[grant] else { return other("oauth2", object, use) }
    var result = OriginOAuth2()
    result.prefix = prefix(template(object, "tokenPrefix", use))
    func add(_ member: String, _ name: String) {
      let text = template(object, name, use)
      guard !text.isEmpty else { return }
      result.fields.append(
        OriginVariable(name: member, value: .text(text), place: object.place.member(name)))
    }
    func add(_ member: String, is value: OriginValue) {
      result.fields.append(OriginVariable(name: member, value: value, place: object.place))
    }
    add("Type", is: .text("OAuth2"))
    add("Grant Type", is: .text(grantType))
    add("Auth URL", "authorizationUrl")
    add("Token URL", "accessTokenUrl")
    add("Redirect URL", "redirectUrl")
    add("Client ID", "clientId")
    add("Client Secret", "clientSecret")
    let isInBody = object.text("credentialsInBody") == "true"
    add("Client Credentials", is: .text(isInBody ? "in body" : "basic"))
    let isPlain = object.text("pkceMethod") == "plain"
    if object.text("usePkce") == "true", grantType == "Authorization Code" {
      add(
        "PKCE",
        is: .json(OriginJSON(text: isPlain ? #"{"Code Challenge Method":"Plain"}"# : "true")))
    }
    add("Scope", "scope")
    add("State", "state")
    if grantType == "Password" {
      add("Username", "username")
      add("Password", "password")
    }
    if let parameters = parameters(object, use) {
      add("Custom Request Parameters", is: parameters)
    }
    if grantType == "Implicit", object.text("responseType")?.hasPrefix("id_token") == true {
      notes.tell(
        .authPartial, "`responseType` has no equivalent: the access token is used.",
        at: object.place.member("responseType"), origin: use.origin)
    }
    // What other grants need, and what Insomnia itself remembers of tokens.
    object.ignore(
      "username", "password", "responseType", "accessToken", "refreshToken", "identityToken",
      "code", "useDefaultBrowser", "usePkce", "pkceMethod", "authorizationUrl", "redirectUrl")
    return .oauth2(result)
  }

  /// What is sent beside the members that every request for a token has.
  private func parameters(_ object: OriginObject, _ use: InsomniaUse) -> OriginValue? {
    var members: [JSONMember] = []
    for name in ["audience", "resource"] {
      let text = template(object, name, use)
      if !text.isEmpty { members.append(JSONMember(name, .string(text))) }
    }
    return members.isEmpty ? nil : .json(OriginJSON(text: JSONValue.object(members).text))
  }
}
