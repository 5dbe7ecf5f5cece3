// Who sends a request, in the words of OpenCollection; they are turned into those of Bruno.

import PostKitJSON

/// Reads an `auth` member.
struct OpenCollectionAuth {
  let shared: BrunoShared
  let origin: String

  /// The auth that a word or an object says.
  func read(_ view: JSONView, at place: OriginPlace) -> OriginAuth {
    let maker = BrunoAuth(notes: shared.notes, origin: origin, templates: shared.templates)
    guard let object = OriginObject(view, at: place, notes: shared.notes) else {
      guard let word = view.string, ["inherit", "none", ""].contains(word) else {
        if !view.isNull {
          shared.notes.tell(
            .authUnsupported, "The auth is neither `inherit` nor a mapping and is left out.",
            at: place, origin: origin)
        }
        return .none
      }
      return maker.auth(word, nil, at: place)
    }
    let kind = object.text("type") ?? object.text("mode") ?? "none"
    defer { object.finish(origin: origin) }
    if kind == "oauth2" {
      let (fields, parameters) = client(object)
      return maker.auth(
        kind, BrunoFields(fields, at: place, notes: shared.notes), parameters: parameters,
        at: place)
    }
    var fields: [(name: String, value: String, place: OriginPlace)] = []
    for name in object.names where name != "type" && name != "mode" {
      // A key is an object that says whether it is a text or a file.
      let value = object.peek(name)?["value"] ?? object.peek(name)
      object.ignore(name)
      fields.append((name, value?.anyText ?? "", place.member(name)))
    }
    return maker.auth(kind, BrunoFields(fields, at: place, notes: shared.notes), at: place)
  }

  // MARK: OAuth 2

  /// The names here, with those of Bruno.
  private static let texts = [
    "flow": "grant_type", "authorizationUrl": "authorization_url",
    "accessTokenUrl": "access_token_url", "refreshTokenUrl": "refresh_token_url",
    "callbackUrl": "callback_url", "scope": "scope", "state": "state",
  ]
  private static let inner: [String: [String: String]] = [
    "credentials": [
      "clientId": "client_id", "clientSecret": "client_secret",
      "placement": "credentials_placement",
    ],
    "resourceOwner": ["username": "username", "password": "password"],
    "tokenConfig": ["id": "credentials_id", "source": "token_source"],
    "settings": ["autoFetchToken": "auto_fetch_token", "autoRefreshToken": "auto_refresh_token"],
  ]
  private static let requests: [(String, BrunoParameter.Use)] = [
    ("authorizationRequest", .authorization), ("accessTokenRequest", .token),
    ("refreshTokenRequest", .refresh),
  ]

  private typealias Field = (name: String, value: String, place: OriginPlace)

  /// The fields of a client in Bruno's words, and what it sends beyond the usual.
  private func client(_ object: OriginObject) -> ([Field], [BrunoParameter]) {
    var fields: [Field] = []
    func take(_ table: [String: String], of object: OriginObject) {
      for name in object.names {
        guard let field = table[name], let text = object.text(name) else { continue }
        fields.append((field, text, object.place.member(name)))
      }
    }
    take(Self.texts, of: object)
    for name in object.names {
      guard let table = Self.inner[name], let inner = object.object(name) else { continue }
      take(table, of: inner)
      if name == "tokenConfig", let placement = inner.object("placement") {
        fields += tokenPlacement(placement)
      }
      inner.finish(origin: origin)
    }
    if let pkce = object.object("pkce") {
      fields.append(("pkce", pkce.isSet("disabled") ? "false" : "true", pkce.place))
      if pkce.text("method") == "plain" {
        shared.notes.tell(
          .authPartial, "PKCE is sent with the method S256.", at: pkce.place.member("method"),
          origin: origin)
      }
      pkce.finish(origin: origin)
    }
    var parameters: [BrunoParameter] = []
    if let additional = object.object("additionalParameters") {
      for (name, use) in Self.requests { parameters += read(additional, name, use) }
      additional.finish(origin: origin)
    }
    return (fields, parameters)
  }

  /// Where the token is sent. What stands for the header is the word before the token, or the name
  /// of the usual header.
  private func tokenPlacement(_ placement: OriginObject) -> [Field] {
    defer { placement.finish(origin: origin) }
    if let key = placement.text("query") {
      return [
        ("token_placement", "url", placement.place),
        ("token_query_key", key, placement.place.member("query")),
      ]
    }
    guard let header = placement.text("header"), header.lowercased() != "authorization" else {
      return []
    }
    return [("token_header_prefix", header, placement.place.member("header"))]
  }

  private func read(
    _ object: OriginObject, _ name: String, _ use: BrunoParameter.Use
  ) -> [BrunoParameter] {
    OpenCollectionValues(shared: shared, origin: origin).objects(object, name).map { parameter in
      defer { parameter.finish(origin: origin) }
      return BrunoParameter(
        name: parameter.text("name") ?? "", value: parameter.anyText("value") ?? "", use: use,
        isHeader: parameter.text("placement") == "header", place: parameter.place)
    }
  }
}
