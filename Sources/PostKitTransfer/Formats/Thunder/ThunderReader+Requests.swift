// Thunder Client's requests: URL, body, auth and tests.

import PostKitJSON

extension ThunderReader {
  /// Reads the members of a request.
  func readRequest(_ object: OriginObject, into request: inout OriginRequest, origin: String) {
    let method = object.text("method") ?? ""
    request.method = method.isEmpty ? "GET" : method
    request.description = object.text("docs") ?? ""
    let url = OriginURL(template(object.text("url") ?? "", at: object.place.member("url")))
    request.url = OriginText(url.url)
    readParameters(of: object, into: &request, query: url.query, origin: origin)
    request.headers = pairs(of: object, "headers", origin: origin)
    request.auth = auth(of: object, origin: origin) ?? .inherited
    request.authPlace = object.place.member("auth")
    if let body = object.object("body") { readBody(body, into: &request, origin: origin) }
    readTests(of: object, into: &request, origin: origin)
    for name in ["preReq", "postReq"] {
      guard let view = object[name], view.members.contains(where: { $0.value.count > 0 }) else {
        continue
      }
      notes.tell(
        .scriptUnknownAPI,
        "`\(name)` runs scripts and requests of Thunder Client, which PostKit does not have.",
        at: object.place.member(name), origin: origin)
    }
    if let options = object.object("options") {
      if options.bool("followRedirects") == false { request.metadata.append("no-redirect") }
      if options.bool("verifySSL") == false { request.metadata.append("insecure") }
      options.finish(origin: origin)
    }
  }

  /// The URL holds the active pairs, too; so the list counts where it is not empty.
  private func readParameters(
    of object: OriginObject, into request: inout OriginRequest, query: [OriginPair], origin: String
  ) {
    let isPath = object.array("params").map { $0.value["isPath"]?.bool == true }
    let places = object.array("params").map(\.place)
    let all = object.array("params").enumerated().map { index, parameter in
      (isPath[index], places[index], parameter.value)
    }
    for (_, place, view) in all.filter(\.0) {
      guard let name = view["name"]?.plainText, let value = view["value"]?.plainText,
        !name.isEmpty, !value.isEmpty
      else { continue }
      let steps = request.url.text.split(separator: "/", omittingEmptySubsequences: false)
      guard steps.contains(where: { $0 == "{\(name)}" || $0 == ":\(name)" }) else { continue }
      request.url.text = steps.map {
        $0 == "{\(name)}" || $0 == ":\(name)" ? "{{\(name)}}" : String($0)
      }.joined(separator: "/")
      request.pathVariables.append(
        OriginVariable(name: name, value: .text(template(value, at: place)), place: place))
    }
    let pairs = pairs(of: object, "params", origin: origin)
    let named = zip(pairs, all.filter { !isEmpty($0.2) }).filter { !$0.1.0 }.map(\.0)
    request.query = named.isEmpty ? query : named
  }

  private func isEmpty(_ view: JSONView) -> Bool {
    guard view.kind == .object else { return true }
    return (view["name"]?.plainText ?? "").isEmpty && (view["value"]?.anyText ?? "").isEmpty
  }

  private static let types = [
    "json": "application/json", "xml": "application/xml", "text": "text/plain",
    "html": "text/html",
  ]

