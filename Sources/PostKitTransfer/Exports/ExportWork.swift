// From a block to a request that is written for another tool: it is lowered with stand-ins for its
// references.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// The work on one block.
struct ExportWork {
  let block: ParsedBlock
  let view: ExportNames.View
  let source: ExportSource
  let names: ExportNames
  let notes: ImportNotes
  let place: OriginPlace
  /// Whether the target keeps clients and keys apart from headers.
  let keepsAuth: Bool
  var request: ExportedRequest
  /// Why the request can't be exported, as a sentence.
  private(set) var omission: String?

  /// The value of `User-Agent` where the author wrote none.
  private static let noAgent = "-"

  init(
    block: ParsedBlock, view: ExportNames.View, source: ExportSource, names: ExportNames,
    notes: ImportNotes, place: OriginPlace, keepsAuth: Bool, request: ExportedRequest
  ) {
    self.block = block
    self.view = view
    self.source = source
    self.names = names
    self.notes = notes
    self.place = place
    self.keepsAuth = keepsAuth
    self.request = request
  }

  /// Reads the block.
  mutating func read() {
    guard block.isRequest else {
      // It only runs others, which are exported themselves.
      omission = "It runs other requests and sends nothing itself."
      return
    }
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: view.scope),
      defaults: RequestDefaults(userAgent: Self.noAgent))
    request.tags = block.listedTags
    request.description = block.metadata.filter { $0.kind == .description }
      .map { block.text($0.value) }.joined(separator: "\n")
    readRepetition(lowered.settings)
    guard let spec = lowered.spec else {
      let reason = lowered.failure?.message ?? "The request can't be read."
      omission = reason
      notes.tell(
        OtherProtocol.named(block.writtenMethod) == nil ? .itemMalformed : .protocolUnsupported,
        "The request is left out. \(reason)", at: place, origin: request.path)
      return
    }
    request.method = text(spec.method.keptBytes)
    request.url = hidingQuery(url(spec.url))
    readHeaders(spec)
    readOptions(spec.options, lowered.settings)
    readBody(spec.body)
    readChecks(lowered.settings)
    readScripts()
    request.examples = examples()
    tellTokens()
  }

  /// Tells something of the request and keeps it for a comment in the output.
  mutating func tell(_ code: ImportNoteCode, _ message: String, isWarning: Bool? = nil) {
    request.remarks.append(message)
    notes.tell(code, message, at: place, origin: request.path, isWarning: isWarning)
  }

  // MARK: - Texts

  /// The context in which references become stand-ins.
  private var context: EvaluationContext {
    var context = source.context
    let start = block.request?.target.first.map { block.absolute($0).lowerBound } ?? -1
    context.standIn = { reference, written, offset in
      StandIn(
        written: written, offset: offset,
        beginsTarget: offset == start && reference.range.lowerBound == start
      ).text
    }
    return context
  }

  /// The text of bytes with stand-ins.
  func text(_ bytes: [UInt8]) -> ExportedText {
    var result = ExportedText()
    for part in StandIn.parts(bytes) {
      switch part {
      case .literal(let literal): result.append(String(keeping: literal))
      case .standIn(let standIn):
        result.append(names.text(standIn.written, at: standIn.offset, view))
      }
    }
    return result
  }

  /// The URL; a scheme that was put before a reference goes where the value has one.
  private func url(_ written: String) -> ExportedText {
    var bytes = written.keptBytes
    if bytes.starts(with: StandIn.scheme.utf8),
      case .standIn(let standIn)? = StandIn.parts(Array(bytes.dropFirst(StandIn.scheme.utf8.count)))
        .first
    {
      var evaluator = Evaluator(context: source.context, scope: view.scope)
      let value = evaluator.display(standIn.written, at: standIn.offset)
      let isKnown = evaluator.problems.isEmpty && !value.isEmpty
      // An author who writes a scheme doesn't name a value that has one.
      if isKnown ? value.contains("://") : standIn.beginsTarget {
        bytes.removeFirst(StandIn.scheme.utf8.count)
      }
    }
    return text(bytes)
  }

  // MARK: - Head

  private mutating func readHeaders(_ spec: RequestSpec) {
    var fields = spec.headers.fields
    // What is added to all requests comes last.
    if fields.last?.name == "Accept", fields.last?.value == "*/*" { fields.removeLast() }
    fields.removeAll { $0.name == "User-Agent" && $0.value == Self.noAgent }
    for field in fields {
      let name = text(field.name.keptBytes)
      let value = text(field.value.keptBytes)
      if field.name.equalsIgnoringASCIICase("Authorization"), request.auth == .none {
        readAuthorization(name, value)
      } else if OriginCredentials.isSecretField(field.name) {
        request.headers.append(
          ExportedHeader(
            name: name, value: credential(value, of: name.literal ?? "secret")))
      } else {
        request.headers.append(ExportedHeader(name: name, value: value))
      }
    }
    readAuthentication(spec.options.authentication)
    readKept()
  }

  /// A proxy without its password.
  private mutating func proxy(_ text: ExportedText) -> ExportedText {
    let halves = text.split(separator: "@", limit: 1)
    guard halves.count == 2, let scheme = halves[0].literalScheme else { return text }
    let login = halves[0].dropping(prefix: scheme)?.split(separator: ":", limit: 1) ?? []
    guard login.count == 2 else { return text }
    var result = ExportedText(scheme)
    result.append(login[0])
    result.append(":")
    result.append(hiding(login[1], called: "proxyPassword", keepsFirst: false))
    result.append("@")
    result.append(halves[1])
    return result
  }

  private mutating func readOptions(_ options: TransferOptions, _ settings: RequestSettings) {
    let usual = TransferOptions()
    request.options.followsRedirects = options.followsRedirects
    request.options.redirectLimit = options.redirectLimit
    request.options.timeoutMilliseconds = options.totalTimeoutMilliseconds
    if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      request.options.connectTimeoutMilliseconds = options.connectTimeoutMilliseconds
    }
    request.options.verifiesTLS = options.verifiesTLS
    request.options.usesCookies = options.usesCookieJar
    request.options.encodes = settings.encodesAutomatically
    request.options.httpVersion = options.httpVersion
    request.options.proxy = options.proxy.map { proxy(text($0.keptBytes)) }
    request.options.hasCertificate = options.clientCertificateFile != nil
    if !settings.saves.isEmpty {
      tell(.settingUnsupported, "The response is saved to no file.", isWarning: false)
    }
  }

  private mutating func readRepetition(_ settings: RequestSettings) {
    request.delayMilliseconds = settings.delayMilliseconds
    if let tag = block.metadata.last(where: { $0.kind == .weight }) {
      let text = block.text(tag.value)
      request.weight = Int(text).flatMap { $0 > 0 ? $0 : nil }
      if request.weight == nil {
        tell(.settingUnsupported, "`@weight \(text)` is left out: write a whole number above 0.")
      }
    }
    if let tag = block.loopTag {
      if case .count(let count) = LoopSyntax(block.text(tag.value)) {
        request.loopCount = count
      } else {
        tell(.settingUnsupported, "The request is sent once: its `@loop` depends on values.")
      }
    }
    if let tag = block.disabledTag {
      if tag.kind == .disabled, tag.value.isEmpty {
        request.isDisabled = true
      } else {
        tell(.settingUnsupported, "The request is always sent: its condition is left out.")
      }
    }
  }

  private mutating func readBody(_ body: [BodyChunk]) {
    let isForm = request.mediaType?.isForm == true
    for chunk in body {
      switch chunk {
      case .bytes(let bytes):
        if bytes.isEmpty { continue }
        request.body.append(.text(isForm ? hidingPairs(text(bytes)) : text(bytes)))
      case .file(let path): request.body.append(.file(source.relativePath(path)))
      }
    }
  }

  // MARK: - Afterwards

  private mutating func readChecks(_ settings: RequestSettings) {
    for assertion in block.assertions {
      guard let form = block.form(of: assertion) else { continue }
      let subject: ExportedCheck.Subject =
        switch form.subject {
        case .status: .part(.status)
        case .header(let range): .part(.header(block.written(range)))
        case .body(nil): .part(.body)
        case .body(let range?): .part(.member(ExportedPath(block.written(range))))
        case .duration(.total): .duration
        case .duration, .xpath, .expression, .openAPI: .other
        }
      let expected = names.text(
        String(keeping: block.bytes[form.expected]), at: form.expected.lowerBound, view)
      request.checks.append(
        ExportedCheck(
          line: block.text(assertion.text), subject: subject, predicate: form.predicate,
          expected: expected))
    }
    if !settings.expectedStatus.isEmpty {
      tell(.testUnsupported, "The expected status codes of a tag are left out; write `?? status`.")
    }
  }

  private mutating func readScripts() {
    for script in block.scripts {
      let path = script.path.map { block.text($0) }
      let text = script.text.map { block.text($0) } ?? path.flatMap { self.text(ofFile: $0) } ?? ""
      if script.phase == .response, script.path == nil, ScriptCaptures.read(text) != nil {
        continue
      }
      request.scripts.append(
        ExportedScript(
          isBefore: script.phase == .pre || script.phase == .request || script.phase == .imports,
          text: text, path: path))
    }
  }
}

