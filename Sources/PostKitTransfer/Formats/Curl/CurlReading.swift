// What a curl command says of its requests, in the words of an import.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// One command and what is told of it.
struct CurlReading {
  let curl: CurlSyntax
  let context: OriginContext
  let place: OriginPlace
  private let request: CurlRequest

  /// Reads the options of a command.
  init(curl: CurlSyntax, context: OriginContext, place: OriginPlace) {
    self.curl = curl
    self.context = context
    self.place = place
    request = CurlRequest(reading: curl)
  }

  private func tell(_ message: String) {
    context.notes.tell(.curlOption, message, at: place)
  }

  // MARK: - Notes

  /// Tells what has no counterpart. Values are left out, as they may be secrets.
  func tellOptions() {
    for word in curl.unknown {
      let name = word.text.prefix { $0 != "=" && $0 != " " }
      tell("`\(name.prefix(40))` is no option of curl and is left out.")
    }
    let without: Set<String> = ["pass", "output", "anyauth", "negotiate", "request-target"]
    for use in curl.uses where use.option.name != "next" {
      let hasEffect = use.option.effect != .none && !without.contains(use.option.name)
      guard !hasEffect, use.option.name != "aws-sigv4" else { continue }
      let name = (use.isNegated ? "no-" : "") + use.option.name
      tell("`--\(name)` has no counterpart and is left out.")
    }
    if curl.rest != nil {
      tell("What the shell does with the answer, such as a pipe, is left out.")
    }
    for name in request.removed.sorted() where name == "user-agent" || name == "accept" {
      tell("The request is sent with the header `\(name)`, which curl leaves out here.")
    }
    if !curl.has("globoff"), curl.urls.contains(where: { Self.isGlob($0.text) }) {
      tell("The URL stands for several, which curl would ask for one by one.")
    }
    if let cookies = curl.value("cookie"), !cookies.text.contains("=") {
      context.notes.tell(
        .cookieOmitted, "The cookies of the file `\(cookies.text)` are left out.", at: place)
    }
    if let user = curl.value("user"), !user.text.contains(":") {
      context.notes.tell(
        .authPartial, "curl asks for the password of this user; write it into the request.",
        at: place)
    }
  }

  /// Whether a URL has `{a,b}` or `[1-9]`; brackets of an IPv6 address are none.
  private static func isGlob(_ url: String) -> Bool {
    let open = url.indices.first { url[$0] == "{" && !url[..<$0].hasSuffix("$") }
    if let open, url[open...].contains("}") { return true }
    guard let open = url.firstIndex(of: "[") else { return false }
    let inside = url[url.index(after: open)...].prefix { $0 != "]" }
    return inside.contains("-") && !inside.contains(":")
  }

  // MARK: - Requests

  /// The request that the command sends to a URL.
  func sentRequest(url: String) -> CapturedRequest {
    var address = url.contains("://") ? url : "http://" + url
    let query = bytes(of: request.query)
    if !query.isEmpty {
      address = CurlValue.adding(String(decoding: query, as: UTF8.self), to: address)
    }
    var sent = CapturedRequest(method: request.method, url: address)
    sent.headers = headers
    sent.body = body(type: sent.headers.first { Self.isContentType($0) }?.value)
    return sent
  }

  private static func isContentType(_ field: HeaderField) -> Bool {
    field.name.equalsIgnoringASCIICase("Content-Type")
  }

  private var headers: [HeaderField] {
    var fields = request.headers.fields
    // What says how to sign in is no field of its own.
    let signsIn =
      scheme != nil || curl.value("aws-sigv4") != nil || curl.has("negotiate")
    for field in request.implied.fields where !request.decides(field.name) {
      if signsIn, field.name.equalsIgnoringASCIICase("Authorization") { continue }
      fields.append(field)
    }
    var added: [HeaderField] = []
    if request.isJSON {
      added = ["Content-Type", "Accept"].map { HeaderField($0, "application/json") }
    } else if !request.data.isEmpty, curl.value("upload-file") == nil {
      added = [HeaderField("Content-Type", "application/x-www-form-urlencoded")]
    }
    return fields + added.filter { !request.decides($0.name) }
  }

  /// Digest or NTLM, where the command asks for one.
  private var scheme: String? {
    let names: Set<String> = ["digest", "ntlm"]
    return curl.uses.last { names.contains($0.option.name) && !$0.isNegated }?.option.name
  }

  /// What the request is signed with (`--aws-sigv4 aws:amz:REGION:SERVICE`).
  private var signature: OriginAWS? {
    guard let words = curl.value("aws-sigv4")?.text, let user = curl.value("user")?.text else {
      return nil
    }
    let parts = words.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let halves = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var aws = OriginAWS(
      accessKey: String(halves[0]), secretKey: halves.count > 1 ? String(halves[1]) : "")
    if parts.count > 2 { aws.region = parts[2] }
    if parts.count > 3 { aws.service = parts[3] }
    return aws
  }

