// From a curl command to a request that is ready to be sent (PK-30).

import PostKitHTTP
import PostKitSyntax

extension BlockLowering {
  /// Lowers a curl block.
  mutating func curlRequest(_ curl: CurlSyntax) -> RequestSpec? {
    reportCurlWords(curl)
    var reader = CurlReader(curl: curl, evaluator: evaluator)
    var request = reader.read()
    let urlText = request.url.map { reader.text($0, .target) }
    evaluator = reader.evaluator ?? evaluator
    readCurlSettings(curl)
    var headers = curlHeaders(&request, curl)
    let body = request.parts.isEmpty
      ? chunks(request.data) : formParts(request.parts, &headers, isCustom: request.headers)
    // Files give their headers to requests in their own words alone.
    addEnvironmentHeaders(&headers, at: block.requestLine) { header in
      header.origin.layer == .collection && !request.decides(header.name)
        && !(header.name.equalsIgnoringASCIICase("Authorization") && curl.has("user"))
    }
    guard let target = curlTarget(curl, request, urlText) else { return nil }
    addCredentials(of: target, to: &headers)
    addCertificate(for: target.url)
    useCurlCredentials(curl, &headers)
    if !request.decides("Host"), let host = target.host { headers.append("Host", host) }
    let absent = request.removed
    if !absent.contains("user-agent") { headers.addDefault("User-Agent", defaults.userAgent) }
    if !absent.contains("accept") { headers.addDefault("Accept", "*/*") }
    checkHead(target.url, headers, at: block.requestLine)
    let requestTarget = curl.value("request-target").map { word in
      evaluator.expand(
        text: word.keptText, reportedAt: word.reportedRange, place: .target,
        offset: word.range.lowerBound)
    }
    return RequestSpec(
      method: request.method, url: target.url, requestTarget: requestTarget ?? target.requestTarget,
      headers: headers, body: body, options: settings.options)
  }

  /// Options that nothing is done about, and mistakes of the command itself.
  mutating func reportCurlWords(_ curl: CurlSyntax) {
    for word in curl.unknown { report(.curlOption(word.text, .unknown), word.range, .warning) }
    for use in curl.uses {
      let name = "--" + (use.isNegated ? "no-" : "") + use.option.name
      if use.option.takesValue, use.value == nil {
        report(.curlOption(name, .valueMissing), use.range)
      } else if use.option.effect == .none {
        report(.curlOption(name, .ignored), use.range, .warning)
      }
    }
    for word in curl.urls.dropFirst() {
      report(.curlOption(word.text, .secondURL), word.range, .warning)
    }
    if let rest = curl.rest {
      let text = String(decoding: block.bytes[rest], as: UTF8.self)
      report(.curlOption(text, .shell), rest, .warning)
    }
    if let quote = curl.unclosedQuote {
      report(.syntax("This quote is not closed."), quote)
    }
    if let user = curl.value("user"), user.references.isEmpty, !user.text.contains(":") {
      report(.syntax("The password is missing. Write `-u user:password`."), user.range)
    }
    if let cookies = curl.value("cookie"), cookies.references.isEmpty, !cookies.text.contains("=") {
      report(.curlOption("--cookie \(cookies.text)", .ignored), cookies.range, .warning)
    }
    if let use = curl.uses.last(where: { $0.option.name == "anyauth" }) {
      report(.unsupported("This version does not support `--anyauth`."), use.range)
    }
    if let output = curl.value("output") {
      addSave(to: curlText(output).shown, overwrites: true, output.reportedRange)
    }
  }

  /// `--digest`, `--ntlm` and `--negotiate` say what becomes of `--user`.
  mutating func useCurlCredentials(_ curl: CurlSyntax, _ headers: inout HeaderFields) {
    let names = ["digest", "ntlm", "negotiate"]
    let chosen = curl.uses.last { names.contains($0.option.name) && !$0.isNegated }
    guard let scheme = chosen?.option.name, let word = curl.value("user") else { return }
    let halves = curlText(word).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (user, password) = (String(halves[0]), halves.count > 1 ? String(halves[1]) : "")
    evaluator.note(secret: password)
    headers.removeAll("Authorization")
    settings.options.authentication =
      switch scheme {
      case "digest": .digest(user: user, password: password)
      case "ntlm": .ntlm(user: user, password: password)
      default: .negotiate(user: user, password: password)
      }
  }

