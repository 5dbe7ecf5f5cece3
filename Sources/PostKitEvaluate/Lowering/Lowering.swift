// From a block and its scope to a request that is ready to be sent, or to problems.

package import PostKitHTTP
package import PostKitJSON
package import PostKitSyntax

/// What a block becomes.
package struct LoweredRequest: Sendable {
  /// The request; `nil` where an error keeps it from being sent.
  package var spec: RequestSpec?
  package var settings: RequestSettings
  /// What is wrong with it; secrets are masked.
  package var problems: [EvaluationProblem]
  /// The values of the secrets that were used.
  package var secrets: Set<String>
  /// Every name that was looked up on the way.
  package var names: Set<String>
  /// What has to be got before it can be sent.
  package var needs: [Need]
  /// The values that must stay the same for the rest of the run.
  package var stable: StableValues
  /// What the variable `oauth2Session` holds from now on; `nil` where nothing new.
  package var session: JSONValue?

  /// The first error, if there is one.
  package var failure: EvaluationProblem? { problems.first { $0.severity == .error } }
}

extension LoweredRequest {
  /// Makes a request that no block describes.
  package init(_ spec: RequestSpec) {
    self.init(
      spec: spec, settings: RequestSettings(options: spec.options), problems: [], secrets: [],
      names: [], needs: [], stable: StableValues())
  }
}

/// What is added to requests that say nothing else.
package struct RequestDefaults: Sendable {
  /// The value of `User-Agent` (PK-88).
  package var userAgent: String
  package var options: TransferOptions
  /// The client certificates of the settings.
  package var certificates: [ClientCertificate]

  /// Makes defaults.
  package init(
    userAgent: String, options: TransferOptions = TransferOptions(),
    certificates: [ClientCertificate] = []
  ) {
    self.userAgent = userAgent
    self.options = options
    self.certificates = certificates
  }
}

/// Lowers blocks to requests.
package enum Lowering {
  /// Lowers one block; it must have a request.
  package static func lower(
    _ block: ParsedBlock, evaluator: consuming Evaluator, defaults: RequestDefaults
  ) -> LoweredRequest {
    var lowering = BlockLowering(block: block, evaluator: evaluator, defaults: defaults)
    let spec = lowering.run()
    return lowering.result(spec)
  }
}

/// The work on one block.
struct BlockLowering {
  var block: ParsedBlock
  var evaluator: Evaluator
  let defaults: RequestDefaults
  var settings: RequestSettings
  /// What an AWS signature is to be made with, and where that stands.
  var signature: (request: SignatureRequest, range: Range<Int>)?
  /// What is known of the token that it was sent with.
  var session: JSONValue?
  /// Whether its credentials are those of its collection, which those in its URL replace.
  var hasDefaultCredentials = false
  /// The fragments of the file that were read for this block, by their names.
  var fragmentTexts: [String: FragmentText] = [:]

  init(block: ParsedBlock, evaluator: consuming Evaluator, defaults: RequestDefaults) {
    self.block = block
    self.evaluator = evaluator
    self.defaults = defaults
    settings = RequestSettings(block, defaults: defaults.options, evaluator: &self.evaluator)
  }

  /// The same work on another block.
  init(block: ParsedBlock, in other: BlockLowering) {
    self.block = block
    evaluator = other.evaluator
    defaults = other.defaults
    settings = other.settings
  }

  var dialect: Dialect { evaluator.scope.dialect }

  /// What has become of the work.
  func result(_ spec: consuming RequestSpec?) -> LoweredRequest {
    var problems = evaluator.problems
    if !problems.isEmpty {
      let mask = SecretMask(secrets: Array(evaluator.secrets))
      problems = problems.map { $0.masked(by: mask) }
    }
    if problems.contains(where: { $0.severity == .error }) { spec = nil }
    return LoweredRequest(
      spec: spec, settings: settings, problems: problems,
      secrets: evaluator.secrets, names: evaluator.names, needs: evaluator.needs,
      stable: evaluator.stable, session: session)
  }

