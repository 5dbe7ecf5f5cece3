// Who may call an operation, as the auth of a request (IO-18).

import PostKitDescription
import PostKitHTTP
import PostKitJSON

extension OpenAPIReading {
  /// Gives a request the first way in that can be gone here; the others become comments.
  func setSecurity(
    _ operation: APIOperation, _ request: inout OriginRequest,
    _ failures: inout [ReferenceFailure], origin: String
  ) {
    request.auth = .none
    let ways = description.security(of: operation, &failures)
    guard !ways.isEmpty else { return }
    let chosen = ways.firstIndex { $0.allSatisfy { isPossible($0.scheme) } }
    for (index, way) in ways.enumerated() where index != chosen {
      let names = way.map(\.scheme.name).joined(separator: " and ")
      request.comments.append("or with: \(names.isEmpty ? "nothing" : names)")
      guard chosen != nil else { continue }
      for need in way {
        if case .openIDConnect = need.scheme.kind { comment(need.scheme, &request) }
      }
    }
    guard let chosen else {
      for need in ways.joined() { comment(need.scheme, &request) }
      context.notes.tell(
        .authUnsupported,
        "PostKit has none of the ways in: "
          + ways.map { $0.map(\.scheme.name).joined(separator: " and ") }
          .joined(separator: ", ") + "; the request is sent without.",
        at: request.place.member("security"), origin: origin)
      return
    }
    for need in ways[chosen] { use(need, &request, origin: origin) }
  }

  private func isPossible(_ scheme: APISecurityScheme) -> Bool {
    switch scheme.kind {
    case .basic, .bearer, .digest, .apiKey: true
    case .oauth2: !scheme.flows.isEmpty
    case .otherHTTP, .openIDConnect, .mutualTLS, .unknown: false
    }
  }

  /// Says of a way that can't be gone what the description says of it.
  private func comment(_ scheme: APISecurityScheme, _ request: inout OriginRequest) {
    let text =
      switch scheme.kind {
      case .otherHTTP(let word): "Authorization: \(word)"
      case .openIDConnect(let url): "OpenID Connect, \(url)"
      case .mutualTLS: "a client certificate (`SSLConfiguration` of an environment)"
      case .unknown(let type): type.isEmpty ? "not described" : type
      default: "not described whole"
      }
    request.comments.append("auth \(scheme.name): \(text)")
  }

  private func use(
    _ need: APISecurityNeed, _ request: inout OriginRequest, origin: String
  ) {
    let scheme = need.scheme
    switch scheme.kind {
    case .apiKey(let name, let location):
      let value = OriginText(secret("apiKey", of: scheme, at: request.place))
      if location == .cookie {
        addCookie("\(name)=\(value.text)", &request)
      } else if location == .query {
        request.query.removeAll { $0.name.text == name }
        request.query.append(OriginPair(name: OriginText(name), value: value))
      } else {
        request.headers.removeAll { $0.name.text.lowercased() == name.lowercased() }
        if request.auth == .none {
          request.auth = .apiKey(name: name, value: value.text, location: .header)
        } else {
          request.headers.append(OriginPair(name: OriginText(name), value: value))
        }
      }
    case .basic:
      setAuth(
        .basic(
          user: secret("basicUser", of: scheme, at: request.place),
          password: secret("basicPassword", of: scheme, at: request.place)), &request, origin)
    case .digest:
      setAuth(
        .digest(
          user: secret("digestUser", of: scheme, at: request.place),
          password: secret("digestPassword", of: scheme, at: request.place)), &request, origin)
    case .bearer:
      setAuth(
        .bearer(token: secret("bearerToken", of: scheme, at: request.place), prefix: "Bearer"),
        &request, origin)
    case .oauth2: setAuth(.oauth2(client(scheme, at: request.place)), &request, origin)
    case .otherHTTP, .openIDConnect, .mutualTLS, .unknown: break
    }
  }

  /// Sets what goes into `Authorization`, which holds one credential.
  private func setAuth(_ auth: OriginAuth, _ request: inout OriginRequest, _ origin: String) {
    switch request.auth {
    case .none: request.auth = auth
    case .apiKey(let name, let value, .header) where name.lowercased() != "authorization":
      request.headers.append(OriginPair(name: OriginText(name), value: OriginText(value)))
      request.auth = auth
    default:
      context.notes.tell(
        .authPartial,
        "The operation asks for two credentials in `Authorization`; the first is used.",
        at: request.place.member("security"), origin: origin)
    }
  }

