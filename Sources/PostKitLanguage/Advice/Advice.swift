// Remarks on what a block says: nothing keeps it from being sent, but something may not be meant.

package import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// The remarks on one block.
struct Advice {
  let analysis: Analysis
  let block: ParsedBlock
  private(set) var found: [Diagnostic] = []

  /// Looks at a block.
  init(_ analysis: Analysis, _ block: ParsedBlock) {
    self.analysis = analysis
    self.block = block
    guard block.syntax.kind != .prose, block.syntax.kind != .response else { return }
    for variable in block.syntax.variables where variable.form == .text { check(variable) }
    for tag in block.syntax.metadata where tag.region != .body { check(tag) }
    for script in block.syntax.scripts { check(script) }
    guard let request = block.syntax.request, request.curl == nil else { return }
    if !analysis.onlyLendsHeaders(block) {
      checkTarget(request)
      checkRequestLine(request)
      checkCharacters(request)
    }
    checkHeaders(request)
    for header in request.headers { checkSecret(header) }
    if let body = request.body {
      check(body, of: request)
      checkType(of: body, request)
      if !analysis.onlyLendsHeaders(block) { checkMeaning(of: body, request) }
    }
    for (construct, range) in Construct.hinted(in: block) {
      say(.differsElsewhere, range, construct.hint)
    }
  }

  /// The reading that is in force.
  var dialect: Dialect { analysis.scope.dialect }

  /// Notes a remark at a range of the block.
  mutating func say(_ code: DiagnosticCode, _ range: Range<Int>, _ message: String) {
    found.append(Diagnostic(code, block.absolute(range), message))
  }

  // MARK: - Definitions, metadata, scripts

