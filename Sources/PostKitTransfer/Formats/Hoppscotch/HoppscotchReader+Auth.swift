// Who sends Hoppscotch's requests (IO-18).

import PostKitJSON

extension HoppscotchReader {
  /// What a collection, folder or request says; `nil` where it inherits.
  func auth(of owner: OriginObject, origin: String) -> OriginAuth? {
    guard let object = owner.object("auth") else { return nil }
    let kind = object.text("authType") ?? "inherit"
    let isActive = object.bool("authActive") ?? true
    let auth = isActive ? auth(kind, object, origin: origin) : OriginAuth.none
    let known: Set<String> = ["inherit", "none"]
    if known.contains(kind) || !isActive {
      // Fields of a kind that was chosen before have no effect.
      for name in object.names { _ = object[name] }
    }
    object.ignore("addTo", "grantTypeInfo", "token")
    for name in object.names {
      guard let text = object.peek(name)?.anyText, Self.partial.contains(name) else { continue }
      _ = object[name]
      if text.isEmpty || text == "false" { continue }
      notes.tell(
        .authPartial, "`\(name)` of `\(kind)` has no equivalent and is left out.",
        at: object.place.member(name), origin: origin)
    }
    object.finish(origin: origin)
    return auth
  }

  /// Fields of digest that a client works out of the server's answer, and those of signatures.
  private static let partial: Set<String> = [
    "realm", "nonce", "algorithm", "qop", "nc", "cnonce", "opaque", "disableRetry",
    "oidcDiscoveryURL",
  ]

  private func auth(_ kind: String, _ object: OriginObject, origin: String) -> OriginAuth? {
    func text(_ name: String) -> String {
      template(object.text(name) ?? "", at: object.place.member(name))
    }
    switch kind {
    case "inherit": return nil
    case "none": return OriginAuth.none
    case "basic": return .basic(user: text("username"), password: text("password"))
    case "bearer": return .bearer(token: text("token"), prefix: "Bearer")
    case "digest": return .digest(user: text("username"), password: text("password"))
    case "api-key":
      return .apiKey(
        name: text("key"), value: text("value"), location: isInQuery(object) ? .query : .header)
    case "aws-signature":
      return .aws(
        OriginAWS(
          accessKey: text("accessKey"), secretKey: text("secretKey"), token: text("serviceToken"),
          region: text("region"), service: text("serviceName")))
    case "oauth-2": return oauth2(object, origin: origin)
    default:
      let fields = object.names.filter { !["authType", "authActive"].contains($0) }
      return .other(
        name: kind,
        fields: fields.compactMap { name in
          guard let value = object[name]?.anyText, !value.isEmpty else { return nil }
          let isSecret = ["secret", "key", "token", "password"].contains {
            name.lowercased().contains($0)
          }
          let place = object.place.member(name)
          return OriginVariable(
            name: name, value: .text(template(value, at: place)), isSecret: isSecret, place: place)
        })
    }
  }

  private func isInQuery(_ object: OriginObject) -> Bool {
    let word = object.text("addTo")?.lowercased() ?? ""
    return word.hasPrefix("query")
  }

  private static let grants = [
    "AUTHORIZATION_CODE": "Authorization Code", "CLIENT_CREDENTIALS": "Client Credentials",
    "PASSWORD": "Password", "IMPLICIT": "Implicit",
  ]

  private func oauth2(_ object: OriginObject, origin: String) -> OriginAuth {
    // Older versions have the fields beside each other.
    let info = object.object("grantTypeInfo") ?? object
    func text(_ names: String...) -> String {
      for name in names {
        guard let text = info.text(name), !text.isEmpty else { continue }
        return template(text, at: info.place.member(name))
      }
      return ""
    }
    let location: OriginKeyLocation = isInQuery(object) ? .query : .header
    let (authURL, tokenURL) = (
      text("authEndpoint", "authURL"), text("tokenEndpoint", "accessTokenURL")
    )
    let token =
      [text("token"), template(object.text("token") ?? "", at: object.place)]
      .first { !$0.isEmpty } ?? ""
    defer { if info !== object { finish(info, origin: origin) } }
    guard !authURL.isEmpty || !tokenURL.isEmpty else {
      return location == .query
        ? .apiKey(name: "access_token", value: token, location: .query)
        : .bearer(token: token, prefix: "Bearer")
    }
    let grant = Self.grants[info.text("grantType") ?? ""] ?? "Authorization Code"
    var result = OriginOAuth2()
    result.location = location
    let inBody = info.text("clientAuthentication") == "IN_BODY"
    let members = [
      ("Type", "OAuth2"), ("Grant Type", grant), ("Auth URL", authURL), ("Token URL", tokenURL),
      ("Client ID", text("clientID")), ("Client Secret", text("clientSecret")),
      ("Client Credentials", inBody ? "in body" : "basic"), ("Scope", text("scopes", "scope")),
      ("Username", grant == "Password" ? text("username") : ""),
      ("Password", grant == "Password" ? text("password") : ""),
    ]
    result.fields = members.filter { !$0.1.isEmpty }.map {
      OriginVariable(name: $0.0, value: .text($0.1), place: info.place)
    }
    if info.isSet("isPKCE") {
      let isPlain = info.text("codeVerifierMethod") == "plain"
      let value = isPlain ? #"{"Code Challenge Method":"Plain"}"# : "true"
      result.fields.append(
        OriginVariable(name: "PKCE", value: .json(OriginJSON(text: value)), place: info.place))
    }
    return .oauth2(result)
  }

  /// Tells what of a grant is left out.
  private func finish(_ info: OriginObject, origin: String) {
    info.ignore(
      "grantType", "token", "isPKCE", "codeVerifierMethod", "username", "password", "refreshToken",
      "clientAuthentication", "clientSecret", "scopes", "clientID", "authEndpoint",
      "tokenEndpoint")
    for name in ["authRequestParams", "tokenRequestParams", "refreshRequestParams"] {
      guard let view = info[name], view.count > 0 else { continue }
      notes.tell(
        .authPartial, "`\(name)` is left out. Write it as `Custom Request Parameters`.",
        at: info.place.member(name), origin: origin)
    }
    info.finish(origin: origin)
  }
}
