// What is wrong in scripts as far as that can be told without running them (SC-77).

import PostKitEvaluate
import PostKitSyntax
import PostKitText

/// Looks at one script.
struct ScriptRemarks {
  let analysis: Analysis
  let place: ScriptPlace
  private(set) var found: [Diagnostic] = []
  /// The variables whose meaning was looked up.
  private(set) var names: Set<String> = []

  private let reading: ScriptReading
  private let tokens: ScriptTokens
  private var meanings = ScriptMeanings()

  /// Looks at a script.
  init(_ analysis: Analysis, _ place: ScriptPlace) {
    self.analysis = analysis
    self.place = place
    (reading, tokens) = (place.reading, place.reading.tokens)
    let chains = reading.chains
    for place in chains.indices {
      let first = chains.first(at: place)
      // Of what the table lacks only values that are given to it are looked at.
      let isLookedAt =
        ScriptAPI.roots.contains(tokens, first) || tokens.isAssignment(first + 1)
      if isLookedAt, !reading.declares(first), !reading.isKeyword(first) { check(chains[place]) }
    }
    for (index, token) in tokens.tokens.enumerated() where token.kind == .string && token.isPlain {
      checkText(index)
    }
    found.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  private mutating func say(_ code: DiagnosticCode, _ range: Range<Int>, _ message: String) {
    found.append(Diagnostic(code, place.absolute(range), message))
  }

  // MARK: - Chains

  private mutating func check(_ chain: ScriptChain) {
    let root = tokens.text(chain.first)
    checkAssignment(chain, root)
    let meanings = meanings.of(chain, reading)
    guard let last = meanings.last else { return }
    if checkPhase(chain, root, meanings) { return }
    if case .missing(let owner, let token) = last { checkMember(chain, owner, token) }
    checkPromise(chain, meanings)
  }

  /// The names that all objects of the language have.
  private static let inherited: Set<String> = [
    "toString", "valueOf", "toJSON", "hasOwnProperty", "constructor", "call", "apply", "bind",
    "length", "name", "prototype", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
  ]

  private mutating func checkMember(_ chain: ScriptChain, _ owner: ScriptEntry, _ token: Int) {
    let name = tokens.text(token)
    if ScriptRemarks.inherited.contains(name) || tokens.isAssignment(token + 1) { return }
    if analysis.scope.lookup(tokens.text(chain.first), at: place.text.lowerBound) != nil { return }
    let object = reading.path(upTo: token).map { $0.dropLast(name.count + 1) } ?? owner.path[...]
    let known = ScriptAPI.members(of: owner).map { String($0.name) }
    let hint = Suggestion.nearest(to: name, among: known).map { "Did you mean `\($0)`?" }
    say(
      .scriptUnknownMember, tokens[token].range,
      "`\(object)` has no member `\(name)`. " + (hint ?? "Check its spelling."))
  }

  /// Whether a chain uses what isn't there when the script runs; that is said.
  private mutating func checkPhase(
    _ chain: ScriptChain, _ root: String, _ meanings: [ScriptMeaning]
  ) -> Bool {
    for (step, meaning) in zip(chain.steps, meanings) {
      guard case .member(let token) = step, case .entry(let entry) = meaning else { continue }
      guard entry.phases.isDisjoint(with: place.phase) else { continue }
      let name = reading.path(upTo: token) ?? entry.path
      let range = tokens[chain.first].range.lowerBound..<tokens[token].range.upperBound
      if root == "response" {
        say(
          .scriptPhase, range,
          "This script runs before sending, when `response` is that of the request before. "
            + "Move it below the request if you mean its own.")
      } else {
        let when = ScriptText.words(for: entry.phases) ?? "not here"
        say(.scriptPhase, range, "`\(name)` can be used \(when). Move this to such a script.")
      }
      return true
    }
    return false
  }

  private mutating func checkPromise(_ chain: ScriptChain, _ meanings: [ScriptMeaning]) {
    guard case .call(let open, let close) = chain.steps.last, let close, chain.danglingDot == nil,
      meanings.count >= chain.steps.count - 1,
      case .entry(let entry) = meanings[chain.steps.count - 2],
      entry.signatures.contains(where: { $0.returns.hasPrefix("Promise<") }),
      isStatement(chain.first)
    else { return }
    let name = reading.path(upTo: open - 1) ?? entry.path
    say(
      .scriptPromiseDropped, tokens[chain.first].range.lowerBound..<tokens[close].range.upperBound,
      "The script does not wait for `\(name)`. Write `await` before it.")
  }

  /// Whether a statement begins with a token.
  private func isStatement(_ token: Int) -> Bool {
    if token == 0 { return true }
    let isFirst =
      tokens.isMark(token - 1, ";") || tokens.isMark(token - 1, "{")
      || tokens.isMark(token - 1, "}")
    if isFirst { return true }
    guard reading.startsLine(token) else { return false }
    // What stands before must not go on here.
    switch tokens[token - 1].kind {
    case .word: return !ScriptReading.isKeyword(tokens.text(token - 1))
    case .number, .string, .pattern: return true
    case .template: return tokens.closes(token - 1)
    case .mark: return tokens.closes(token - 1)
    }
  }

  /// Values given to what keeps none: members of the request, and variables by their bare names.
  private mutating func checkAssignment(_ chain: ScriptChain, _ root: String) {
    guard tokens.isAssignment(chain.last + 1) else { return }
    let range = tokens[chain.first].range.lowerBound..<tokens[chain.last].range.upperBound
    if root == "request", chain.steps.count > 1, place.family == .jetbrains {
      say(
        .scriptRequestFrozen, range,
        "`\(tokens.text(range))` can't be set here. Use `request.variables.set`, or a "
          + "`{{@request` block.")
      return
    }
    guard chain.steps.count == 1, isStatement(chain.first), ScriptAPI.entry(root) == nil else {
      return
    }
    names.insert(root)
    let isVariable =
      analysis.scope.lookup(root, at: place.text.lowerBound) != nil
      || analysis.document.scriptVariables.blocks[root] != nil
    guard isVariable else { return }
    say(
      .scriptAssignmentLost, range,
      "This changes `\(root)` in this script only. Write `exports.\(root)` to keep it.")
  }

  // MARK: - Texts

  private mutating func checkText(_ index: Int) {
    guard tokens[index].isPlain else { return }
    let inside = tokens[index].inside
    let isRequired = tokens.isMark(index - 1, "(")
    if tokens.isModuleName(index), !isRequired || !reading.declares(index - 2) {
      return checkModule(tokens.text(inside), inside)
    }
    if tokens.slice(inside).starts(with: "{{".utf8) { checkReference(tokens.text(inside), index) }
  }

  private mutating func checkModule(_ name: String, _ range: Range<Int>) {
    if name.isEmpty || ScriptModules.isOwn(name) { return }
    if ScriptModules.isPath(name) {
      let isThere = ScriptModules.candidates(name).contains {
        analysis.context.resolvePath($0) != nil
      }
      if isThere { return }
      say(.scriptUnknownModule, range, "File `\(name)` not found. Correct the path.")
      return
    }
    if analysis.context.resolvePath(ScriptModules.packageFile(name)) != nil { return }
    say(.scriptUnknownModule, range, ScriptModules.refusal(name))
  }

  private mutating func checkReference(_ text: String, _ index: Int) {
    guard let name = ScriptRemarks.reference(text) else { return }
    // What httpYac's scripts write to the request above it is substituted afterwards.
    let isOfTemplate =
      place.family == .httpyac && place.phase == .before
      && (tokens.isMark(index - 1, "=") || tokens.isMark(index - 1, ":"))
    if isOfTemplate { return }
    let call = reading.call(at: tokens[index].range.lowerBound)
    let path = call.map { reading.path(of: $0.callee) } ?? ""
    if path.hasSuffix("replaceIn") || path.hasSuffix("interpolate") { return }
    say(
      .scriptReferenceInText, tokens[index].range,
      "`{{\(name)}}` is not replaced in a script. Write "
        + "`\(analysis.scriptReading(of: name, place))`.")
  }

  /// The name in a text that is `{{name}}` and nothing else; `nil` for any other text.
  static func reference(_ text: String) -> String? {
    guard text.hasPrefix("{{"), text.hasSuffix("}}"),
      case .path(let name, let rest) = ReferenceExpression(
        parsing: String(text.dropFirst(2).dropLast(2))), rest.isEmpty
    else { return nil }
    return name
  }
}

extension Analysis {
  /// What is said about the scripts of a block and the expressions in it, and the variables whose
  /// meaning was looked up for it.
  func scriptRemarks(_ block: ParsedBlock) -> (found: [Diagnostic], names: Set<String>) {
    // Most blocks have neither, which is known of each without its tree.
    guard document.blocks.has([.scripts, .expressions], at: block.index) else { return ([], []) }
    var places = block.scripts.isEmpty ? [] : block.scriptPlaces
    for reference in block.references {
      if case .script = reference.expression {
        places.append(ScriptPlace(expression: block.absolute(reference.inner), in: block.bytes))
      }
    }
    var (found, names): ([Diagnostic], Set<String>) = (dialectRemarks(block), [])
    for place in places {
      let remarks = ScriptRemarks(self, place)
      found += remarks.found
      names.formUnion(remarks.names)
    }
    return (found, names)
  }