  private mutating func curlTarget(
    _ curl: CurlSyntax, _ request: CurlRequest, _ urlText: String?
  ) -> Target? {
    let command = block.requestLine
    guard let urlText, let word = request.url else {
      report(.syntax("The URL is missing. Write one after `curl`."), command)
      return nil
    }
    guard !evaluator.problems.contains(where: { $0.severity == .error }) else { return nil }
    let query = String(keeping: chunks(request.query).flatMap(\.knownBytes))
    do throws(Target.Problem) {
      let target = try Target.read(
        request.query.isEmpty ? urlText : CurlValue.adding(query, to: urlText), host: nil,
        encodes: settings.encodesAutomatically,
        keepsDotSegments: curl.has("path-as-is"))
      evaluator.noteHost(of: target.url, written: urlText)
      return target
    } catch {
      report(error, of: urlText, at: word.range)
      return nil
    }
  }

  // MARK: - Headers

  /// Adds a header that an option of curl gives.
  mutating func addCurlField(
    _ field: HeaderField, of curl: CurlSyntax, to headers: inout HeaderFields
  ) {
    let isToken = HeaderName.isToken(field.name)
    if isToken, !field.value.breaksLine {
      return add(field.name, field.value, at: block.requestLine, to: &headers)
    }
    let range = place(of: field, in: curl)
    report(isToken ? .headerInjection(name: field.name) : .malformedHeader, range)
  }

  /// Where an option that gives a header stands; its value is looked at once more, for nothing.
  private func place(of field: HeaderField, in curl: CurlSyntax) -> Range<Int> {
    var reader = BlockLowering(block: block, in: self)
    let use = curl.uses.first { use in
      use.value.map { reader.curlText($0) }.map { text in
        text.contains(field.name) || text.contains(field.value) && !field.value.isEmpty
      } ?? false
    }
    return use?.range ?? block.requestLine
  }

  private mutating func curlHeaders(
    _ request: inout CurlRequest, _ curl: CurlSyntax
  ) -> HeaderFields {
    var headers = HeaderFields()
    for field in request.headers.fields { addCurlField(field, of: curl, to: &headers) }
    for field in request.implied.fields where !request.decides(field.name) {
      addCurlField(field, of: curl, to: &headers)
    }
    if request.isJSON {
      for name in ["Content-Type", "Accept"] where !request.decides(name) {
        headers.append(name, "application/json")
      }
    } else if !request.data.isEmpty, !request.decides("Content-Type"), !block.curlUploadsFile {
      headers.append("Content-Type", "application/x-www-form-urlencoded")
    }
    return headers
  }

  // MARK: - Bodies

  private mutating func chunks(_ data: [CurlRequest.Data]) -> [BodyChunk] {
    var chunks = BodyChunks()
    for piece in data { append(piece, to: &chunks) }
    return chunks.chunks
  }

  private mutating func append(_ piece: CurlRequest.Data, to chunks: inout BodyChunks) {
    switch piece {
    case .bytes(let bytes): chunks.bytes += bytes
    case .file(let written, let range, let treatment):
      guard let path = existingFile(written, at: range) else { return }
      if treatment == .exact { return append(file: path, at: range, to: &chunks) }
      let content = fileBytes(path, range)
      chunks.bytes +=
        treatment == .percentEncoded
        ? CurlEncoding.encode(content) : content.filter { $0 != 10 && $0 != 13 && $0 != 0 }
    }
  }

  /// The bytes of `multipart/form-data` as curl sets them.
  private mutating func formParts(
    _ parts: [CurlRequest.Part], _ headers: inout HeaderFields, isCustom: HeaderFields
  ) -> [BodyChunk] {
    let digits = String(evaluator.context.random(), radix: 16)
    let boundary = String(repeating: "-", count: 24)
      + String(repeating: "0", count: 16 - digits.count) + digits
    let type = isCustom.first("Content-Type") ?? "multipart/form-data"
    headers.removeAll("Content-Type")
    headers.append("Content-Type", "\(type); boundary=\(boundary)")
    var chunks = BodyChunks()
    for part in parts {
      var lines = ["--\(boundary)"]
      let name = CurlEncoding.dispositionName(part.name)
      let file = part.fileName.map { "; filename=\"\(CurlEncoding.dispositionName($0))\"" } ?? ""
      lines.append("Content-Disposition: form-data; name=\"\(name)\"\(file)")
      if let type = part.contentType { lines.append("Content-Type: \(type)") }
      lines += part.headers
      chunks.bytes.append(restoring: lines.joined(separator: "\r\n") + "\r\n\r\n")
      append(part.content, to: &chunks)
      chunks.bytes += [13, 10]
    }
    chunks.bytes.append(restoring: "--\(boundary)--\r\n")
    return chunks.chunks
  }