  private func addCookie(_ pair: String, _ request: inout OriginRequest) {
    let place = request.headers.firstIndex { $0.isOn && $0.name.text == "Cookie" }
    if let place, let value = request.headers[place].value {
      request.headers[place].value?.text = "\(value.text); \(pair)"
    } else {
      request.headers.append(OriginPair(name: "Cookie", value: OriginText(pair)))
    }
  }

  /// The template of a secret that a scheme asks for: a variable without a value, which is told.
  private func secret(
    _ base: String, of scheme: APISecurityScheme, at place: OriginPlace
  ) -> String {
    let key = "\(base)\n\(scheme.name)"
    if let known = credentials[key] { return "{{\(known)}}" }
    // A name keeps its meaning from import to import: the user has filled in its value.
    let earlier = context.options.secretNames
    let at = "\(schemePlace(scheme))"
    let kept = earlier.first { entry in
      entry.value == at && entry.key.hasPrefix(base)
        && entry.key.dropFirst(base.count).allSatisfy(\.isNumber)
    }
    var (name, number) = (kept?.key ?? base, 2)
    while kept == nil, isShared(name) || earlier[name] != nil {
      name = "\(base)\(number)"
      number += 1
    }
    credentials[key] = name
    share(name, nil, isSecret: true, at: schemePlace(scheme))
    return "{{\(name)}}"
  }

  private func schemePlace(_ scheme: APISecurityScheme) -> OriginPlace {
    description.version == .swagger2
      ? place.member("securityDefinitions").member(scheme.name)
      : place.member("components").member("securitySchemes").member(scheme.name)
  }

  // MARK: - OAuth 2

  private func client(_ scheme: APISecurityScheme, at place: OriginPlace) -> OriginOAuth2 {
    if let known = clients[scheme.name] { return known }
    let place = schemePlace(scheme)
    // Flows without a browser come first: they need nobody to sign in.
    let order = ["authorizationCode", "clientCredentials", "password", "implicit"]
    let flow =
      order.lazy.compactMap { word in scheme.flows.first { $0.name == word } }.first
      ?? scheme.flows[0]
    let grants = [
      "authorizationCode": "Authorization Code", "clientCredentials": "Client Credentials",
      "password": "Password", "implicit": "Implicit", "deviceAuthorization": "Device Authorization",
    ]
    var client = OriginOAuth2(name: scheme.name)
    func add(_ name: String, _ value: String?) {
      client.fields.append(
        OriginVariable(name: name, value: value.map(OriginValue.text), place: place))
    }
    add("Grant Type", grants[flow.name] ?? flow.name)
    if let url = flow.authorizationURL { add("Auth URL", absolute(url)) }
    if let url = flow.tokenURL { add("Token URL", absolute(url)) }
    add("Client ID", "")
    if flow.name != "implicit" { add("Client Secret", nil) }
    if flow.name == "password" {
      add("Username", "")
      add("Password", nil)
    }
    let scopes = scopes[scheme.name] ?? []
    if !scopes.isEmpty { add("Scope", scopes.joined(separator: " ")) }
    tellRest(of: scheme, flow)
    clients[scheme.name] = client
    return client
  }

  /// Tells what a client of one flow does not have of its scheme.
  private func tellRest(of scheme: APISecurityScheme, _ flow: APIOAuthFlow) {
    let place = schemePlace(scheme)
    let others = scheme.flows.map(\.name).filter { $0 != flow.name }
    if !others.isEmpty {
      let names = others.map { "`\($0)`" }.joined(separator: ", ")
      context.notes.tell(
        .authPartial, "Tokens of `\(scheme.name)` come by `\(flow.name)`; left out: \(names).",
        at: place.member("flows"), isWarning: false)
    }
    if let url = flow.refreshURL, !url.isEmpty, url != flow.tokenURL {
      context.notes.tell(
        .authPartial, "`refreshUrl` is left out; tokens are refreshed at the token URL.",
        at: place.member("flows").member(flow.name).member("refreshUrl"))
    }
  }

  private func absolute(_ url: String) -> String {
    guard URLParts(url) == nil, url.hasPrefix("/"), !url.hasPrefix("//") else { return url }
    return "{{baseUrl}}" + url
  }
}
