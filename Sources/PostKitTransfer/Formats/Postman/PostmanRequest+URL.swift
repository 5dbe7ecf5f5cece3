// Postman's URLs: their parts are sent, not the raw text beside them (IO-21).

import PostKitHTTP
import PostKitJSON

extension PostmanRequest {
  /// Reads the URL of a request: a text or an object.
  mutating func readURL(of object: OriginObject, into request: inout OriginRequest) {
    let place = object.place.member("url")
    if let text = object.peek("url")?.string {
      _ = object["url"]
      return readURL(text, into: &request, at: place)
    }
    guard let url = object.object("url") else {
      if let view = object["url"], !view.isNull {
        reader.tellMalformed("The URL is neither text nor object.", at: place, origin: origin)
      }
      return
    }
    let raw = url.text("raw")
    if url.peek("host").map(\.isNull) ?? true, url.peek("path").map(\.isNull) ?? true {
      readURL(raw ?? "", into: &request, at: place)
      url.ignore("host", "path")
      if request.query.isEmpty { readQuery(of: url, into: &request) }
    } else {
      readParts(of: url, into: &request, raw: raw)
    }
    readVariables(of: url, into: &request)
    url.ignore("id")
    url.finish(origin: origin)
  }

  /// Reads a URL that is a text. Its fragment is never sent.
  func readURL(_ text: String, into request: inout OriginRequest, at place: OriginPlace) {
    let parts = OriginURL(reader.template(text, at: place))
    if let fragment = parts.fragment { tellFragment(fragment, at: place) }
    request.url = OriginText(parts.url)
    request.query = parts.query
  }

  private func tellFragment(_ fragment: String, at place: OriginPlace) {
    guard fragment.count > 1 else { return }
    notes.tell(
      .urlDiffersFromRaw, "The fragment `\(fragment)` is left out; it is never sent.", at: place,
      origin: origin)
  }

  private mutating func readParts(
    of url: OriginObject, into request: inout OriginRequest, raw: String?
  ) {
    var text = url.text("protocol").map { $0.isEmpty ? "" : $0.withoutSchemeMark + "://" } ?? ""
    readAuth(of: url)
    text += joined(url, "host", by: ".")
    if let port = url.text("port"), !port.isEmpty { text += ":" + port }
    let path = PairEscaping.path.text(OriginText(joined(url, "path", by: "/")))
    let hasPath = url.peek("path")?.isNull == false
    if hasPath, !path.isEmpty || url.peek("path")?.count ?? 0 > 0 {
      text += path.hasPrefix("/") && url.peek("path")?.string != nil ? path : "/" + path
    }
    request.url = reader.text(text, at: url.place)
    let sent = readQuery(of: url, into: &request)
    if let hash = url.text("hash"), !hash.isEmpty {
      tellFragment("#\(hash)", at: url.place.member("hash"))
    }
    if let raw { compare(raw, with: text + sent, at: url.place) }
  }

  /// Reads the query; answers it as Postman would write it in one line.
  @discardableResult private func readQuery(
    of url: OriginObject, into request: inout OriginRequest
  ) -> String {
    if let text = url.peek("query")?.string {
      _ = url["query"]
      request.query = OriginURL.pairs(of: reader.template(text, at: url.place)[...])
      return "?" + text
    }
    var sent: [String] = []
    for (value, place) in url.array("query") {
      if let text = value.string {
        sent.append(text)
        request.query += OriginURL.pairs(of: reader.template(text, at: place)[...])
        continue
      }
      guard let object = OriginObject(value, at: place, notes: notes) else {
        if !value.isNull {
          reader.tellMalformed("A pair of the query is no object.", at: place, origin: origin)
        }
        continue
      }
      if object.peek("disabled")?.bool != true {
        let value = object.peek("value").flatMap { $0.isNull ? nil : "=" + $0.anyText }
        sent.append((object.peek("key")?.anyText ?? "") + (value ?? ""))
      }
      if let pair = pair(object, what: "query") { request.query.append(pair) }
    }
    return sent.isEmpty ? "" : "?" + sent.joined(separator: "&")
  }

  /// A member that is a text or a list of texts, as one text.
  private func joined(_ url: OriginObject, _ name: String, by separator: String) -> String {
    if let text = url.text(name) { return text }
    return url.values(name).map { value in
      guard value.kind == .object else { return value.anyText }
      return value["value"]?.anyText ?? ""
    }.joined(separator: separator)
  }

  private mutating func readAuth(of url: OriginObject) {
    guard let auth = url.object("auth") else { return }
    let (user, password) = (auth.text("user") ?? "", auth.text("password") ?? "")
    auth.finish(origin: origin)
    guard !user.isEmpty || !password.isEmpty else { return }
    urlAuth = .basic(
      user: reader.template(user.percentDecoded, at: auth.place),
      password: reader.template(password.percentDecoded, at: auth.place))
  }

  /// Tells where the raw text says something else than the parts.
  private func compare(_ raw: String, with parts: String, at place: OriginPlace) {
    let sent = String(URLText(raw, as: .written).withoutFragment)
    let other = parts.percentDecoded
    func isSame(_ raw: String) -> Bool {
      let one = raw.percentDecoded
      return one == other || one == other + "?" || one == other + "/" || one + "/" == other
        || "http://" + one == other || "https://" + one == other
    }
    if isSame(sent) || sent.has("@") && isSame(URLText(sent, as: .written).withoutUserInfo) {
      return
    }
    notes.tell(
      .urlDiffersFromRaw,
      "The parts of the URL differ from its raw text; the parts are taken, as Postman sends them.",
      at: place, origin: origin)
  }

  // MARK: Variables of the path

  /// Puts `{{name}}` in the place of `:name` where the name has a value.
  private func readVariables(of url: OriginObject, into request: inout OriginRequest) {
    let variables = reader.variables(of: url, "variable")
    guard variables.contains(where: \.isOn) || request.url.text.place(ofText: "/:") != nil
    else { return }
    var named: [String: OriginVariable] = [:]
    for variable in variables where variable.isOn { named[variable.name] = variable }
    let text = request.url.text
    var (result, at) = ("", text.startIndex)
    while let mark = text.place(ofText: "/:", from: at) {
      let step = text[mark.upperBound...].utf8.prefix { $0 != UInt8(ascii: "/") }
      result += text[at..<mark.upperBound]
      at = mark.upperBound
      guard let name = name(in: Substring(step), of: named), let variable = named[name] else {
        continue
      }
      guard case .text(let value)? = variable.value, !value.isEmpty else {
        notes.tell(
          .templateUnsupported,
          "`:\(name)` has no value that is a text, so it is sent as it stands, as Postman does.",
          at: variable.place, origin: origin, isWarning: false)
        continue
      }
      result.removeLast()
      result += "{{\(name)}}"
      at = text.index(at, offsetBy: name.count)
      if !request.pathVariables.contains(where: { $0.name == name }) {
        request.pathVariables.append(variable)
      }
    }
    request.url.text = result + text[at...]
  }

  /// The name that a step begins with: all of it, else the longest that ends before a sign.
  private func name(in step: Substring, of named: [String: OriginVariable]) -> String? {
    if named[String(step)] != nil { return String(step) }
    return named.keys.filter { name in
      guard step.hasPrefix(name), let next = step.dropFirst(name.count).first else { return false }
      return !next.isLetter && !next.isNumber && next != "_" && next != "-"
    }.max { $0.count < $1.count }
  }
}
