// From a curl command to the lines of a request: nothing is resolved, nothing is read (PK-30).

import PostKitHTTP
package import PostKitSyntax

/// Writes curl commands as requests.
package enum CurlConversion {
  /// The request that the first curl command of a text makes; `nil` where there is none. What has
  /// no counterpart is named in comments.
  package static func request(for command: String) -> String? {
    let document = ParsedDocument(bytes: Array(command.utf8))
    return document.requests.lazy.compactMap(request(of:)).first
  }

  /// The request that a curl block makes: the text to stand in the place of the command.
  package static func request(of block: ParsedBlock) -> String? {
    guard let curl = block.curl, curl.unclosedQuote == nil, let url = curl.urls.first else {
      return nil
    }
    var reader = CurlReader(curl: curl, evaluator: nil)
    var writer = CurlRequestWriter(curl: curl, block: block, request: reader.read())
    return writer.write(url: url.text)
  }

  /// Whether a body that is written as it is needs `# @no-auto-encoding` to be sent as it is.
  /// `type` is the value of `Content-Type`.
  package static func needsPlainEncoding(_ body: String, type: String?) -> Bool {
    let bytes = Array(body.utf8)
    func sends(_ tag: String?) -> Bool {
      CurlRequestWriter.sends(bytes, writtenAs: body, type: type.map { " " + $0 }, tag: tag)
    }
    return !sends(nil) && sends("# @no-auto-encoding")
  }

  /// Whether a body that is written as it is arrives byte for byte; `tag` is a line above it.
  package static func isSentAsWritten(_ body: String, type: String?, tag: String? = nil) -> Bool {
    CurlRequestWriter.sends(
      Array(body.utf8), writtenAs: body, type: type.map { " " + $0 }, tag: tag)
  }
}

/// The writing of one request.
private struct CurlRequestWriter {
  let curl: CurlSyntax
  let block: ParsedBlock
  let request: CurlRequest
  /// The lines above the request line: comments, definitions, metadata.
  var prologue: [String] = []
  var headers: [String] = []
  var body: [String] = []
  var definitions = 0

  mutating func write(url: String) -> String {
    writeRemarks()
    writeMetadata()
    writeHeaders()
    writeBody()
    var lines = prologue
    lines.append(request.method + " " + target(url) + version)
    lines += headers
    if !body.isEmpty { lines += [""] + body }
    return lines.joined(separator: "\n")
  }

  private func target(_ url: String) -> String {
    let query = request.query.map { piece in
      switch piece {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file: ""
      }
    }.joined()
    return query.isEmpty ? url : CurlValue.adding(query, to: url)
  }

  private var version: String {
    let versions = [
      "http1.0": "1.0", "http1.1": "1.1", "http2": "2", "http3": "3", "http3-only": "3",
      "http2-prior-knowledge": "2 (Prior Knowledge)",
    ]
    let used = curl.uses.last { !$0.isNegated && versions[$0.option.name] != nil }
    return used.flatMap { versions[$0.option.name] }.map { " HTTP/\($0)" } ?? ""
  }

  // MARK: - Above the request line

  private mutating func remark(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    prologue.append("# Not converted: \(line)")
  }

  private func source(_ range: Range<Int>) -> String {
    String(decoding: block.bytes[range], as: UTF8.self)
  }

  private mutating func writeRemarks() {
    for word in curl.unknown { remark(source(word.range)) }
    let hereOnly: Set<String> = [
      "cert", "key", "pass", "cacert", "noproxy", "max-redirs", "request-target", "path-as-is",
      "digest", "ntlm", "negotiate", "anyauth",
    ]
    for use in curl.uses where use.option.effect == .none || hereOnly.contains(use.option.name) {
      if use.option.name == "noproxy", use.value?.text == "*" { continue }
      remark(source(use.range))
    }
    for url in curl.urls.dropFirst() { remark(source(url.range)) }
    if let rest = curl.rest { remark(source(rest)) }
    for name in request.removed.sorted() where name == "user-agent" || name == "accept" {
      remark("the request without the header `\(name)`")
    }
    for piece in request.data + request.query {
      if case .file(let path, _, let treatment) = piece, treatment != .exact {
        remark("`\(path)` is sent as it is, where curl would change it")
      }
    }
  }

  private mutating func writeMetadata() {
    if curl.has("insecure") { prologue.append("# @insecure") }
    for use in curl.uses {
      guard let value = use.value?.text else { continue }
      switch use.option.name {
      case "max-time": prologue.append("# @timeout \(value) s")
      case "connect-timeout": prologue.append("# @connection-timeout \(value) s")
      case "proxy": prologue.append(value.isEmpty ? "# @no-proxy" : "# @proxy \(value)")
      case "noproxy" where value == "*": prologue.append("# @no-proxy")
      case "socks4", "socks4a", "socks5": prologue.append("# @proxy \(use.option.name)://\(value)")
      case "socks5-hostname": prologue.append("# @proxy socks5h://\(value)")
      default: break
      }
    }
    let location = curl.uses.last { $0.option.name.hasPrefix("location") }
    if location?.isNegated == true { prologue.append("# @no-redirect") }
  }