  /// The scripts of a block that the dialect of the file leaves out (SC-1).
  private func dialectRemarks(_ block: ParsedBlock) -> [Diagnostic] {
    let dialect = scope.dialect
    if dialect.runsScriptBlocks { return [] }
    return block.scripts.compactMap { script in
      let isBlock = script.kind == .block
      if block.isLua(script) || !isBlock && dialect.runsHandlers { return nil }
      let form = isBlock ? "in `{{ }}`" : script.path == nil ? "in `{% %}`" : "in files"
      let range = block.absolute(script.range)
      let line = range.prefix { block.bytes[$0] != 10 && block.bytes[$0] != 13 }.count
      return Diagnostic(
        .scriptDialect, range.lowerBound..<range.lowerBound + line,
        "The dialect `\(dialect.preset.rawValue)` runs no scripts \(form), so this one is left "
          + "out. Choose `auto` to run it.")
    }
  }

  /// How a script reads a variable: by its bare name where that is the custom, else from where it
  /// is defined.
  func scriptReading(of name: String, _ place: ScriptPlace) -> String {
    let isIdentifier = ScriptVariableName.folded(name) == name && !ScriptReading.isKeyword(name)
    if place.family == .httpyac, isIdentifier { return name }
    let call: String
    switch scope.lookup(name, at: place.text.lowerBound)?.origin.layer {
    case .file, .importedFile: call = "client.variables.file.get"
    case .global: call = "client.global.get"
    case .collection, .privateEnvironment, .userEnvironment, .publicEnvironment, .editorSettings,
      .shared, .dotEnv, .process:
      call = "request.environment.get"
    case .override, .prompt, .loop, .response, .script, nil: call = "request.variables.get"
    }
    return "\(call)(\"\(name)\")"
  }

  /// The remarks on import blocks that stand where they have no effect (SC-26).
  var importBlockRemarks: [Diagnostic] {
    var result: [Diagnostic] = []
    var hasBlock = false
    // Most files have no scripts, and 10,000 requests must not be gone through for each letter.
    guard document.blocks.hasAny(.scripts) else { return [] }
    let firstRequest = document.blocks.first { $0.isRequest }?.index ?? .max
    for block in document.blocks.having(.scripts) {
      for script in block.scripts where script.kind == .imports {
        let isLate =
          block.index > firstRequest || block.index == firstRequest && script.isAfterRequest
        if hasBlock || isLate {
          result.append(
            Diagnostic(
              .scriptImportBlock, block.absolute(script.range),
              hasBlock
                ? "A file has one import block. Move this into the one above."
                : "An import block stands above the first request. Move it there."))
        }
        hasBlock = true
      }
    }
    return result
  }
}
