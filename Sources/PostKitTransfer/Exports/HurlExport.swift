// Requests as a Hurl file, with a file of variables for each environment.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Writes Hurl files.
struct HurlExport {
  private let collection: ExportedCollection
  private let notes: ExportNotes
  private let captures: CapturePlan
  /// The names of variables in Hurl, which knows letters, digits and underscores alone.
  private var words: [String: String] = [:]
  private var taken: CodeWords
  private let attached: AttachedFiles

  /// Makes the file, called `file`, and the variables beside it. What can't be said is told.
  static func files(
    of collection: ExportedCollection, file: String, stem: String, _ notes: ExportNotes
  ) -> [TransferFile] {
    var export = HurlExport(collection, notes)
    let entries = collection.order.map { export.entry($0) }
    let given = export.given()
    var names = PortableFileNames(taken: [file])
    let base = export.values(nil)
    var files: [TransferFile] = []
    for environment in collection.environments {
      files.append(
        TransferFile(
          path: names.name(for: environment.name, extension: ".vars", fallback: "environment"),
          bytes: Array(export.values(environment).utf8)))
    }
    if files.isEmpty, !base.isEmpty {
      files.append(TransferFile(path: stem + ".vars", bytes: Array(base.utf8)))
    }
    let head = export.head(file, variables: files.first?.path, given)
    let text = ([head] + entries).joined(separator: "\n")
    return [TransferFile(path: file, bytes: Array(text.utf8))] + files + export.attached.files
  }

  private init(_ collection: ExportedCollection, _ notes: ExportNotes) {
    self.collection = collection
    self.notes = notes
    captures = CapturePlan(collection) { part in if case .other = part { false } else { true } }
    attached = AttachedFiles("Hurl", notes)
    taken = CodeWords(taken: Set(captures.captures.values.joined().map(\.name)))
  }

  private func head(_ file: String, variables: String?, _ given: [String]) -> String {
    var words = "hurl --test"
    if let variables { words += " --variables-file \(ShellText.quote(variables))" }
    for name in given { words += " --secret \(name)=..." }
    let lines = ["\(words) \(ShellText.quote(file))"] + collection.omissionLines + notes.lines
    return lines.map { "# \(ExportNotes.oneLine($0))\n" }.joined()
  }

  // MARK: - Variables

  /// The variables whose values are given when Hurl is started.
  private mutating func given() -> [String] {
    var result: [String] = []
    for variable in collection.settings where variable.value == nil {
      result.append(word(variable.name))
    }
    for case .process(let name) in allReferences { result.append(word(name)) }
    return result.enumerated().filter { !result[..<$0.offset].contains($0.element) }.map(\.element)
  }

  private var allReferences: [ExportedReference] {
    collection.order.flatMap { collection.requests[$0].texts.flatMap(\.references) }
      + collection.settings.compactMap(\.value).flatMap(\.references)
  }