  // MARK: - Headers

  private mutating func writeHeaders() {
    let fields = request.headers.fields
      + request.implied.fields.filter { !request.decides($0.name) }
    for field in fields where !isReplaced(field.name) {
      headers.append(field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)")
    }
    if request.isJSON {
      for name in ["Content-Type", "Accept"] where !request.decides(name) {
        headers.append("\(name): application/json")
      }
    } else if !request.data.isEmpty, !request.decides("Content-Type"),
      curl.value("upload-file") == nil
    {
      headers.append("Content-Type: application/x-www-form-urlencoded")
    }
  }

  private func isReplaced(_ name: String) -> Bool {
    !request.parts.isEmpty && name.equalsIgnoringASCIICase("Content-Type")
  }

  // MARK: - Bodies

  private mutating func writeBody() {
    if request.parts.isEmpty {
      writeData()
    } else {
      writeForm()
    }
    if let output = curl.value("output") { body.append(">>! \(output.text)") }
  }

  private mutating func writeData() {
    let type = headers.first { $0.lowercased().hasPrefix("content-type:") }
      .map { String($0.dropFirst("content-type:".count)) }
    if case .file(let path, _, _)? = request.data.first, request.data.count == 1 {
      body = ["< \(path)"]
      return
    }
    let files = request.data.contains { if case .file = $0 { true } else { false } }
    guard !files else {
      return remark("a body of several pieces of which one is a file")
    }
    let bytes = request.data.flatMap { piece -> [UInt8] in
      if case .bytes(let bytes) = piece { bytes } else { [] }
    }
    guard !bytes.isEmpty else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    for candidate in [nil, "# @no-auto-encoding"] {
      if CurlRequestWriter.sends(bytes, writtenAs: text, type: type, tag: candidate) {
        if let candidate { prologue.append(candidate) }
        body = [text]
        return
      }
    }
    guard let name = define(text) else { return remark("a body that no request file can hold") }
    let lines = ["# @no-auto-encoding", definition(name, text)]
    let tag = lines.joined(separator: "\n")
    guard CurlRequestWriter.sends(bytes, writtenAs: "{{\(name)}}", type: type, tag: tag) else {
      return remark("a body that no request file can hold")
    }
    prologue += lines
    body = ["{{\(name)}}"]
  }

  /// A name for a value that can't stand in a body as it is; `nil` where no definition holds it.
  private mutating func define(_ text: String) -> String? {
    guard text.first != " ", text.last != " ", !text.utf8.contains(0) else { return nil }
    definitions += 1
    return definitions == 1 ? "curlBody" : "curlBody\(definitions)"
  }

  private func definition(_ name: String, _ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\r", with: "\\r")
      .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    return "@\(name) = \(escaped)"
  }

  private mutating func writeForm() {
    let boundary = "postkit-part"
    headers.append("Content-Type: multipart/form-data; boundary=\(boundary)")
    for part in request.parts {
      body.append("--\(boundary)")
      let file = part.fileName.map { "; filename=\"\(CurlEncoding.dispositionName($0))\"" } ?? ""
      let name = CurlEncoding.dispositionName(part.name)
      body.append("Content-Disposition: form-data; name=\"\(name)\"\(file)")
      if let type = part.contentType { body.append("Content-Type: \(type)") }
      body += part.headers + [""]
      switch part.content {
      case .file(let path, _, _): body.append("< \(path)")
      case .bytes(let bytes):
        let text = String(decoding: bytes, as: UTF8.self)
        if text.utf8.contains(10), let name = define(text) {
          prologue.append(definition(name, text))
          body.append("{{\(name)}}")
        } else {
          body.append(text)
        }
      }
    }
    body.append("--\(boundary)--")
  }

  /// Whether a body that is written so is sent as these bytes.
  fileprivate static func sends(
    _ bytes: [UInt8], writtenAs text: String, type: String?, tag: String?
  ) -> Bool {
    var lines = tag.map { [$0] } ?? []
    lines.append("POST http://localhost")
    if let type { lines.append("Content-Type:\(type)") }
    let source = (lines + ["", text]).joined(separator: "\n")
    let document = ParsedDocument(bytes: Array(source.utf8))
    guard document.blocks.count == 1, let block = document.requests.first else { return false }
    let evaluator = Evaluator(
      context: .blank,
      scope: Scope(
        document: document, environments: EnvironmentSet(sources: [], active: nil),
        dialect: Dialect()))
    let spec = Lowering.lower(
      block, evaluator: evaluator, defaults: RequestDefaults(userAgent: "")
    ).spec
    return spec?.body == [.bytes(bytes)]
  }
}

extension EvaluationContext {
  /// A world without files, time and past.
  fileprivate static var blank: EvaluationContext {
    EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 0 }, processEnvironment: { _ in nil },
      readFile: { _ in .missing }, resolvePath: { _ in nil }, exampleServer: { nil },
      exchange: { _ in nil })
  }
}
