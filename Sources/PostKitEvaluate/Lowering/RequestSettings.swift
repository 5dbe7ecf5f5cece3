// What the metadata of a block asks for.

package import PostKitHTTP
package import PostKitSyntax

/// Who has chosen a part of how a request is carried out: what a folder that is not trusted chooses
/// is asked about before anything is sent.
package enum ChoiceSource: Sendable, Hashable {
  /// The settings for all requests, where these say anything.
  case defaults
  /// The request itself, by a tag or an option of its command line.
  case request
  /// A variable, or a member of an environment, in the file at a path; empty where no file has it.
  case definition(path: String)
}

/// The settings of one request.
package struct RequestSettings: Sendable {
  package var options: TransferOptions
  /// Who has chosen the proxy, whether certificates are checked, and by which authorities.
  package var proxySource = ChoiceSource.defaults
  package var verificationSource = ChoiceSource.defaults
  package var authoritySource = ChoiceSource.defaults
  /// Whether the exchange stays out of the history (`@no-log`).
  package var isLogged = true
  /// Whether a token that is refused is got anew and the request sent again; not with
  /// `@no-auth-retry` (AU-45).
  package var renewsTokens = true
  /// Whether target and forms are sent without percent-encoding (`@no-auto-encoding`).
  package var encodesAutomatically = true
  /// Whether references inside plain `< file` bodies are resolved (`@injectVariables`).
  package var substitutesInFiles = false
  /// Whether the body is GraphQL (`@graphql`) or never is (`@no-gql-parsing`); `nil` where the
  /// request says it by itself (PK-21).
  package var readsGraphQL: Bool?
  /// Whether a client's certificate is shown to hosts that have one (`@noClientCert`).
  package var usesClientCertificate = true
  /// Whether the request itself names its certificate.
  var hasOwnCertificate = false
  package var prompts: [Prompt] = []
  /// The files that the response's body is written to (PK-90).
  package var saves: [SaveTarget] = []
  /// The lists of `@kulala-expect-status-code`.
  package var expectedStatus: [ExpectedStatus] = []
  /// The options of curl that tags give, of shared blocks first.
  var curlOptions: [CurlSyntax.Written] = []
  /// How long to wait before the request is sent (`@sleep`, `@delay`).
  package var delayMilliseconds = 0
  /// The text of `@note`, which asks before the request is sent; empty where it has none.
  package var note: String?

  /// Reads the metadata of a block; references in values are resolved with the evaluator.
  package init(_ block: ParsedBlock, defaults: TransferOptions, evaluator: inout Evaluator) {
    options = defaults
    let dialect = evaluator.scope.dialect
    options.followsRedirects = dialect.followsRedirects
    options.keepsMethod = dialect.keepsMethod
    options.usesCookieJar = dialect.usesCookieJar
    options.cookieHeaderFeedsJar = dialect.cookieHeaderFeedsJar
    if evaluator.scope.environments.skipsVerification {
      options.verifiesTLS = false
      verificationSource = .definition(path: evaluator.scope.environments.verificationPath)
    }
    if let proxy = options.proxy {
      ProxyURL(proxy)?.passwords.forEach { evaluator.note(secret: $0) }
    }
    readVariables(block, &evaluator)
    for shared in evaluator.scope.sharedBlocks(for: block) {
      read(shared, isShared: true, &evaluator)
    }
    read(block, isShared: false, &evaluator)
  }

  /// Settings of a request that no block describes.
  init(options: TransferOptions) { self.options = options }

  /// Tags that are read before the settings are.
  private static let early: [MetadataTag?] = [.loop, .disabled, .onlyIf, .importFile]

  private mutating func read(_ block: ParsedBlock, isShared: Bool, _ evaluator: inout Evaluator) {
    for tag in block.metadata
    where tag.region != .body && !RequestSettings.early.contains(tag.kind) {
      if let option = tag.curlOption(in: block) {
        curlOptions.append(option)
        continue
      }
      if let form = tag.definedForm {
        evaluator.check(tag, form, of: block, isShared: isShared)
        continue
      }
      if isShared, tag.kind?.entry.reach == .block { continue }
      if block.isSleepingDefinition(tag) { continue }
      let mayRefer = block.bytes.mayRefer(in: block.absolute(tag.value))
      let value = mayRefer
        ? String(decoding: evaluator.expand(tag.value, of: block, place: .metadata), as: UTF8.self)
        : block.text(tag.value)
      read(tag, value, block, &evaluator)
    }
  }

  private mutating func read(
    _ tag: MetadataSyntax, _ value: String, _ block: ParsedBlock, _ evaluator: inout Evaluator
  ) {
    let range = block.absolute(tag.line)
    guard let kind = tag.kind else { return }
    switch kind {
    case .noRedirect: options.followsRedirects = false
    case .noCookieJar: options.usesCookieJar = false
    case .attachCookieJar: options.usesCookieJar = true
    case .postRedirectGet: options.keepsMethod = false
    case .noLog: isLogged = false
    case .noAuthRetry: renewsTokens = false
    case .noAutoEncoding: encodesAutomatically = false
    case .injectVariables: substitutesInFiles = true
    case .graphQL: readsGraphQL = true
    case .noGraphQLParsing: readsGraphQL = false
    case .insecure, .noRejectUnauthorized:
      (options.verifiesTLS, verificationSource) = (false, .request)
    case .keepStreaming: options.keepsStream = true
    case .noClientCert: usesClientCertificate = false
    case .proxy: useProxy(value, .request, at: range, &evaluator)
    case .noProxy: (options.proxy, proxySource) = ("", .request)
    case .timeout:
      read(value, evaluator.scope.dialect.bareTimeout, range, &evaluator).map {
        options.totalTimeoutMilliseconds = $0
      }
    case .connectionTimeout:
      read(value, evaluator.scope.dialect.bareTimeout, range, &evaluator).map {
        options.connectTimeoutMilliseconds = $0
      }
    case .sleep, .delay:
      readPause(value, tag, block, &evaluator)
    case .note: note = value
    case .ref, .forceRef: checkReference(tag, block, &evaluator)
    case .expectStatusCode:
      let name = "\(block.text(tag.key)) \(block.text(tag.value))"
      expectedStatus.append(ExpectedStatus(name: name, list: value))
    case .prompt, .secret:
      prompts.append(RequestSettings.prompt(value, isSecret: kind == .secret))
    case .kulalaPrompt: readLabelledPrompt(value, range, &evaluator)
    case .rateLimit, .save, .jq, .stdinCommand, .stdinCommandBefore, .envStdinCommand,
      .envStdinCommandBefore:
      let written = block.text(tag.key)
      evaluator.report(.unsupported("This version ignores `@\(written)`."), range, .warning)
    // Others read these: the parser, the scope, `curlOption`, the plan of a run.
    case .name, .title, .description, .example, .label, .importFile, .loop, .disabled, .onlyIf,
      .dialect, .forceRegionDelimiter, .xpathNamespace, .envJSONKey, .envHeaderKey, .fileContents,
      .curlOption, .jwt:
      break
    // Exports of load tests read the first, who looks for descriptions the others.
    case .weight, .openAPI, .graphQLSchema: break
    // These are about windows and logs of other tools.
    case .useOSCredentials, .openWith, .fileExtension, .language, .noStreamingLog, .noResponseView,
      .verbose, .debug, .metadataLogging, .responseRef, .grpcReflection, .grpcOption,
      .scriptLanguage, .accept, .curlDataURLEncode, .restClientCompatibility:
      break
    }
  }

  /// A pause: a duration, or JavaScript that comes to one (SC-35).
  private mutating func readPause(
    _ text: String, _ tag: MetadataSyntax, _ block: ParsedBlock, _ evaluator: inout Evaluator
  ) {
    let range = block.absolute(tag.line)
    // What begins with a number and ends with a unit is meant as a duration.
    let rest = text.utf8.drop { (48...57).contains($0) || $0 == UInt8(ascii: ".") || $0 == 32 }
    let place = block.absolute(tag.value)
    let isWord = rest.allSatisfy { (97...122).contains($0 | 0x20) }
    let isScript =
      Duration.milliseconds(text, bare: .milliseconds) == nil
      && (!isWord || evaluator.variable(text, at: place.lowerBound) != nil)
    guard isScript else {
      read(text, .milliseconds, range, &evaluator).map { delayMilliseconds = $0 }
      return
    }
    guard let value = evaluator.value(ofExpression: text, at: place),
      !evaluator.scope.assumesAnswers
    else { return }
    read(value.substitutionText, .milliseconds, range, &evaluator).map { delayMilliseconds = $0 }
  }

  /// Reports a request that isn't there. `RunPlan` lets those that are run before, under the name
  /// as it is written.
  private func checkReference(
    _ tag: MetadataSyntax, _ block: ParsedBlock, _ evaluator: inout Evaluator
  ) {
    let naming = RequestNaming(evaluator.scope, evaluator.scope.file)
    guard naming.place(of: tag, in: block) == nil else { return }
    let (key, name) = (block.text(tag.key), block.text(tag.value))
    evaluator.report(.requestNotFound(tag: key, name: name), block.absolute(tag.line))
  }

  /// A duration in milliseconds; a text that is none is reported.
  private func read(
    _ text: String, _ bare: Dialect.BareTimeout, _ range: Range<Int>, _ evaluator: inout Evaluator
  ) -> Int? {
    let milliseconds = Duration.milliseconds(text, bare: bare)
    if milliseconds == nil {
      evaluator.report(.badDuration(text), range)
    }
    return milliseconds
  }

  /// Whether a variable of that name says something for all requests.
  package static func isSetting(_ name: String) -> Bool { variables.contains(name) }

  /// httpYac's variables that say for all requests what tags say for one.
  package static let variables = [
    "request_timeout", "request_proxy", "request_rejectUnauthorized",
  ]
  /// The same, with room for the names that a request uses: each begins with a copy.
  private static let firstNames: Set<String> = {
    var names = Set<String>(minimumCapacity: 16)
    names.formUnion(variables)
    return names
  }()

  private mutating func readVariables(_ block: ParsedBlock, _ evaluator: inout Evaluator) {
    if evaluator.names.isEmpty {
      evaluator.names = RequestSettings.firstNames
    } else {
      evaluator.names.formUnion(RequestSettings.variables)
    }
    guard evaluator.scope.mayDefineSettings else { return }
    let range = block.absolute(block.leadingLine)
    for name in RequestSettings.variables {
      guard let found = evaluator.definition(name, at: range.lowerBound) else { continue }
      let text = evaluator.expand(
        text: "{{\(name)}}", reportedAt: range, place: .metadata, offset: range.lowerBound)
      readVariable(name, text, .definition(path: found.origin.path), range, &evaluator)
    }
  }

  private mutating func readVariable(
    _ name: String, _ text: String, _ source: ChoiceSource, _ range: Range<Int>,
    _ evaluator: inout Evaluator
  ) {
    switch (name, text.lowercased()) {
    case ("request_timeout", _):
      // Where no unit is written, httpYac counts milliseconds, whatever the reading of tags.
      read(text, .milliseconds, range, &evaluator).map { options.totalTimeoutMilliseconds = $0 }
    case ("request_proxy", _): useProxy(text, source, at: range, &evaluator)
    case (_, "false"): (options.verifiesTLS, verificationSource) = (false, source)
    case (_, "true"): (options.verifiesTLS, verificationSource) = (true, source)
    default:
      evaluator.report(.syntax("`\(name)` is `\(text)`. Write `true` or `false`."), range)
    }
  }

  /// Goes through a proxy that the request itself names, whatever `NO_PROXY` says.
  private mutating func useProxy(
    _ text: String, _ source: ChoiceSource, at range: Range<Int>, _ evaluator: inout Evaluator
  ) {
    proxySource = source
    options.proxy = RequestSettings.proxy(text, at: range, &evaluator)
    options.proxyExceptions = ""
  }

  /// A proxy's URL, its password noted; a text that is none is reported.
  static func proxy(_ text: String, at range: Range<Int>, _ evaluator: inout Evaluator) -> String {
    if let proxy = ProxyURL(text) {
      proxy.passwords.forEach { evaluator.note(secret: $0) }
    } else {
      evaluator.report(.syntax(ProxyURL.mistake(text)), range)
    }
    return text
  }

  private mutating func readLabelledPrompt(
    _ value: String, _ range: Range<Int>, _ evaluator: inout Evaluator
  ) {
    if let prompt = RequestSettings.labelledPrompt(value) {
      prompts.append(prompt)
    } else {
      let sentence =
        "Write the question in quotes, then the variable: `@kulala-prompt \"Your name\" user`."
      evaluator.report(.syntax(sentence), range)
    }
  }

  /// Kulala's order: the label in quotes, then the name.
  private static func labelledPrompt(_ value: String) -> Prompt? {
    guard let quote = value.first, quote == "\"" || quote == "'" else {
      return value.isEmpty ? nil : prompt(value, isSecret: false)
    }
    let rest = value.dropFirst()
    guard let end = rest.firstIndex(of: quote) else { return nil }
    let name = rest[rest.index(after: end)...].description.trimmingBlanks
    guard !name.isEmpty, !name.contains(" ") else { return nil }
    var result = prompt(name, isSecret: false)
    result.label = String(rest[..<end])
    return result
  }

  /// `name [label]`; names that look like passwords are masked, as REST Client does.
  private static func prompt(_ value: String, isSecret: Bool) -> Prompt {
    let halves = value.split(separator: " ", maxSplits: 1).map(String.init)
    let name = halves.first ?? ""
    let label = halves.count > 1 ? halves[1].trimmingBlanks : name
    let hidden = ["password", "passwd", "pass"].contains(name.lowercased())
    return Prompt(name: name, label: label, isSecret: isSecret || hidden)
  }
}