  /// The lines of a file of variables: those whose values are texts alone.
  private mutating func values(_ environment: ExportedEnvironment?) -> String {
    var all = collection
    all.environments = environment.map { [$0] } ?? []
    return all.settings.reduce(into: "") { result, variable in
      guard let value = variable.value?.literal else { return }
      if value.contains(where: \.isNewline) {
        notes.tell(
          .templateUnsupported,
          "`\(variable.name)` has several lines, which a file of variables can't hold.", of: nil)
        return
      }
      // Hurl takes these for numbers, `true`, `null` or quoted texts.
      let isTyped =
        ["true", "false", "null"].contains(value) || value.hasPrefix("\"")
        || value.trimmingASCIIBlanks() != value
        || (Double(value) != nil && Int64(value).map(String.init) != value)
      result += "\(word(variable.name))=\(isTyped ? "\"\(value.shown)\"" : value.shown)\n"
    }
  }

  private mutating func word(_ name: String) -> String {
    if let known = words[name] { return known }
    let word = taken.word(for: name, fallback: "value")
    words[name] = word
    return word
  }

  // MARK: - Requests

  private mutating func entry(_ index: Int) -> String {
    let request = collection.requests[index]
    notes.begin(request)
    if !request.scripts.isEmpty {
      notes.tell(
        .scriptKept, "The scripts of the request are left out.", of: request, isWarning: true)
    }
    if !request.options.usesCookies {
      notes.tell(
        .settingUnsupported, "Hurl keeps cookies; `@no-cookie-jar` is left out.", of: request)
    }
    if request.options.hasCertificate {
      notes.tell(.settingUnsupported, "The certificate of the client is left out.", of: request)
    }
    for case .file(let path) in request.body where path.hasPrefix("../") || path.hasPrefix("/") {
      notes.tell(
        .fileOutside, "Hurl reads `\(path)` only where `--file-root` names a folder around it.",
        of: request)
    }
    let (sections, body) = content(request)
    let url = text(request.url, HurlLiteral.plain, of: request)
    var lines = ["\(text(request.method, HurlLiteral.plain, of: request)) \(url)"]
    lines += headerLines(request)
    lines += options(request)
    if case .basic(let user, let password) = request.auth {
      let pair = [
        text(user, HurlLiteral.key, of: request), text(password, HurlLiteral.plain, of: request),
      ]
      lines += ["[BasicAuth]", pair.joined(separator: ": ")]
    }
    lines += sections + body
    lines += responseLines(index)
    let title = ["# " + ExportNotes.oneLine(request.path)]
    let remarks = notes.remarks(of: request).map { "# " + $0 }
    return (title + remarks + lines).joined(separator: "\n") + "\n"
  }

  private mutating func headerLines(_ request: ExportedRequest) -> [String] {
    var headers = request.headers
    if case .multipart = request.content {
      headers.removeAll { $0.name.literal?.equalsIgnoringASCIICase("Content-Type") == true }
    }
    if case .bearer(let token) = request.auth {
      var value = ExportedText("Bearer ")
      value.append(token)
      headers.append(ExportedHeader(name: ExportedText("Authorization"), value: value))
    }
    return headers.map { header in
      let name = text(header.name, HurlLiteral.key, of: request)
      return "\(name): \(text(header.value, HurlLiteral.plain, of: request))"
    }
  }

  private mutating func options(_ request: ExportedRequest) -> [String] {
    let options = request.options
    var lines: [String] = []
    if request.isDisabled { lines.append("skip: true") }
    if request.delayMilliseconds > 0 { lines.append("delay: \(request.delayMilliseconds)ms") }
    if request.loopCount != 1 { lines.append("repeat: \(request.loopCount)") }
    if options.followsRedirects { lines.append("location: true") }
    if options.redirectLimit != 10 { lines.append("max-redirs: \(options.redirectLimit)") }
    if !options.verifiesTLS { lines.append("insecure: true") }
    if let most = options.timeoutMilliseconds { lines.append("max-time: \(most)ms") }
    if let most = options.connectTimeoutMilliseconds { lines.append("connect-timeout: \(most)ms") }
    switch options.httpVersion {
    case .automatic: break
    case .http10: lines.append("http1.0: true")
    case .http11: lines.append("http1.1: true")
    case .http2, .http2PriorKnowledge: lines.append("http2: true")
    case .http3: lines.append("http3: true")
    }
    if let proxy = options.proxy, !proxy.isEmpty {
      lines.append("proxy: \(text(proxy, HurlLiteral.plain, of: request))")
    }
    func user(_ name: ExportedText, _ password: ExportedText) -> String {
      let half = text(name, HurlLiteral.plain, of: request)
      return "user: \(half):\(text(password, HurlLiteral.plain, of: request))"
    }
    switch request.auth {
    case .none, .basic, .bearer, .client, .apiKey, .other: break
    case .digest(let name, let password): lines += ["digest: true", user(name, password)]
    case .ntlm(let name, let password): lines += ["ntlm: true", user(name, password)]
    case .negotiate(let name, let password): lines += ["negotiate: true", user(name, password)]
    case .aws(let key, let secret, let region, let service):
      let place = text(region, HurlLiteral.plain, of: request)
      let name = text(service, HurlLiteral.plain, of: request)
      lines += ["aws-sigv4: aws:amz:\(place):\(name)", user(key, secret)]
    }
    return lines.isEmpty ? [] : ["[Options]"] + lines
  }

  // MARK: - Bodies

  private mutating func content(
    _ request: ExportedRequest
  ) -> (sections: [String], body: [String]) {
    switch request.content {
    case .none: return ([], [])
    case .file(let path): return ([], ["file,\(HurlLiteral.fileName(path));"])
    case .form(let pairs):
      let lines = pairs.map { pair in
        let value = pair.value.map { text($0, HurlLiteral.plain, of: request) } ?? ""
        return "\(text(pair.name, HurlLiteral.key, of: request)): \(value)"
      }
      return (["[FormParams]"] + lines, [])
    case .multipart(let parts):
      let lines = attached.parts(parts, of: request).map { part in
        let name = HurlLiteral.key(part.name)
        switch part.content {
        case .text(let value):
          if part.contentType != nil {
            notes.tell(
              .headerOmitted, "Hurl sends the part `\(part.name)` without its type.", of: request)
          }
          return "\(name): \(text(value, HurlLiteral.plain, of: request))"
        case .file(let path):
          let type = part.contentType.map { " \($0)" } ?? ""
          return "\(name): file,\(HurlLiteral.fileName(path));\(type)"
        }
      }
      return (["[MultipartFormData]"] + lines, [])
    case .mixed:
      notes.tell(
        .fileMissing, "Hurl can't put a body together of texts and files; it is left out.",
        of: request)
      return ([], [])
    case .text(let body): return ([], [self.body(body, request)])
    }
  }

  private mutating func body(_ body: ExportedText, _ request: ExportedRequest) -> String {
    if let literal = body.literal {
      let isPlain = literal.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" || $0 == "\t" }
      guard isPlain, !literal.keepsBytes else {
        return "base64,\(Base64.encode(literal.keptBytes));"
      }
    }
    let isJSON = request.mediaType?.isJSON == true
    let sample = body.written { _, _ in "0" }
    // What is JSON, whatever the values are, is written as it is; Hurl sends it so.
    if isJSON, (try? JSONTree(parsing: Array(sample.utf8))) != nil,
      !body.pieces.contains(where: {
        if case .literal(let text) = $0 { text.contains("{{") } else { false }
      })
    {
      return text(body, { $0 }, of: request)
    }
    let hasLines = body.pieces.contains {
      if case .literal(let text) = $0 { text.contains(where: \.isNewline) } else { false }
    }
    let ticked = "`" + text(body, HurlLiteral.ticked, of: request) + "`"
    guard hasLines else { return ticked }
    let hasFence = body.pieces.contains {
      if case .literal(let text) = $0 { text.contains("```") || text.contains("{{") } else { false }
    }
    return hasFence ? ticked : "```\n" + text(body, { $0 }, of: request) + "```"
  }

  // MARK: - The response

  private mutating func responseLines(_ index: Int) -> [String] {
    let request = collection.requests[index]
    var status: String?
    var asserts: [String] = []
    for check in request.checks {
      if status == nil, check.subject == .part(.status), check.predicate == .equal,
        let code = check.expected.literal, code.utf8.count == 3, code.allSatisfy(\.isNumber)
      {
        status = code
      } else if let line = assert(check, request) {
        asserts.append(line)
      } else {
        notes.tell(
          .testUnsupported, "The check `\(check.title)` is left out: Hurl can't be asked that.",
          of: request)
      }
    }
    let kept = (captures.captures[index] ?? []).map { capture in
      "\(capture.name): \(query(capture.part) ?? "body")"
    }
    guard status != nil || !asserts.isEmpty || !kept.isEmpty else { return [] }
    var lines = ["HTTP \(status ?? "*")"]
    if !kept.isEmpty { lines += ["[Captures]"] + kept }
    if !asserts.isEmpty { lines += ["[Asserts]"] + asserts }
    return lines
  }

  private func query(_ part: ExportedPart) -> String? {
    switch part {
    case .body: "body"
    case .status: "status"
    case .header(let name): "header \"\(HurlLiteral.quoted(name))\""
    case .member(let path): "jsonpath \"\(HurlLiteral.quoted(path.text))\""
    case .other: nil
    }
  }

  private mutating func assert(_ check: ExportedCheck, _ request: ExportedRequest) -> String? {
    let subject: String
    switch check.subject {
    case .duration: subject = "duration"
    case .part(let part):
      guard let query = query(part) else { return nil }
      subject = query
    case .other: return nil
    }
    let text = "\"\(text(check.expected, HurlLiteral.quoted, of: request))\""
    let value = HurlLiteral.typed(check) ?? text
    switch check.predicate {
    case .equal: return "\(subject) == \(value)"
    case .notEqual: return "\(subject) != \(value)"
    case .greater: return "\(subject) > \(value)"
    case .greaterOrEqual: return "\(subject) >= \(value)"
    case .less: return "\(subject) < \(value)"
    case .lessOrEqual: return "\(subject) <= \(value)"
    case .startsWith: return "\(subject) startsWith \(text)"
    case .endsWith: return "\(subject) endsWith \(text)"
    case .contains: return "\(subject) contains \(text)"
    case .matches: return "\(subject) matches \(text)"
    case .isTrue: return check.line.hasSuffix("isTrue") ? "\(subject) == true" : "\(subject) exists"
    case .isFalse: return "\(subject) == false"
    case .isNumber: return "\(subject) isNumber"
    case .isString: return "\(subject) isString"
    case .isBoolean: return "\(subject) isBoolean"
    case .isArray: return "\(subject) isCollection"
    case .sha256, .sha512, .md5: return nil
    }
  }

  // MARK: - Texts

  private mutating func text(
    _ text: ExportedText, _ literal: (String) -> String, of request: ExportedRequest?
  ) -> String {
    var result = ""
    for piece in text.pieces {
      switch piece {
      case .literal(let written): result += literal(written)
      case .reference(let reference, let isEncoded):
        if isEncoded {
          notes.tell(
            .encodingDiffers, "Hurl sends the value of `{{%name}}` without encoding it.",
            of: request)
        }
        result += written(reference, literal, of: request)
      }
    }
    return result
  }

  private mutating func written(
    _ reference: ExportedReference, _ literal: (String) -> String, of request: ExportedRequest?
  ) -> String {
    switch reference {
    case .variable(let name):
      // Hurl doesn't look for variables in values, so that these are written where they are used.
      let value = collection.settings.first { $0.name == name }?.value
      if let value, value.literal == nil { return text(value, literal, of: request) }
      return "{{\(word(name))}}"
    case .process(let name): return "{{\(word(name))}}"
    case .response(let index, let part):
      if let name = captures.name(index, part) { return "{{\(name)}}" }
      notes.tellTemplate("{{\(collection.requests[index].title).response…}}", of: request)
      return ""
    case .unknown(let written):
      notes.tellTemplate(written, of: request)
      return literal(written)
    case .dynamic(let name, let arguments):
      switch ExportedDynamic(name: name, arguments: arguments) {
      case .uuid: return "{{newUuid}}"
      case .iso8601: return "{{newDate}}"
      default:
        let written = "{{$\(name)\(arguments.isEmpty ? "" : " " + arguments)}}"
        notes.tellTemplate(written, of: request)
        return literal(written)
      }
    }
  }
}