  // MARK: - Options

  /// What the options say of how the request is carried out.
  mutating func readCurlSettings(_ curl: CurlSyntax) {
    for use in curl.uses {
      switch use.option.name {
      case "location", "location-trusted": settings.options.followsRedirects = !use.isNegated
      case "post301", "post302": settings.options.keepsMethod = !use.isNegated
      case "insecure":
        settings.options.verifiesTLS = use.isNegated
        settings.verificationSource = .request
      case "http1.0": settings.options.httpVersion = .http10
      case "http1.1": settings.options.httpVersion = .http11
      case "http2": settings.options.httpVersion = use.isNegated ? .http11 : .http2
      case "http2-prior-knowledge": settings.options.httpVersion = .http2PriorKnowledge
      case "http3", "http3-only": settings.options.httpVersion = .http3
      default:
        if let word = use.value { readCurlSetting(use.option.name, word) }
      }
    }
  }

  private mutating func readCurlSetting(_ name: String, _ word: ShellWord) {
    switch name {
    case "max-time":
      if let time = curlSeconds(word) { settings.options.totalTimeoutMilliseconds = time }
    case "connect-timeout":
      if let time = curlSeconds(word) { settings.options.connectTimeoutMilliseconds = time }
    case "max-redirs":
      if let limit = Int(curlText(word)), limit >= 0 { settings.options.redirectLimit = limit }
    case "proxy": useProxy(curlText(word), word)
    case "noproxy": settings.options.proxyExceptions = curlText(word)
    case "socks4", "socks4a", "socks5": useProxy("\(name)://\(curlText(word))", word)
    case "socks5-hostname": useProxy("socks5h://\(curlText(word))", word)
    case "cacert":
      settings.options.certificateAuthorityFile = curlPath(word)
      settings.authoritySource = .request
    case "key": settings.options.clientKeyFile = curlPath(word)
    case "pass":
      let passphrase = curlText(word)
      evaluator.note(secret: passphrase)
      settings.options.clientKeyPassphrase = passphrase
    case "cert":
      let (path, passphrase) = CurlValue.certificate(curlText(word))
      settings.options.clientCertificateFile = existingFile(path, at: word.range)
      if let passphrase {
        evaluator.note(secret: passphrase)
        settings.options.clientKeyPassphrase = passphrase
      }
    default: break
    }
  }

  private mutating func useProxy(_ text: String, _ word: ShellWord) {
    settings.proxySource = .request
    settings.options.proxy = text.isEmpty
      ? "" : RequestSettings.proxy(text, at: word.reportedRange, &evaluator)
  }

  private mutating func curlText(_ word: ShellWord) -> String {
    evaluator.expand(
      text: word.keptText, reportedAt: word.reportedRange, place: .metadata,
      offset: word.range.lowerBound)
  }

  private mutating func curlPath(_ word: ShellWord) -> String? {
    existingFile(curlText(word), at: word.reportedRange)
  }

  private mutating func curlSeconds(_ word: ShellWord) -> Int? {
    let text = curlText(word)
    guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else {
      report(.badDuration(text), word.reportedRange)
      return nil
    }
    return Int(seconds * 1_000)
  }
}

/// Values that curl reads in its own way.
package enum CurlValue {
  /// A file, and behind a colon its passphrase; `\:` is a colon of the path.
  static func certificate(_ text: String) -> (path: String, passphrase: String?) {
    var path = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == ":" { return (path, String(rest)) }
      let isEscape = character == "\\" && (rest.first == ":" || rest.first == "\\")
      path.append(isEscape ? rest.removeFirst() : character)
    }
    return (path, nil)
  }

  /// The URL with more in its query.
  package static func adding(_ query: String, to url: String) -> String {
    let parts = URLText(url)
    let base = parts.withoutFragment
    let mark = parts[parts.query].map { $0.isEmpty || $0.hasSuffix("&") ? "" : "&" } ?? "?"
    return base + mark + query + url[base.endIndex...]
  }
}

extension ParsedBlock {
  /// Whether the command uploads a file, which curl gives no type.
  fileprivate var curlUploadsFile: Bool { curl?.value("upload-file") != nil }
}

extension BodyChunk {
  /// The bytes that are at hand.
  fileprivate var knownBytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}