  private func readBody(
    _ body: OriginObject, into request: inout OriginRequest, origin: String
  ) {
    let kind = body.text("type") ?? ""
    var type: String?
    switch kind {
    case "json", "xml", "text", "html":
      let raw = body.anyText("raw") ?? ""
      if !raw.isEmpty {
        request.body = .text(text(raw, at: body.place.member("raw")))
        type = Self.types[kind]
      }
    case "formencoded":
      let pairs = pairs(of: body, "form", origin: origin)
      if pairs.contains(where: \.isOn) { request.body = .form(pairs) }
    case "formdata":
      let parts = parts(of: body, origin: origin)
      if parts.contains(where: \.isOn) { request.body = .multipart(parts) }
    case "binary":
      let path = body.string("binary") ?? ""
      request.body = .file(path.isEmpty ? nil : path)
    case "graphql": request.body = graphQL(body, origin: origin)
    case "", "none": break
    default:
      tellMalformed(
        "A body of the kind `\(kind)` is not known and is left out.",
        at: body.place.member("type"), origin: origin)
    }
    // What other kinds have kept is not sent.
    body.ignore("raw", "form", "files", "binary", "graphql")
    body.finish(origin: origin)
    let hasType = request.headers.contains {
      $0.isOn && $0.name.text.lowercased() == "content-type"
    }
    if let type, !hasType {
      request.headers.append(OriginPair(name: "Content-Type", value: OriginText(type)))
    }
  }

  private func parts(of body: OriginObject, origin: String) -> [OriginPart] {
    let texts = pairs(of: body, "form", origin: origin).map { pair in
      var part = OriginPart(name: pair.name, content: .text(pair.value ?? ""))
      part.isOn = pair.isOn
      return part
    }
    let files = pairs(of: body, "files", origin: origin).map { pair in
      let path = pair.value?.text ?? ""
      var part = OriginPart(name: pair.name, content: .file(path.isEmpty ? nil : path))
      part.isOn = pair.isOn
      return part
    }
    return texts + files
  }

  private func graphQL(_ body: OriginObject, origin: String) -> OriginBody {
    guard let object = body.object("graphql") else { return .none }
    let (query, variables) = (object.text("query") ?? "", object.anyText("variables") ?? "")
    object.finish(origin: origin)
    if query.isEmpty, variables.isEmpty { return .none }
    return .graphQL(
      query: template(query, at: object.place),
      variables: variables.allSatisfy(\.isWhitespace)
        ? nil : template(variables, at: object.place), operationName: nil)
  }

  // MARK: Auth

  /// What a collection, folder or request says; `nil` where it inherits.
  func auth(of owner: OriginObject, origin: String) -> OriginAuth? {
    guard let object = owner.object("auth") else { return nil }
    let kind = object.text("type") ?? "inherit"
    defer {
      object.ignore("basic", "bearer", "digest", "ntlm", "aws", "oauth2", "bearerPrefix")
      object.finish(origin: origin)
    }
    if ["inherit", ""].contains(kind) { return nil }
    if kind == "none" { return OriginAuth.none }
    if kind == "bearer" {
      let prefix = object.text("bearerPrefix") ?? ""
      return .bearer(
        token: template(object.text("bearer") ?? "", at: object.place),
        prefix: prefix.isEmpty ? "Bearer" : prefix)
    }
    let fields = object.object(kind)
    func text(_ names: String...) -> String {
      for name in names {
        if let text = fields?.text(name), !text.isEmpty { return template(text, at: object.place) }
      }
      return ""
    }
    defer { fields?.finish(origin: origin) }
    switch kind {
    case "basic": return .basic(user: text("username"), password: text("password"))
    case "digest": return .digest(user: text("username"), password: text("password"))
    case "ntlm":
      let domain = text("domain")
      return .ntlm(
        user: text("username"), password: text("password"), domain: domain.isEmpty ? nil : domain)
    case "aws":
      return .aws(
        OriginAWS(
          accessKey: text("accessKeyId", "accessKey"), secretKey: text("secretKey"),
          token: text("token", "sessionToken"), region: text("region"), service: text("service")))
    default:
      // OAuth 2 has fields whose names no public page gives, so all are kept as comments.
      return .other(
        name: kind,
        fields: (fields?.names ?? []).compactMap { name in
          guard let value = fields?[name]?.anyText, !value.isEmpty else { return nil }
          let word = name.lowercased()
          let isSecret = ["secret", "password", "token"].contains { word.contains($0) }
          return OriginVariable(
            name: name, value: .text(template(value, at: object.place)), isSecret: isSecret,
            place: object.place.member(kind))
        })
    }
  }
}