  /// Builds the request; `nil` where there is none or where it can't be built.
  mutating func run() -> RequestSpec? {
    guard let request = block.request else { return nil }
    reportSyntax()
    for save in block.saves { addSave(save) }
    evaluator.reportNames(of: block)
    let tags = curlTags
    if let tags {
      reportCurlWords(tags)
      readCurlSettings(tags)
    }
    if let curl = block.curl { return curlRequest(curl) }
    let macro = macro(request)
    var method = changedMethod(request) ?? macro?.method ?? method(request)
    var headers = HeaderFields()
    // Two or three are added to those that are written.
    headers.fields.reserveCapacity(request.headers.count + 3)
    if let macro { addHeaders(of: macro, request, to: &headers) }
    addHeaders(request, to: &headers)
    addSharedHeaders(to: &headers)
    addScriptHeaders(&headers, at: block.absolute(request.line))
    addEnvironmentHeaders(&headers, at: block.absolute(request.line))
    if let tags { addFields(of: tags, to: &headers) }
    let isGraphQL = isGraphQL(request, method: method, headers)
    guard var target = target(request, headers, macro) else {
      // An editor shows what is wrong with the body, too.
      _ = content(request, &headers, isGraphQL: isGraphQL)
      return nil
    }
    if let host = target.host,
      let index = headers.fields.firstIndex(where: {
        $0.name.equalsIgnoringASCIICase("Host")
      })
    {
      headers.fields[index].value = host
    }
    addCredentials(of: target, to: &headers)
    sign(&headers, url: target.url)
    addCertificate(for: target.url)
    if method == "GRAPHQL" || isGraphQL && request.method == nil { method = "POST" }
    var body: [BodyChunk] = []
    switch content(request, &headers, isGraphQL: isGraphQL) {
    case .graphQL(let payload) where method == "GET":
      target.url = CurlValue.adding(payload.urlQuery, to: target.url)
    case .graphQL(let payload):
      headers.addDefault("Content-Type", "application/json")
      body = [.bytes(payload.json)]
    case .plain(let chunks): body = chunks
    }
    if let macro, body.isEmpty, !macro.body.isEmpty { body = [.bytes(macro.body)] }
    headers.addDefault("User-Agent", defaults.userAgent)
    headers.addDefault("Accept", "*/*")
    if let text = macro?.version { version(text) }
    if let range = request.version { version(range) }
    checkHead("\(method) \(target.url)", headers, at: block.absolute(request.line))
    return RequestSpec(
      method: method, url: target.url, requestTarget: target.requestTarget, headers: headers,
      body: body, options: settings.options)
  }

  /// The file that a path means, to be sent as it lies there; `nil` where it can't be.
  mutating func existingFile(_ written: String, at range: Range<Int>) -> String? {
    guard let path = evaluator.context.resolvePath(written.shown) else {
      report(.fileNotFound(path: written.shown), range)
      return nil
    }
    return isUsable(path, at: range) ? path : nil
  }

  /// Whether a file's content can be sent; the obstacle is reported.
  mutating func isUsable(_ path: String, at range: Range<Int>) -> Bool {
    guard let obstacle = evaluator.context.fileObstacle(path) else { return true }
    report(.fileUnreadable(path: path, explanation: obstacle), range)
    return false
  }

  /// What is sent: bytes as written, or a query of GraphQL.
  private enum Content {
    case plain([BodyChunk])
    case graphQL(GraphQLPayload)
  }

  private mutating func content(
    _ request: RequestSyntax, _ headers: inout HeaderFields, isGraphQL: Bool
  ) -> Content {
    if let written = change?.body {
      let range = block.absolute(request.line)
      let text = expanded(String(keeping: written), at: range, .body)
      return .plain(text.isEmpty ? [] : [.bytes(text.keptBytes)])
    }
    if isGraphQL {
      headers.removeAll("X-Request-Type")
      if let body = request.body, let payload = graphQLPayload(body) { return .graphQL(payload) }
    }
    let isForced = isGraphQL || request.method.map { block.text($0) } == "GRAPHQL"
    if isForced, request.body != nil { headers.addDefault("Content-Type", "application/json") }
    return .plain(body(request, &headers))
  }