/// Scripts that do nothing but set names to parts of the response (IO-19, backwards).
enum ScriptCaptures {
  /// The names that a script sets; `nil` where it does anything else.
  static func read(_ script: String) -> [(name: String, part: ExportedPart)]? {
    var result: [(name: String, part: ExportedPart)] = []
    for line in script.split(whereSeparator: { $0.isNewline || $0 == ";" }) {
      let statement = String(line).trimmingASCIIBlanks()
      if statement.isEmpty || statement.hasPrefix("//") { continue }
      guard let capture = capture(statement) else { return nil }
      result.append(capture)
    }
    return result.isEmpty ? nil : result
  }

  /// `client.global.set("name", response.body.path)` and its like.
  private static func capture(_ statement: String) -> (name: String, part: ExportedPart)? {
    let start = "client.global.set("
    guard statement.hasPrefix(start), statement.hasSuffix(")") else { return nil }
    let inner = statement.dropFirst(start.count).dropLast()
    guard let comma = inner.firstIndex(of: ",") else { return nil }
    let name = String(inner[..<comma]).trimmingASCIIBlanks()
    let value = String(inner[inner.index(after: comma)...]).trimmingASCIIBlanks()
    guard name.count > 2, let quote = name.first, quote == "\"" || quote == "'",
      name.last == quote
    else { return nil }
    return part(value).map { (String(name.dropFirst().dropLast()), $0) }
  }

  private static func part(_ expression: String) -> ExportedPart? {
    if expression == "response.status" { return .status }
    if expression == "response.body" { return .body }
    if let path = rest(expression, behind: "response.body") {
      let path = ExportedPath(path)
      return path.steps == nil ? nil : .member(path)
    }
    if let call = rest(expression, behind: "response.headers.valueOf("), call.hasSuffix(")") {
      let name = call.dropLast().filter { $0 != "\"" && $0 != "'" }
      return name.utf8.allSatisfy { CodeWords.isWord($0) || $0 == 45 } ? .header(name) : nil
    }
    return nil
  }

  private static func rest(_ text: String, behind start: String) -> String? {
    text.hasPrefix(start) ? String(text.dropFirst(start.count)) : nil
  }
}
