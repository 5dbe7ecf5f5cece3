// The answers of the endpoints that need more than a line.

import PostKitHTTP
import PostKitJSON
import PostKitLoopback

extension ExampleSite {
  /// The table of endpoints, as HTML for a browser and as JSON for all others.
  func index(_ request: LoopbackRequest) -> LoopbackResponse {
    if request.headers.values("Accept").contains(where: { $0.contains("text/html") }) {
      return .content("text/html; charset=utf-8", Array(Samples.index.utf8))
    }
    let endpoints = ExampleEndpoint.all.map { endpoint -> JSONValue in
      let methods = endpoint.methods.isEmpty ? "any" : endpoint.methods.joined(separator: " ")
      return [
        "method": .string(methods), "path": .string(endpoint.path),
        "summary": .string(endpoint.summary),
      ]
    }
    return .json(["name": "PostKit example server", "endpoints": .array(endpoints)])
  }

  /// An answer of any final status code.
  func status(_ code: String) -> LoopbackResponse {
    guard let status = number(code, in: 200...599) else {
      return badNumber(code, "a status code from 200 to 599")
    }
    if Status.hasNoBody(status) { return LoopbackResponse(status: status) }
    var response = LoopbackResponse.json(
      ["status": .int(status), "reason": .optional(Status.reason(status))], status: status)
    switch status {
    case 301, 302, 303, 307, 308: response.headers.append("Location", "/get")
    case 401: response.headers.append("WWW-Authenticate", ExampleSite.challenge)
    default: break
    }
    return response
  }

  /// The list of people, or the answer to adding one; nothing is kept.
  func users(_ request: LoopbackRequest) -> LoopbackResponse {
    guard request.method == "POST" else { return .json(.array(Samples.users)) }
    let id = Samples.users.count + 1
    var response = LoopbackResponse.json(
      .object([JSONMember("id", .int(id))] + echo(request)), status: 201)
    response.headers.append("Location", "/users/\(id)")
    return response
  }

  /// One of the people.
  func user(_ id: String) -> LoopbackResponse {
    guard let user = Samples.users.first(where: { $0["id"]?.int.map(String.init) == id })
    else {
      return .problem(
        404, "There is no user \(id).", help: "The users are 1 to \(Samples.users.count).")
    }
    return .json(user)
  }

  /// The token, for any JSON object.
  func login(_ request: LoopbackRequest) -> LoopbackResponse {
    guard case .object = Echo.json(request.body) else {
      return .problem(
        400, "The body isn't a JSON object.",
        help: #"Send one, such as {"user": "ada", "password": "lovelace"}."#)
    }
    return .json(["token": .string(token)])
  }

  /// Something that only the holder of the token sees.
  func protected(_ request: LoopbackRequest) -> LoopbackResponse {
    let words = request.headers.first("Authorization")?.split(separator: " ") ?? []
    if words.count == 2, String(words[0]).equalsIgnoringASCIICase("Bearer"), words[1] == token {
      return .json(["message": "You are logged in.", "authenticated": true])
    }
    let error =
      words.isEmpty ? "The request has no Authorization header." : "The token is not the right one."
    var response = LoopbackResponse.problem(
      401, error,
      help: "POST a JSON object to \(base)/login and send the token of its answer as "
        + "Authorization: Bearer TOKEN.")
    response.headers.append("WWW-Authenticate", ExampleSite.challenge)
    return response
  }

  /// Cookies from the query.
  func setCookies(_ request: LoopbackRequest) -> LoopbackResponse {
    let cookies = request.arguments
    let areNames = cookies.allSatisfy { cookie in
      !cookie.name.isEmpty && cookie.name.utf8.allSatisfy(RequestHead.token.contains)
    }
    guard areNames, !cookies.isEmpty else {
      return .problem(400, "The query names no cookie.", help: "Ask for /cookies/set?name=value.")
    }
    var response = LoopbackResponse(status: 302, headers: ["Location": "/cookies"])
    for cookie in cookies {
      let value = PercentEncoding.encode(cookie.value, allowing: ExampleSite.cookieOctets)
      response.headers.append("Set-Cookie", "\(cookie.name)=\(value); Path=/")
    }
    return response
  }

  /// A step of a chain of redirects.
  func redirect(_ text: String) -> LoopbackResponse {
    guard let count = number(text, in: 0...ExampleLimits.redirects) else {
      return badNumber(text, "a number of redirects up to \(ExampleLimits.redirects)")
    }
    let location = count > 1 ? "/redirect/\(count - 1)" : "/get"
    return LoopbackResponse(status: 302, headers: ["Location": location])
  }

  /// An echo that comes late.
  func delay(_ text: String, _ request: LoopbackRequest) -> LoopbackResponse {
    guard let seconds = Double(text), seconds >= 0 else {
      return badNumber(text, "a number of seconds")
    }
    var response = LoopbackResponse.json(.object(echo(request)))
    let limit = Double(ExampleLimits.delayMilliseconds)
    response.delayMilliseconds = Int64(min(seconds * 1_000, limit))
    return response
  }

  /// Lines of JSON of unknown length in all.
  func stream(_ text: String, _ request: LoopbackRequest) -> LoopbackResponse {
    guard let count = number(text, in: 0...ExampleLimits.streamedLines) else {
      return badNumber(text, "a number of lines up to \(ExampleLimits.streamedLines)")
    }
    let url = request.url(base: base)
    return LoopbackResponse(
      headers: ["Content-Type": "application/x-ndjson"],
      body: .lines(count: count) { line in
        let value: JSONValue = ["line": .int(line), "url": .string(url)]
        return value.bytes + [0x0A]
      })
  }

  /// As many bytes as asked for.
  func bytes(_ text: String) -> LoopbackResponse {
    guard let count = number(text, in: 0...ExampleLimits.generatedBytes) else {
      return badNumber(text, "a number of bytes up to \(ExampleLimits.generatedBytes)")
    }
    return LoopbackResponse(
      headers: ["Content-Type": "application/octet-stream"],
      body: .pattern(ExampleSite.pattern, count: count))
  }

  /// An echo in a gzip container.
  func gzip(_ request: LoopbackRequest) -> LoopbackResponse {
    var response = LoopbackResponse.json(.object(echo(request)))
    if case .bytes(let bytes) = response.body { response.body = .bytes(Container.gzip(bytes)) }
    response.headers.append("Content-Encoding", "gzip")
    return response
  }

  /// The bytes that `/bytes/{n}` repeats; they look random, so that nothing compresses them.
  static let pattern: [UInt8] = {
    var state: UInt32 = 2_463_534_242
    return (0..<LoopbackLimits.stepBytes).map { _ in
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return UInt8(truncatingIfNeeded: state >> 11)
    }
  }()

  private static let challenge = #"Bearer realm="example""#

  /// What a cookie's value may hold besides percent signs (RFC 6265, section 4.1.1).
  private static let cookieOctets = ASCIISet(
    "!#$&'()*+-./0123456789:<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~")

  /// A number in plain digits.
  private func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let value = Int(text) else { return nil }
    return range.contains(value) ? value : nil
  }

  private func badNumber(_ text: String, _ wanted: String) -> LoopbackResponse {
    .problem(400, "\(text) is not \(wanted).", help: "GET \(base)/ lists everything that is here.")
  }
}