  /// User information of the URL becomes credentials, unless the author wrote others.
  mutating func addCredentials(of target: Target, to headers: inout HeaderFields) {
    guard let user = target.userInformation else { return }
    evaluator.note(
      secret: user.split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init) ?? "")
    if hasDefaultCredentials {
      headers.removeAll("Authorization")
      (settings.options.authentication, signature) = (nil, nil)
    }
    if !headers.contains("Authorization"), settings.options.authentication == nil {
      headers.append("Authorization", "Basic " + Base64.encode(user.keptBytes))
    }
  }

  /// Records a problem at a range of the file.
  mutating func report(
    _ kind: EvaluationProblem.Kind, _ range: Range<Int>,
    _ severity: EvaluationProblem.Severity = .error
  ) {
    evaluator.report(kind, range, severity)
  }

  /// Mistakes of form that change what would be sent, and what this version does not run.
  private mutating func reportSyntax() {
    for problem in block.problems {
      let range = block.absolute(problem.range)
      switch problem.kind {
      case .malformedHeader: report(.malformedHeader, range)
      case .textAfterHandler: report(.textAfterHandler, range)
      case .unterminatedScript:
        report(.syntax("This script is not closed. Add `%}`."), range)
      case .unclosedReference: report(.syntax(Evaluator.unclosedReference), range)
      case .malformedVariable:
        report(.syntax("This is not a definition. Write `@name = value`."), range)
      case .assertionSyntax: report(.assertionSyntax, range)
      // The request is sent as it is written.
      case .indentedSeparator, .missingSeparator, .missingBlankLine, .missingRequestLine,
        .unknownMethod, .metadataInBody, .assertionInBody, .invalidUTF8:
        break
      }
    }
    for assertion in block.assertions { reportAssertion(assertion) }
  }

  /// What other tools read differently in a `??` line.
  private mutating func reportAssertion(_ assertion: AssertionSyntax) {
    guard let form = block.form(of: assertion) else { return }
    if let mistake = form.misspelling(block, evaluator.scope) {
      report(
        .assertionSubject(written: mistake.written, suggestion: mistake.suggestion),
        mistake.range)
    }
    guard let spelling = form.spelling else { return }
    let written = block.written(form.predicateRange)
    report(.assertionSpelling(written: written, read: spelling), form.predicateRange, .information)
  }

  private mutating func method(_ request: RequestSyntax) -> String {
    guard let range = request.method else { return "GET" }
    let text = evaluator.text(range, of: block, place: .target)
    if MethodCatalog.isHTTP(text) { return text }
    if text.keepsBytes {
      report(
        .syntax("The method contains bytes that are not UTF-8. Write it in ASCII."),
        block.absolute(range))
    }
    if OtherProtocol.named(text)?.isSent == false {
      report(.unsupported("This version does not send `\(text)` requests."), block.absolute(range))
    }
    let capital = text.uppercased()
    return MethodCatalog.isHTTP(capital) ? capital : text
  }

  private mutating func target(
    _ request: RequestSyntax, _ headers: HeaderFields, _ macro: RequestMacro?
  ) -> Target? {
    var bytes = macro?.target.keptBytes ?? []
    // What a reference stands for is often longer than its name.
    bytes.reserveCapacity(bytes.count + 2 * request.line.count)
    let range = targetRange(request)
    if let written = change?.url {
      bytes = expanded(written, at: range, .target).keptBytes
    } else {
      for piece in request.target.dropFirst(macro == nil ? 0 : 1) {
        evaluator.append(piece, of: block, place: .target, to: &bytes)
      }
    }
    guard !evaluator.problems.contains(where: { $0.severity == .error }) else { return nil }
    guard bytes.count <= Target.longestBytes else {
      // Its beginning is enough to tell of it.
      let start = String(keeping: bytes.prefix(1_024))
      report(Target.tooLong(bytes.count), of: start, at: range)
      return nil
    }
    let text = String(keeping: bytes)
    let offset = range.lowerBound
    var host = headers.first("Host")
    if host == nil, text.hasPrefix("/") || text == "*" {
      host = evaluator.definition("host", at: offset).map { definition in
        evaluator.within(evaluator.path(of: definition)) {
          $0.expand(
            text: definition.value.substitutionText, reportedAt: range, place: .target,
            offset: offset)
        }
      }
    }
    do throws(Target.Problem) {
      let target = try Target.read(
        text, host: host, encodes: settings.encodesAutomatically,
        schemes: dialect.assumedSchemes, hasStandIns: evaluator.context.standIn != nil)
      evaluator.noteHost(of: target.url, written: text + (host ?? ""))
      return target
    } catch {
      report(error, of: text, at: range)
      return nil
    }
  }

  /// Records why a target is no URL.
  mutating func report(_ problem: Target.Problem, of text: String, at range: Range<Int>) {
    switch problem {
    case .missingHost: report(.missingHost, range)
    case .bad(let explanation):
      report(.badURL(text.shown, explanation: explanation.shown), range)
    case .unsupported(let what): report(.unsupported(what), range)
    }
  }

  private func targetRange(_ request: RequestSyntax) -> Range<Int> {
    guard let first = request.target.first, let last = request.target.last else {
      return block.absolute(request.line)
    }
    return block.absolute(first.lowerBound..<last.upperBound)
  }

  /// The version as written, or what its references stand for.
  private mutating func version(_ range: Range<Int>) {
    let text = String(decoding: evaluator.expand(range, of: block, place: .target), as: UTF8.self)
    if text.utf8.first.map({ (48...57).contains($0) }) == true {
      if version(text) { return }
      report(
        .syntax(
          "HTTP/\(text) does not exist, so the request is sent without a version. "
            + "Write `1.0`, `1.1`, `2` or `3`."), block.absolute(range), .warning)
      return
    }
    // What nothing defines was reported already.
    guard !text.hasPrefix("{{") else { return }
    report(
      .syntax("`HTTP/\(text)` is not a version of HTTP. Write `1.1`, `2` or `3`."),
      block.absolute(range))
  }

  /// The version token chooses the protocol (PK-94); `false` for one that nobody speaks.
  @discardableResult
  private mutating func version(_ text: String) -> Bool {
    let folded = text.lowercased()
    settings.options.httpVersion =
      switch folded.prefix(3) {
      case "1.0": .http10
      case "1.1", "1": .http11
      case "3", "3.0": .http3
      default:
        folded.contains("prior")
          ? .http2PriorKnowledge : folded.hasPrefix("2") ? .http2 : .automatic
      }
    return settings.options.httpVersion != .automatic
  }
}
