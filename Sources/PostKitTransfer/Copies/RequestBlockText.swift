// A request as a block of our own, with every variable resolved.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// Writes requests as blocks of request files.
enum RequestBlockText {
  /// A block that sends the request. Of the ways to write a body the first is taken that is read
  /// back as the same bytes.
  static func text(for spec: RequestSpec) -> String {
    var tags = self.tags(spec.options)
    var bodies: [(tags: [String], body: String)] = [([], "")]
    if let body = body(spec.body) {
      bodies = [([], body), (["# @no-auto-encoding"], body)]
      if let definition = definition(body) {
        bodies.append((["# @no-auto-encoding", definition], "{{copiedBody}}"))
      }
    }
    for candidate in bodies {
      let text = block(spec, tags + candidate.tags, candidate.body)
      // What is masked is looked at and never sent.
      if text.contains(SecretMask.text) || isSame(text, spec) { return text }
    }
    var remarks = CopyRemarks("The request")
    remarks.add("A part of the request is missing: request files can't express it.")
    if spec.requestTarget != nil { remarks.add("Its target is `\(spec.requestTarget ?? "")`.") }
    tags += remarks.lines("#")
    return block(spec, tags, bodies[0].body)
  }

  private static func block(_ spec: RequestSpec, _ tags: [String], _ body: String) -> String {
    var lines = ["###"] + tags
    let version = spec.options.httpVersion.rawValue
    lines.append("\(spec.method) \(spec.url)" + (version.isEmpty ? "" : " HTTP/\(version)"))
    for field in spec.headers.fields {
      lines.append(field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value.shown)")
    }
    if case .signature(let key)? = spec.options.authentication {
      let words = "AWS \(key.accessKey) \(key.secret) region:\(key.region) service:\(key.service)"
      lines.append("Authorization: \(words)")
    }
    if !body.isEmpty { lines += ["", body] }
    return lines.joined(separator: "\n")
  }

  // MARK: - Above the request line

  private static func tags(_ options: TransferOptions) -> [String] {
    let usual = TransferOptions()
    var tags: [String] = []
    if !options.followsRedirects { tags.append("no-redirect") }
    if !options.usesCookieJar { tags.append("no-cookie-jar") }
    if !options.verifiesTLS { tags.append("insecure") }
    if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      tags.append("connection-timeout \(options.connectTimeoutMilliseconds) ms")
    }
    if let total = options.totalTimeoutMilliseconds {
      tags.append("curl-max-time \(total.inSeconds)")
    }
    if options.keepsStream { tags.append("keepStreaming") }
    switch options.proxy {
    case nil: break
    case "": tags.append("no-proxy")
    case let proxy?: tags.append("proxy \(proxy)")
    }
    if options.keepsMethod { tags += ["curl-post301", "curl-post302"] }
    if options.redirectLimit != usual.redirectLimit {
      tags.append("curl-max-redirs \(options.redirectLimit)")
    }
    let files = [
      ("cacert", options.certificateAuthorityFile), ("cert", options.clientCertificateFile),
      ("key", options.clientKeyFile), ("pass", options.clientKeyPassphrase),
      // That there are none follows from the proxy.
      ("noproxy", options.proxyExceptions == "" ? nil : options.proxyExceptions),
    ]
    tags += files.compactMap { name, value in value.map { "curl-\(name) \($0)" } }
    return (tags + credentials(options.authentication)).map { tag in
      // A value of several lines is none of a tag; what is behind it would be read as a request.
      "# @" + tag.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  private static func credentials(_ authentication: Authentication?) -> [String] {
    switch authentication {
    case .digest(let user, let password): ["curl-digest", "curl-user \(user):\(password)"]
    case .ntlm(let user, let password): ["curl-ntlm", "curl-user \(user):\(password)"]
    case .negotiate(let user, let password): ["curl-negotiate", "curl-user \(user):\(password)"]
    case .signature, nil: []
    }
  }

  // MARK: - Bodies

  private static func body(_ chunks: [BodyChunk]) -> String? {
    let lines = chunks.filter { $0 != .bytes([]) }.map { chunk in
      switch chunk {
      case .file(let path): "< \(path)"
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      }
    }
    // A line that names a file is a line of its own; the line feeds around it are of the text.
    return lines.isEmpty ? nil : lines.joined()
  }

  /// The body as the value of a variable, which can hold what would mean something in a body;
  /// `nil` where none can.
  private static func definition(_ text: String) -> String? {
    guard text.first != " ", text.last != " ", !text.utf8.contains(0) else { return nil }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\r", with: "\\r")
      .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    return "@copiedBody = \(escaped)"
  }

  // MARK: - Proof

  /// Whether the block means this request and nothing else.
  private static func isSame(_ text: String, _ spec: RequestSpec) -> Bool {
    let document = ParsedDocument(bytes: text.keptBytes)
    guard document.requests.count == 1, let block = document.requests.first else { return false }
    let scope = Scope(
      document: document, environments: EnvironmentSet(sources: [], active: nil),
      dialect: Dialect())
    let context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 7 }, processEnvironment: { _ in nil },
      readFile: { _ in .bytes([]) }, resolvePath: { $0 }, exampleServer: { nil },
      exchange: { _ in nil })
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope),
      defaults: RequestDefaults(userAgent: ""))
    guard lowered.problems.isEmpty, let copy = lowered.spec else { return false }
    return copy.method == spec.method && copy.url == spec.url
      && copy.requestTarget == spec.requestTarget && copy.headers == spec.headers
      && copy.body.filter { $0 != .bytes([]) } == spec.body.filter { $0 != .bytes([]) }
      && copy.options == expected(spec.options)
  }

  /// The options without those that are no part of a request but of the dialect of its file.
  private static func expected(_ options: TransferOptions) -> TransferOptions {
    var options = options
    options.inactivityTimeoutMilliseconds = TransferOptions().inactivityTimeoutMilliseconds
    options.cookieHeaderFeedsJar = false
    return options
  }
}