/// The statuses that a response may have, as kulala's tag lists them.
package struct ExpectedStatus: Sendable, Hashable {
  /// The tag as written.
  let name: String
  /// The words of the list; blanks and commas part them.
  private let words: [String]

  /// Reads the value of the tag.
  init(name: String, list: String) {
    self.name = name
    words = list.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
  }

  /// Whether a status is in the list; a word that is no status is no list.
  func result(_ status: Int) -> AssertionResult {
    var result = AssertionResult(name: name, passed: false, actual: "\(status)")
    let codes = words.compactMap(Int.init)
    if codes.isEmpty || codes.count < words.count {
      result.explanation = "Write status codes with blanks between, such as `200 201`."
    } else {
      result.passed = codes.contains(status)
    }
    return result
  }
}

/// Durations as written in metadata (PK-37).
package enum Duration {
  /// Milliseconds of `number[blank]unit`; a bare number by the dialect's rule.
  package static func milliseconds(_ text: String, _ dialect: Dialect) -> Int? {
    milliseconds(text, bare: dialect.bareTimeout)
  }

  /// Milliseconds of `number[blank]unit`, where it is said what a bare number counts.
  static func milliseconds(_ text: String, bare: Dialect.BareTimeout) -> Int? {
    // Megabytes of digits are no time that anybody waits for, and take long to be read.
    guard text.utf8.count < 100 else { return nil }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), number >= 0, number < 1e9 else { return nil }
    let unit = String(text[digits.endIndex...]).trimmingBlanks.lowercased()
    switch unit {
    case "ms": return Int(number)
    case "s": return Int(number * 1_000)
    case "m": return Int(number * 60_000)
    case "h": return Int(number * 3_600_000)
    case "":
      let isSeconds =
        switch bare {
        case .seconds: true
        case .milliseconds: false
        case .bySize: number < 1_000
        }
      return Int(isSeconds ? number * 1_000 : number)
    default: return nil
    }
  }
}

extension ParsedBlock {
  /// Whether a tag that nobody knows is a definition that is commented out, `# @name = value`.
  package func isSleepingDefinition(_ tag: MetadataSyntax) -> Bool {
    tag.key.upperBound < tag.value.lowerBound
      && slice(tag.key.upperBound..<tag.value.lowerBound).contains(UInt8(ascii: "="))
      && tag.kind?.isUnmistakable != true
  }
}
