// Parts of the requests of a Postman collection.

import PostKitHTTP
import PostKitJSON

/// Writes parts of requests.
enum PostmanParts {
  /// A URL with its parts, references as they are written.
  static func url(_ written: String) -> JSONValue {
    let url = ExportedURL(written)
    var members = [JSONMember("raw", .string(written))]
    if let scheme = url.scheme { members.append(JSONMember("protocol", .string(scheme))) }
    let (host, port) = host(url.authority)
    members.append(JSONMember("host", .array(host.map { .string($0) })))
    if let port { members.append(JSONMember("port", .string(port))) }
    if let path = url.path { members.append(JSONMember("path", .array(path.map { .string($0) }))) }
    if let query = url.query {
      members.append(
        JSONMember(
          "query",
          .array(
            query.map { pair in
              ["key": .string(pair.name), "value": pair.value.map { .string($0) } ?? .null]
            })))
    }
    return .object(members)
  }

  /// The labels of a host, and its port. Dots and colons in references part nothing.
  private static func host(_ authority: String) -> ([String], String?) {
    guard !authority.hasPrefix("[") else { return ([authority], nil) }
    var labels = [""]
    var port: String?
    var depth = 0
    for character in authority {
      if character == "{" { depth += 1 } else if character == "}" { depth -= 1 }
      if depth == 0, character == ":", port == nil {
        port = ""
      } else if port != nil {
        port?.append(character)
      } else if depth == 0, character == "." {
        labels.append("")
      } else {
        labels[labels.count - 1].append(character)
      }
    }
    return (labels, port)
  }

  /// Who sends a request; `nil` where nothing or a header says it.
  static func auth(_ auth: ExportedAuth, _ string: (ExportedText) -> String) -> JSONValue? {
    func made(_ type: String, _ fields: [(String, ExportedText)]) -> JSONValue {
      let values = fields.map { key, value -> JSONValue in
        ["key": .string(key), "value": .string(string(value)), "type": "string"]
      }
      return .object([JSONMember("type", .string(type)), JSONMember(type, .array(values))])
    }
    switch auth {
    case .none, .negotiate: return nil
    case .basic(let user, let password):
      return made("basic", [("username", user), ("password", password)])
    case .bearer(let token): return made("bearer", [("token", token)])
    case .digest(let user, let password):
      return made("digest", [("username", user), ("password", password)])
    case .ntlm(let user, let password):
      return made("ntlm", [("username", user), ("password", password)])
    case .aws(let key, let secret, let region, let service):
      return made(
        "awsv4",
        [("accessKey", key), ("secretKey", secret), ("region", region), ("service", service)])
    }
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
