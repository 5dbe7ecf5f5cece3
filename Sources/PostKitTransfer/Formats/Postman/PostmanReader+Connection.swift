// What Postman says of connections: settings of requests and certificates.

import PostKitHTTP
import PostKitJSON

/// `protocolProfileBehavior`, from the collection down to a request (IO, 2.6).
struct PostmanSettings {
  var followsRedirects: Bool?
  var mostRedirects: Int?
  var keepsMethod: Bool?
  var verifiesServer: Bool?
  var usesCookies: Bool?
  var encodesURL: Bool?
  var keepsBody: Bool?
  var httpVersion: String?
  /// The headers that Postman does not add, in small letters.
  var omittedHeaders: Set<String> = []

  /// Takes over what an object says; the nearer wins.
  mutating func read(_ owner: OriginObject, notes: ImportNotes, origin: String) {
    guard let object = owner.object("protocolProfileBehavior") else { return }
    followsRedirects = object.bool("followRedirects") ?? followsRedirects
    mostRedirects = object.text("maxRedirects").flatMap(Int.init) ?? mostRedirects
    keepsMethod = object.bool("followOriginalHttpMethod") ?? keepsMethod
    verifiesServer = object.bool("strictSSL") ?? verifiesServer
    usesCookies = object.bool("disableCookies").map { !$0 } ?? usesCookies
    encodesURL = object.bool("disableUrlEncoding").map { !$0 } ?? encodesURL
    keepsBody = object.bool("disableBodyPruning") ?? keepsBody
    readVersion(object, notes, origin)
    if let headers = object.object("disabledSystemHeaders") {
      for name in headers.names where headers.bool(name) == true {
        omittedHeaders.insert(name.lowercased())
      }
      for name in headers.names where headers.bool(name) == false {
        omittedHeaders.remove(name.lowercased())
      }
      headers.finish(origin: origin)
    }
    for name in object.names {
      guard Self.unsupported.contains(name), let value = object[name], value.bool != false,
        !(value.kind == .array && value.count == 0)
      else { continue }
      notes.tell(
        .settingUnsupported, "The setting `\(name)` has no equivalent and is left out.",
        at: object.place.member(name), origin: origin)
    }
    object.finish(origin: origin)
  }

  private static let unsupported: Set<String> = [
    "removeRefererHeaderOnRedirect", "tlsPreferServerCiphers", "tlsDisabledProtocols",
    "tlsCipherSelection", "insecureHTTPParser",
  ]

  private mutating func readVersion(_ object: OriginObject, _ notes: ImportNotes, _ origin: String)
  {
    switch object.text("protocolVersion") {
    case "http1": httpVersion = "1.1"
    case "http2": httpVersion = "2"
    case "auto": httpVersion = nil
    case let other?:
      notes.tell(
        .settingUnsupported, "The version `\(other)` of HTTP is not known and is left out.",
        at: object.place.member("protocolVersion"), origin: origin)
    case nil: break
    }
  }

  /// Gives a request the tags that say the same, and the type of its body that Postman adds itself.
  func apply(
    to request: inout OriginRequest, systemType: String?, notes: ImportNotes, origin: String
  ) {
    if followsRedirects == false { request.metadata.append("no-redirect") }
    if let mostRedirects, followsRedirects != false {
      request.metadata.append("curl-max-redirs \(mostRedirects)")
    }
    if keepsMethod == true, followsRedirects != false {
      request.metadata += ["curl-post301", "curl-post302"]
    }
    if verifiesServer == false { request.metadata.append("insecure") }
    if usesCookies == false { request.metadata.append("no-cookie-jar") }
    if encodesURL == false { request.metadata.append("no-auto-encoding") }
    request.httpVersion = httpVersion
    prune(&request, notes, origin)
    let hasType = request.headers.contains {
      $0.isOn && $0.name.text.equalsIgnoringASCIICase("content-type")
    }
    if let systemType, request.body != .none, !hasType, !omittedHeaders.contains("content-type") {
      request.headers.append(OriginPair(name: "Content-Type", value: OriginText(systemType)))
    }
    for name in ["accept", "user-agent", "host", "content-length"]
    where omittedHeaders.contains(name)
      && !request.headers.contains(where: { $0.isOn && $0.name.text.lowercased() == name })
    {
      notes.tell(
        .settingUnsupported, "Postman leaves out `\(name)` here; PostKit sends it.",
        at: request.place.member("protocolProfileBehavior"), origin: origin)
    }
  }

  /// Postman sends no body with these unless `disableBodyPruning` says so.
  private static let bodiless: Set<String> = ["GET", "COPY", "HEAD", "PURGE", "UNLOCK"]

  private func prune(_ request: inout OriginRequest, _ notes: ImportNotes, _ origin: String) {
    guard keepsBody != true, request.body != .none,
      Self.bodiless.contains(request.method.uppercased())
    else { return }
    if case .text(let text) = request.body {
      request.comments.append("Postman sends this request without its body:")
      request.comments += text.text.first(4_096).everyLine.map(String.init)
    }
    request.body = .none
    notes.tell(
      .disabledItem,
      "Postman sends \(request.method) without its body, so the body is left out. Set "
        + "`disableBodyPruning` there to keep it.",
      at: request.place.member("request").member("body"), origin: origin)
  }
}

extension PostmanReader {
  /// Takes over a client's certificate. It holds for all requests here, whatever their hosts.
  func readCertificate(_ object: OriginObject, origin: String) {
    func path(_ name: String) -> String? {
      if let text = object.string(name) { return text }
      guard let file = object.object(name) else { return nil }
      let path = file.text("src")
      file.finish(origin: origin)
      return path
    }
    let matches = object.array("matches").compactMap(\.value.string)
    let (certificate, key) = (path("cert"), path("key"))
    let passphrase = object.text("passphrase") ?? ""
    object.ignore("name", "id")
    object.finish(origin: origin)
    guard let certificate else { return }
    var members = [JSONMember("clientCertificate", .string(certificate))]
    if let key { members.append(JSONMember("clientCertificateKey", .string(key))) }
    if !passphrase.isEmpty { members.append(JSONMember("hasCertificatePassphrase", .bool(true))) }
    let value = OriginValue.json(OriginJSON(text: JSONValue.object(members).text))
    let variable = OriginVariable(name: "SSLConfiguration", value: value, place: object.place)
    let isFirst = certificates.isEmpty
    if !certificates.contains(where: { $0.value == value }) { certificates.append(variable) }
    if matches.count != 1 || !isFirst {
      notes.tell(
        .settingUnsupported,
        "The certificate `\(certificate)` is meant for \(matches.count) hosts; `SSLConfiguration` "
          + "of an environment holds for all of them. Put it where it belongs.",
        at: object.place, origin: origin)
    }
    if !passphrase.isEmpty {
      notes.tell(
        .secretEmpty, "The passphrase of the certificate is left out; PostKit asks for it.",
        at: object.place.member("passphrase"), origin: origin)
    }
  }
}