  /// Adds what is no part of the request that is sent.
  func complete(_ result: inout OriginRequest) {
    if let signature { result.auth = .aws(signature) }
    if let scheme, let user = curl.value("user")?.text {
      let halves = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let password = halves.count > 1 ? String(halves[1]) : ""
      result.auth =
        scheme == "digest"
        ? .digest(user: String(halves[0]), password: password)
        : .ntlm(user: String(halves[0]), password: password, domain: nil)
    }
    result.metadata = metadata
    let type = headers.first(where: Self.isContentType)?.value
    if case .text(let body) = result.body,
      CurlConversion.needsPlainEncoding(body.text, type: type)
    {
      result.metadata.append("no-auto-encoding")
    }
  }

  /// Options that the language has tags for.
  private var metadata: [String] {
    var tags: [String] = []
    if curl.has("insecure") { tags.append("insecure") }
    let asTheyAre: Set<String> = [
      "http1.0", "http1.1", "http2", "http2-prior-knowledge", "http3", "http3-only", "path-as-is",
      "cert", "key", "cacert", "cert-type", "key-type", "max-redirs",
    ]
    for use in curl.uses where !use.isNegated {
      let name = use.option.name
      let value = use.value?.text ?? ""
      switch name {
      case "max-time": tags.append("timeout \(value) s")
      case "connect-timeout": tags.append("connection-timeout \(value) s")
      case "noproxy": tags.append(value == "*" ? "no-proxy" : "curl-noproxy \(value)")
      case "proxy", "socks4", "socks4a", "socks5", "socks5-hostname":
        proxy(name, value).map { tags.append($0) }
      case _ where asTheyAre.contains(name):
        // The password of a certificate stands behind its path.
        let path = name == "cert" ? String(value.prefix { $0 != ":" }) : value
        if path != value { tell("The password of the certificate is left out.") }
        tags.append(path.isEmpty ? "curl-\(name)" : "curl-\(name) \(path)")
      default: break
      }
    }
    let location = curl.uses.last { $0.option.name.hasPrefix("location") }
    if location?.isNegated == true { tags.append("no-redirect") }
    return tags.filter { !$0.contains(where: \.isNewline) }
  }

  private func proxy(_ name: String, _ value: String) -> String? {
    guard !value.contains("@") else {
      tell("The proxy is left out, as its URL has credentials.")
      return nil
    }
    if value.isEmpty { return "no-proxy" }
    let scheme = name == "socks5-hostname" ? "socks5h" : name
    return name == "proxy" ? "proxy \(value)" : "proxy \(scheme)://\(value)"
  }

  // MARK: - Bodies

  private func body(type: String?) -> OriginBody {
    guard request.parts.isEmpty else { return .multipart(request.parts.map(part)) }
    if case .file(let path, _, .exact)? = request.data.first, request.data.count == 1 {
      return .file(path)
    }
    let bytes = bytes(of: request.data)
    guard !bytes.isEmpty else { return .none }
    if let text = String(validating: bytes, as: UTF8.self) {
      return .text(OriginText(literal: text))
    }
    return .bytes(bytes, ending: CapturedRequest.ending(of: type))
  }

  /// The bytes of pieces, those of files among them.
  private func bytes(of pieces: [CurlRequest.Data]) -> [UInt8] {
    var result: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): result += bytes
      case .file(let path, _, let treatment):
        guard let bytes = content(of: path) else { continue }
        switch treatment {
        case .exact: result += bytes
        case .withoutLineBreaks: result += bytes.filter { $0 != 10 && $0 != 13 && $0 != 0 }
        case .percentEncoded:
          let text = PercentEncoding.encode(String(keeping: bytes), allowing: .unreserved)
          result += Array(text.replacing("%20", with: "+").utf8)
        }
      }
    }
    return result
  }

  /// The content of a file that becomes a part of a text.
  private func content(of path: String) -> [UInt8]? {
    switch context.file(path) {
    case .bytes(let bytes): return bytes
    case .missing:
      context.notes.tell(
        .fileMissing, "The file `\(path)` is not there, so the body lacks its content.", at: place)
    case .outside:
      context.notes.tell(
        .fileOutside,
        "The file `\(path)` lies outside of the source's folder, so the body lacks its content.",
        at: place)
    case .unreadable(let why): context.notes.tell(.fileMissing, why, at: place)
    }
    return nil
  }

  private func part(_ part: CurlRequest.Part) -> OriginPart {
    var content: OriginPart.Content
    switch part.content {
    case .bytes(let bytes):
      content = String(validating: bytes, as: UTF8.self)
        .map { .text(OriginText(literal: $0)) } ?? .bytes(bytes)
    case .file(let path, _, _) where part.fileName == nil:
      // `<` takes the content as a text, without a name.
      let bytes = self.content(of: path) ?? []
      content = String(validating: bytes, as: UTF8.self)
        .map { .text(OriginText(literal: $0)) } ?? .bytes(bytes)
    case .file(let path, _, _): content = .file(path)
    }
    let headers = part.headers.compactMap { line -> OriginPair? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = String(line[line.index(after: colon)...]).trimmingASCIIBlanks()
      return OriginPair(
        name: OriginText(literal: String(line[..<colon])), value: OriginText(literal: value))
    }
    return OriginPart(
      name: OriginText(literal: part.name), content: content, fileName: part.fileName,
      contentType: part.contentType, headers: headers)
  }
}
