// Parts of the requests of a Postman collection.

import PostKitHTTP
import PostKitJSON

/// Writes parts of requests.
enum PostmanParts {
  /// A URL with its parts, references as they are written.
  static func url(_ written: String) -> JSONValue {
    let url = URLText(written, as: .written)
    var members = [JSONMember("raw", .string(written))]
    func add(_ name: String, _ values: [Substring]) {
      members.append(JSONMember(name, .array(values.map { .string(String($0)) })))
    }
    if let scheme = url[url.scheme] {
      members.append(JSONMember("protocol", .string(String(scheme))))
    }
    add("host", labels(url[url.host] ?? ""))
    if let port = url[url.port] { members.append(JSONMember("port", .string(String(port)))) }
    if !url.path.isEmpty {
      let path = written[url.path].dropFirst()
      add("path", path.split(separator: "/", omittingEmptySubsequences: false))
    }
    if let query = url[url.query] {
      let pairs = URLText.pairs(of: query, as: .written).map { name, value -> JSONValue in
        ["key": .string(String(name)), "value": value.map { .string(String($0)) } ?? .null]
      }
      members.append(JSONMember("query", .array(pairs)))
    }
    return .object(members)
  }

  /// The labels of a host. Dots in references part nothing.
  private static func labels(_ host: Substring) -> [Substring] {
    if host.hasPrefix("[") { return [host] }
    var labels: [Substring] = []
    var start = host.startIndex
    for dot in host.utf8.all(ASCIISet("."), skipsTemplates: true) {
      labels.append(host[start..<dot])
      start = host.utf8.index(after: dot)
    }
    return labels + [host[start...]]
  }

  /// A kept response; `request` are the members of the request that it answers.
  static func response(_ example: ExportedExample, to request: [JSONMember]) -> JSONValue {
    let type = example.headers.first { $0.name.equalsIgnoringASCIICase("Content-Type") }
      .flatMap { MediaType($0.value) }
    let language = type?.isJSON == true ? "json" : type?.isXML == true ? "xml" : "text"
    return [
      "name": .string(example.name),
      "originalRequest": .object(request.filter { $0.key != "auth" }),
      "status": .string(Status.reason(example.status) ?? ""), "code": .int(example.status),
      "_postman_previewlanguage": .string(language),
      "header": .array(
        example.headers.map { ["key": .string($0.name), "value": .string($0.value)] }),
      "body": .string(example.body),
    ]
  }

  /// How a request is sent, where that is not Postman's way.
  static func behaviour(_ request: ExportedRequest) -> [JSONMember] {
    var members: [JSONMember] = []
    if !request.options.followsRedirects { members.append(JSONMember("followRedirects", false)) }
    if request.options.redirectLimit != 10 {
      members.append(JSONMember("maxRedirects", .int(request.options.redirectLimit)))
    }
    if !request.options.verifiesTLS { members.append(JSONMember("strictSSL", false)) }
    if !request.options.usesCookies { members.append(JSONMember("disableCookies", true)) }
    if !request.options.encodes { members.append(JSONMember("disableUrlEncoding", true)) }
    let method = request.method.literal ?? ""
    if !request.body.isEmpty, ["GET", "HEAD", "COPY", "PURGE", "UNLOCK"].contains(method) {
      members.append(JSONMember("disableBodyPruning", true))
    }
    if case .text = request.content, request.header("Content-Type") == nil {
      // Postman would say that the body is plain text.
      members.append(JSONMember("disabledSystemHeaders", ["content-type": true]))
    }
    return members
  }

  /// Tells what Postman can't do.
  static func tell(_ request: ExportedRequest, _ notes: ExportNotes) {
    if request.loopCount != 1 {
      notes.tell(
        .settingUnsupported, "Postman sends the request once; the loop is left out.", of: request)
    }
    if request.isDisabled {
      notes.tell(
        .disabledItem, "Postman can't switch a request off; it is sent there.", of: request)
    }
    if request.options.timeoutMilliseconds != nil
      || request.options.connectTimeoutMilliseconds != nil
    {
      notes.tell(
        .settingUnsupported, "Postman has no timeout for one request; it is left out.", of: request)
    }
    switch request.options.httpVersion {
    case .automatic: break
    case let version:
      notes.tell(
        .settingUnsupported, "The request asks for HTTP/\(version.rawValue); choose it in Postman.",
        of: request)
    }
    if request.options.proxy != nil || request.options.hasCertificate {
      notes.tell(
        .settingUnsupported, "Proxy and certificate are Postman's own settings; they are left out.",
        of: request)
    }
    if case .negotiate = request.auth {
      notes.tell(
        .authUnsupported, "Postman does not support Negotiate authentication; it is left out.",
        of: request)
    }
  }
}
