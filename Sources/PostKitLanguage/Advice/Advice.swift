// Remarks on what a block says: nothing keeps it from being sent, but something may not be meant.

package import PostKitEvaluate
import PostKitSyntax
import PostKitText

/// The remarks on blocks. One of these looks at all of a file.
struct Advice {
  let analysis: Analysis
  private(set) var block: ParsedBlock
  private var found: [Diagnostic] = []

  /// Is going to look at blocks, first at one of them.
  init(_ analysis: Analysis, _ block: ParsedBlock) {
    self.analysis = analysis
    self.block = block
  }

  /// The remarks on a block.
  mutating func remarks(on block: ParsedBlock) -> [Diagnostic] {
    self.block = block
    look()
    defer { found = [] }
    return found
  }

  private mutating func look() {
    guard block.syntax.kind != .prose, block.syntax.kind != .response else { return }
    for variable in block.syntax.variables where variable.form == .text {
      check(variable)
      checkSecret(variable)
    }
    for tag in block.syntax.metadata where tag.region != .body { check(tag) }
    checkScripts()
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
        "The quotes are part of the value and are sent; httpYac drops the first. "
          + "Remove them unless you mean them.")
    }
    guard dialect.escapes != .restClient,
      let backslash = value.firstIndex(of: UInt8(ascii: "\\")), isDropped(value, backslash)
    else { return }
    let start = backslash - block.range.lowerBound
    say(
      .backslashValue, start..<min(start + 2, variable.value.upperBound),
      "This backslash is part of the value, but REST Client drops it. Write `/` or no backslash "
        + "if REST Client reads this file, too.")
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
    guard let entry = tag.kind?.entry else {
      if block.isSleepingDefinition(tag) { return }
      let known = MetadataTable.offered.map(\.key)
      let hint = Suggestion.nearest(to: key, among: known).map { "Did you mean `@\($0)`?" }
      say(
        .metadataUnknown, tag.line.lowerBound..<max(tag.key.upperBound, tag.value.upperBound),
        "Unknown tag `@\(key)` is ignored. " + (hint ?? "Remove the `@` if the line is a comment."))
      return
    }
    if entry.form == .preset { checkDialect(tag) }
    if entry.form == .duration { checkUnit(tag) }
    if entry.status == .command {
      say(.commandsDisabled, tag.line, "This version runs no shell commands and ignores `@\(key)`.")
    }
    if entry.formerKey.map(MetadataTag.folded) == MetadataTag.folded(key) {
      say(
        .deprecated, tag.key,
        "\(entry.tools.names) has renamed `@\(key)`. Write `@\(entry.key)`.")
    }
  }

  private mutating func checkDialect(_ tag: MetadataSyntax) {
    let name = block.text(tag.value)
    let known = DialectPreset.allCases.map(\.rawValue)
    if known.contains(name.lowercased()) { return }
    let hint = Suggestion.nearest(to: name, among: known).map { "Did you mean `\($0)`?" }
    say(
      .metadataUnknown, tag.line.lowerBound..<max(tag.key.upperBound, tag.value.upperBound),
      "Unknown dialect `\(name)` is ignored. "
        + (hint ?? "Dialects: \(known.map { "`\($0)`" }.joined(separator: ", "))."))
  }

  private mutating func checkUnit(_ tag: MetadataSyntax) {
    let text = block.text(tag.value)
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
      let read = Advice.written(duration: text, dialect)
    else { return }
    say(
      .durationUnit, tag.value,
      "PostKit reads this as \(read), JetBrains as seconds, httpYac as milliseconds. "
        + "Write `\(read)`.")
  }

  /// A duration as it is read, with its unit.
  static func written(duration text: String, _ dialect: Dialect) -> String? {
    Duration.milliseconds(text, dialect).map { milliseconds in
      milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
  }

  private mutating func checkScripts() {
    let scripts = block.syntax.scripts
    if scripts.isEmpty { return }
    for script in scripts { check(script) }
  }

  /// Looks at a script: whether it is one in Lua, and whether its file is there.
  private mutating func check(_ script: ScriptSyntax) {
    if block.isLua(script) { sayLua(script) }
    guard let path = script.path.map({ block.text($0) }) else { return }
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
      "PostKit does not run Lua; the script is ignored. Write it in JavaScript.")
  }

  // MARK: - Head

  /// A reference whose value is a whole request line (PK-45).
  private mutating func checkRequestLine(_ request: RequestSyntax) {
    guard request.method == nil else { return }
    let evaluator = Evaluator(context: analysis.context, scope: analysis.scope)
    guard evaluator.readsRequestLineAsText(of: block) else { return }
    say(
      .differsElsewhere, request.line,
      "PostKit reads this value as a whole request line; "
          + "JetBrains, httpYac and kulala read it as a URL. Write the method here.")
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
    let scheme = dialect.assumedSchemes.scheme(ofAuthority: String(decoding: host, as: UTF8.self))
    say(
      .schemeAssumed, first.lowerBound..<first.lowerBound + host.count,
      "The URL has no scheme. PostKit uses `\(scheme)`; "
        + "REST Client and Visual Studio send nothing. Write the scheme.")
  }

  /// Asked of each byte of what may be no URL at all.
  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "{"): true
    default: false
    }
  }
}

extension Diagnostic {
  /// What is wrong with a file of settings.
  package init(_ mistake: SettingsMistake) {
    self.init(.settingsFile, mistake.range, mistake.sentence)
  }
}
