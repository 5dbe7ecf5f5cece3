// One request of Postman: method, head, auth, and what belongs to its connection.

import PostKitHTTP
import PostKitJSON

/// Reads the members of a request.
struct PostmanRequest {
  let reader: PostmanReader
  /// How people call the request.
  let origin: String
  let parents: PostmanParents
  /// The `Content-Type` that Postman adds where the request has none.
  private(set) var systemType: String?
  /// User and password that stand in the URL.
  var urlAuth: OriginAuth?

  /// Reads a request of that name in these folders.
  init(reader: PostmanReader, origin: String, parents: PostmanParents) {
    self.reader = reader
    self.origin = origin
    self.parents = parents
  }

  var notes: ImportNotes { reader.notes }

  /// Reads a request; `false` where it can't be one, which is told.
  mutating func read(_ object: OriginObject, into request: inout OriginRequest) -> Bool {
    let method = object.peek("method").map { $0.isNull ? "" : $0.anyText } ?? ""
    _ = object["method"]
    guard method.utf8.allSatisfy(Self.isTokenByte) else {
      reader.tellMalformed(
        "The method `\(method)` is no word, so the request is left out.",
        at: object.place.member("method"), origin: origin)
      return false
    }
    request.method = method.isEmpty ? "GET" : method
    request.description = reader.description(of: object, "description")
    readURL(of: object, into: &request)
    request.headers = headers(of: object, "header")
    if let auth = reader.auth(of: object, origin: origin) {
      request.auth = auth
      request.authPlace = object.place.member("auth")
    }
    useURLAuth(for: &request, at: object.place.member("url").member("auth"))
    request.headersPlace = object.place.member("header")
    if let body = object.object("body") {
      request.bodyPlace = body.place
      let reading = PostmanBody(body: body, request: self)
      request.body = reading.read()
      systemType = reading.systemType
    }
    omitHeaders(of: &request, at: object.place.member("header"))
    readConnection(of: object, into: &request)
    object.ignore("id", "_postman_id", "uid", "name", "_postman_isSubFolder")
    object.finish(origin: origin)
    return true
  }

  /// Postman sends what stands in the URL where nothing else says who sends the request.
  private func useURLAuth(for request: inout OriginRequest, at place: OriginPlace) {
    guard let urlAuth, request.auth == .inherited, !parents.hasAuth else { return }
    let isSaid = request.headers.contains {
      $0.isOn && $0.name.text.equalsIgnoringASCIICase("authorization")
    }
    if isSaid { return }
    request.auth = urlAuth
    request.authPlace = place
  }

  /// Whether a method may have the byte (RFC 9110, 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// The headers of a member: a list of objects or of lines, or one text with lines.
  func headers(of object: OriginObject, _ name: String) -> [OriginPair] {
    if let text = object.peek(name)?.string {
      _ = object[name]
      return lines(of: text).compactMap { pair(ofLine: $0, at: object.place.member(name)) }
    }
    var result: [OriginPair] = []
    for (value, place) in object.array(name) {
      if let line = value.string {
        result += lines(of: line).compactMap { pair(ofLine: $0, at: place) }
      } else if let header = OriginObject(value, at: place, notes: notes) {
        if let pair = pair(header, what: "header") { result.append(pair) }
      } else if !value.isNull {
        reader.tellMalformed("A header is no object and is left out.", at: place, origin: origin)
      }
    }
    return result
  }

  /// A pair of a list of headers, of a query or a form; `nil` for an editor's empty row.
  func pair(_ object: OriginObject, what: String) -> OriginPair? {
    let place = object.place
    let isValueAbsent = object.peek("value").map(\.isNull) ?? true
    let name = object.text("key") ?? ""
    let value = object.anyText("value") ?? ""
    let isOn = object.bool("disabled").map { !$0 } ?? object.bool("enabled") ?? true
    let description = reader.description(of: object, "description")
    object.ignore("key", "type", "name", "system", "warning", "enabled", "equals", "uuid", "id")
    object.finish(origin: origin)
    if name.isEmpty, value.isEmpty, what == "header" || isValueAbsent { return nil }
    if name.isEmpty, what == "header" {
      reader.tellMalformed("A header without a name is left out.", at: place, origin: origin)
      return nil
    }
    return OriginPair(
      name: reader.text(name, at: place),
      value: isValueAbsent && what == "query" ? nil : reader.text(value, at: place), isOn: isOn,
      description: description)
  }

  private func lines(of text: String) -> [Substring] {
    text.split(whereSeparator: { $0.isNewline })
  }

  /// A header written as a line; one that begins with `//` is switched off.
  private func pair(ofLine line: Substring, at place: OriginPlace) -> OriginPair? {
    var line = line.trimmed
    let isOn = !line.hasPrefix("//")
    if !isOn { line = line.dropFirst(2).trimmed }
    if line.isEmpty { return nil }
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
      reader.tellMalformed(
        "A line of the headers has no colon and is left out.", at: place, origin: origin)
      return nil
    }
    return OriginPair(
      name: reader.text(String(line[..<colon].trimmed), at: place),
      value: reader.text(String(line[line.index(after: colon)...].trimmed), at: place), isOn: isOn)
  }

  /// Whether a text is the host and port that a URL names.
  private func isHost(_ text: String, of url: String) -> Bool {
    let parts = URLText(url, as: .written)
    return text.lowercased() == (parts[parts.hostAndPort] ?? "").lowercased()
  }

  /// Takes away what every client writes itself (IO-22).
  private func omitHeaders(of request: inout OriginRequest, at place: OriginPlace) {
    let url = request.url.text
    request.headers.removeAll { header in
      guard header.isOn else { return false }
      let (name, value) = (header.name.text, header.value?.text ?? "")
      let isOwn = name.equalsIgnoringASCIICase("content-length")
        || name.equalsIgnoringASCIICase("connection") && value.lowercased() == "keep-alive"
        || name.equalsIgnoringASCIICase("host") && isHost(value, of: url)
      guard isOwn else { return false }
      notes.tell(
        .headerOmitted,
        "`\(header.name.text)` is left out, because it is sent anyway with the right value.",
        at: place, origin: origin)
      return true
    }
  }

  /// The proxy and the client's certificate of a request.
  private func readConnection(of object: OriginObject, into request: inout OriginRequest) {
    if let proxy = object.object("proxy") {
      let (host, port) = (proxy.text("host") ?? "", proxy.text("port") ?? "8080")
      let isOn = !proxy.isSet("disabled")
      if isOn, !host.isEmpty {
        let address = reader.template("\(host):\(port)", at: proxy.place)
        request.metadata.append("proxy http://" + address)
      }
      if let match = proxy.text("match"), !["", "http+https://*/*", "*://*/*"].contains(match) {
        notes.tell(
          .settingUnsupported,
          "The proxy holds for the whole request here, not only where `\(match)` fits.",
          at: proxy.place.member("match"), origin: origin)
      }
      // The way through a proxy follows from the scheme here.
      proxy.ignore("tunnel", "id", "name")
      proxy.finish(origin: origin)
    }
    if let certificate = object.object("certificate") {
      reader.readCertificate(certificate, origin: origin)
    }
  }
}