  private mutating func check(_ variable: VariableSyntax) {
    let value = block.slice(variable.value)
    guard let first = value.first, let last = value.last else { return }
    if value.count > 1, first == last, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      say(
        .quotedValue, variable.value,
        "The quotes are part of the value and are sent; httpYac leaves out the first. Take them "
          + "away unless they are meant.")
    }
    guard dialect.escapes != .restClient,
      let backslash = value.firstIndex(of: UInt8(ascii: "\\")), isDropped(value, backslash)
    else { return }
    let start = backslash - block.range.lowerBound
    say(
      .backslashValue, start..<min(start + 2, variable.value.upperBound),
      "This backslash is part of the value. REST Client reads it as the start of an escape and "
        + "leaves it out; write `/` or no backslash if it is to read the file, too.")
  }

  /// Whether REST Client reads a backslash otherwise than this file's dialect. Braces may be
  /// escaped everywhere.
  private func isDropped(_ value: ArraySlice<UInt8>, _ backslash: Int) -> Bool {
    guard backslash + 1 < value.endIndex else { return true }
    let next = value[backslash + 1]
    if next == UInt8(ascii: "{") || next == UInt8(ascii: "}") { return false }
    let isPath =
      value.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "\\")])
      || value.dropFirst().first == UInt8(ascii: ":")
    return dialect.escapes == .none || isPath || !"nrt\\".utf8.contains(next)
  }

  private mutating func check(_ tag: MetadataSyntax) {
    let key = block.text(tag.key)
    switch tag.foldedKey {
    case "dialect": checkDialect(tag)
    case "timeout", "connectiontimeout":
      checkUnit(tag)
    case "stdincmd", "stdincmdpre", "envstdincmd", "envstdincmdpre":
      say(
        .commandsDisabled, tag.line,
        "`@\(key)` would run a shell command, which is not supported yet by this version of "
          + "PostKit. The request is sent without it.")
    case "filetovariable":
      say(
        .deprecated, tag.key,
        "kulala calls `@\(key)` `@kulala-file-contents-to-variable` now. Write that.")
    case let folded
    where !MetadataKeys.isKnown(folded) && MetadataCatalog.named(folded) == nil:
      let known = MetadataCatalog.all.map(\.key)
      let hint = Suggestion.nearest(to: key, among: known).map { "Did you mean `@\($0)`?" }
      say(
        .metadataUnknown, tag.line.lowerBound..<max(tag.key.upperBound, tag.value.upperBound),
        "No tool knows the tag `@\(key)`; it has no effect. "
          + (hint ?? "Leave out the `@` if the line is a comment."))
    default: break
    }
  }

  private mutating func checkDialect(_ tag: MetadataSyntax) {
    let name = block.text(tag.value)
    let known = DialectPreset.allCases.map(\.rawValue)
    if known.contains(name.lowercased()) { return }
    let hint = Suggestion.nearest(to: name, among: known).map { "Did you mean `\($0)`?" }
    say(
      .metadataUnknown, tag.line.lowerBound..<max(tag.key.upperBound, tag.value.upperBound),
      "There is no dialect `\(name)`; the tag has no effect. "
        + (hint ?? "There are \(known.map { "`\($0)`" }.joined(separator: ", "))."))
  }

  private mutating func checkUnit(_ tag: MetadataSyntax) {
    let text = block.text(tag.value)
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
      let read = Advice.written(duration: text, dialect)
    else { return }
    say(
      .durationUnit, tag.value,
      "The number has no unit and is read as \(read); JetBrains reads seconds, httpYac "
        + "milliseconds. Write `\(read)`.")
  }

  /// A duration as it is read, with its unit.
  static func written(duration text: String, _ dialect: Dialect) -> String? {
    Duration.milliseconds(text, dialect).map { milliseconds in
      milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
  }

  private mutating func check(_ script: ScriptSyntax) {
    guard let path = script.path.map({ block.text($0) }) else {
      let isTagged = block.syntax.metadata.contains {
        $0.foldedKey == "lang" && block.text($0.value).lowercased() == "lua"
          && $0.line.upperBound <= script.range.lowerBound
      }
      let isLua = script.text.map { ScriptNames.isLua(block.slice($0)) } ?? false
      if isTagged || isLua { sayLua(script) }
      return
    }
    if path.lowercased().hasSuffix(".lua") { sayLua(script) }
    if !path.contains("{{"), analysis.context.resolvePath(path) == nil, let range = script.path {
      // Scripts are not run by this version, so that a missing one keeps nothing from being sent.
      var diagnostic = Diagnostic(
        .fileNotFound, block.absolute(range),
        EvaluationProblem(.fileNotFound(path: path), range: 0..<0).message)
      diagnostic.severity = .warning
      found.append(diagnostic)
    }
  }

  private mutating func sayLua(_ script: ScriptSyntax) {
    say(
      .scriptLanguage, script.range,
      "This script is in Lua, which PostKit does not run; it is left out. Write it in JavaScript.")
  }

  // MARK: - Head

  /// A reference whose value is a whole request line (PK-45).
  private mutating func checkRequestLine(_ request: RequestSyntax) {
    let evaluator = Evaluator(context: analysis.context, scope: analysis.scope)
    guard evaluator.readsRequestLineAsText(of: block) else { return }
    say(
      .differsElsewhere, request.line,
      "The value is a whole request line and is read as one; JetBrains, httpYac and kulala take it "
        + "for a URL. Write the method here, and references for the parts, if the file is for "
        + "them, too.")
  }

  /// A target that begins with a host (PK-11).
  private mutating func checkTarget(_ request: RequestSyntax) {
    guard let first = request.target.first else { return }
    let bytes = block.slice(first)
    let end = bytes.firstIndex(where: Advice.endsAuthority) ?? bytes.endIndex
    let host = bytes[..<end]
    guard let last = host.last else { return }
    let isCut = end < bytes.endIndex && bytes[end] == UInt8(ascii: "{")
    if isCut || last == UInt8(ascii: ":") || host.elementsEqual("*".utf8) { return }
    say(
      .schemeAssumed, first.lowerBound..<first.lowerBound + host.count,
      "The URL has no scheme. `http://` is put before it, or `https://` where the port is 443 or "
        + "8443; REST Client and httpYac send nothing. Write the one that is meant.")
  }

  /// Asked of each byte of what may be no URL at all.
  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "{"): true
    default: false
    }
  }

  /// A password or token that stands in the file itself (PK-81).
  private mutating func checkSecret(_ header: HeaderSyntax) {
    guard let value = header.value.first, header.value.count == 1,
      ["authorization", "proxy-authorization"].contains(block.text(header.name).lowercased())
    else { return }
    let text = block.text(value)
    guard !text.contains("{{"), !text.contains("<"),
      let blank = text.firstIndex(of: " ")
    else { return }
    let credentials = text[blank...].drop { $0 == " " }
    let secret: Substring? =
      switch text[..<blank].lowercased() {
      case "bearer": credentials.utf8.count >= 16 ? credentials : nil
      case "basic", "digest": Advice.password(of: credentials)
      case "aws": credentials.split(separator: " ").dropFirst().first
      default: nil
      }
    guard let secret, !secret.isEmpty else { return }
    let start = value.lowerBound + text[..<secret.startIndex].utf8.count
    say(
      .secretInFile, start..<start + secret.utf8.count,
      "This secret stands in the file, for everybody who gets the file. Put it into "
        + "`http-client.private.env.json` and write `{{name}}` here.")
  }

  /// The password of `user password`, `user:password` or their Base64 form.
  private static func password(of credentials: Substring) -> Substring? {
    if let cut = credentials.firstIndex(where: { $0 == ":" || $0 == " " }) {
      return credentials[credentials.index(after: cut)...]
    }
    guard let decoded = Base64.decode(String(credentials)), decoded.contains(58) else {
      return nil
    }
    return credentials
  }
}

extension Diagnostic {
  /// What is wrong with a file of settings.
  package init(_ mistake: SettingsMistake) {
    self.init(.settingsFile, mistake.range, mistake.sentence)
  }

  /// A diagnostic with the severity of the catalogue.
  init(_ code: DiagnosticCode, _ range: Range<Int>, _ message: String) {
    self.init(range: range, severity: code.severity, code: code.rawValue, message: message)
  }
}
