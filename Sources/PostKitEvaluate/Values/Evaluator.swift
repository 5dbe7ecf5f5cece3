// Expands references to text, remembers what went wrong and which secrets were used.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Values that must stay the same within a run (PK-35).
package struct StableValues: Sendable, Hashable {
  fileprivate var values: [DefinitionKey: JSONValue] = [:]

  /// Makes an empty set.
  package init() {}
}

/// Tells the definitions of a run apart.
private struct DefinitionKey: Sendable, Hashable {
  let file: Int
  let path: String
  let range: Range<Int>
  let name: String
}

/// Expands the references of one request.
package struct Evaluator {
  package private(set) var context: EvaluationContext
  package private(set) var scope: Scope
  /// Whether unresolved references in bodies are errors (`--strict`).
  package let isStrict: Bool
  package internal(set) var problems: [EvaluationProblem] = []
  /// Every name that was looked up, also those that nothing defines: what came out is the same as
  /// long as these mean the same.
  package internal(set) var names: Set<String> = []
  /// What has to be got for references, in the order of their use.
  package private(set) var needs: [Need] = []
  /// How often something was lacking, whether or not that was noted before.
  var lacks = 0
  /// The values of secrets that were used.
  package private(set) var secrets: Set<String> = []
  /// The values that are the same throughout the run.
  package var stable: StableValues
  /// Whether the mask is put in place of secrets: for displays (CONTRACTS.md, section 5).
  package let masksSecrets: Bool
  /// The file whose text is being expanded, where that isn't the one that was asked for.
  var textPath: String?
  /// What was found out about configurations of sign-ins.
  var clientNotes = ClientNotes()
  private var visiting: [DefinitionKey] = []
  /// Whether the innermost definition is worked out anew at each use.
  private var isInLazyValue = false
  /// Where the text of the reference that is resolved begins in its template.
  private var innerOffset = 0
  /// Whether a value that changes at each use has been used since it was last set to false.
  package internal(set) var usedChangingValue = false
  private var budget = SubstitutionBudget()
  /// What was said of files, which is said once.
  private var filesToldOf: Set<EvaluationProblem.Kind> = []
  /// The definitions that are the same at each place; `nil` for those who work on one block alone.
  private var known: [String: VariableDefinition]?

  /// Makes an evaluator.
  package init(
    context: EvaluationContext, scope: Scope, isStrict: Bool = false,
    stable: StableValues = StableValues(), masksSecrets: Bool = false
  ) {
    self.context = context
    self.scope = scope
    self.isStrict = isStrict
    self.stable = stable
    self.masksSecrets = masksSecrets
    textPath = scope.file == 0 ? nil : scope.files.files[scope.file].path
  }

  /// Records a problem.
  mutating func report(_ problem: EvaluationProblem) {
    if problem.kind.isOfFile { filesToldOf.insert(problem.kind) }
    problems.append(problem)
  }

  /// Records a problem at a range.
  mutating func report(
    _ kind: EvaluationProblem.Kind, _ range: Range<Int>,
    _ severity: EvaluationProblem.Severity = .error
  ) {
    report(EvaluationProblem(kind, range: range, severity: severity))
  }

  /// The definition that a name has at an offset.
  mutating func definition(_ name: String, at offset: Int) -> VariableDefinition? {
    names.insert(name)
    if known == nil { return scope.lookup(name, at: offset) }
    if let definition = known?[name] { return definition }
    let found = scope.lookup(name, at: offset)
    if let found, scope.definesEverywhere(name) { known?[name] = found }
    return found
  }

  /// Forgets what came of one block before the next one is worked on in the same scope.
  mutating func beginBlock() {
    problems = []
    names = []
    needs = []
    secrets = []
    clientNotes = ClientNotes()
    stable = StableValues()
    usedChangingValue = false
    budget = SubstitutionBudget()
    filesToldOf = []
    if known == nil { known = [:] }
  }

  /// Records that something has to be got first.
  mutating func note(_ need: Need) {
    lacks += 1
    if !needs.contains(need) { needs.append(need) }
  }

  /// Records a secret that was used.
  mutating func note(secret: String) {
    if !secret.isEmpty { secrets.insert(secret) }
  }

  /// The value of a text that stands at a range; one whole reference keeps its type (PK-105).
  mutating func value(ofTemplate text: String, of name: String, at range: Range<Int>) -> JSONValue {
    expanded(text, of: name, at: range, place: .body, offset: range.lowerBound)
  }

  /// Adds what a range of the request file stands for.
  mutating func append(
    _ range: Range<Int>, of block: ParsedBlock, place: TemplatePlace, to result: inout [UInt8]
  ) {
    let absolute = block.absolute(range)
    guard block.bytes.mayRefer(in: absolute) else {
      return result.append(contentsOf: block.bytes[absolute])
    }
    append(
      TemplateParser.pieces(block.bytes, in: absolute), of: block.bytes, reportedAt: nil,
      place: place, offset: absolute.lowerBound, to: &result)
  }

  /// Expands bytes; `offset` is the place in the request file from which names are looked up.
  mutating func expand(
    _ bytes: [UInt8], in range: Range<Int>, reportedAt: Range<Int>, place: TemplatePlace,
    offset: Int
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    append(
      TemplateParser.pieces(bytes, in: range), of: bytes, reportedAt: reportedAt, place: place,
      offset: offset, to: &result)
    return result
  }

  /// Adds what the pieces of a template stand for. Problems are reported where their references
  /// stand, unless these stand in no file or in another one.
  private mutating func append(
    _ pieces: [TemplatePiece], of bytes: [UInt8], reportedAt: Range<Int>?, place: TemplatePlace,
    offset: Int, to result: inout [UInt8]
  ) {
    for piece in pieces {
      switch piece {
      case .literal(let literal):
        result.append(contentsOf: bytes[literal])
      case .escapedReference(let inner):
        result.append(contentsOf: "{{".utf8)
        result.append(contentsOf: bytes[inner])
        result.append(contentsOf: "}}".utf8)
      case .reference(let reference):
        let reported = reportedAt ?? reference.range
        innerOffset = reference.inner.lowerBound
        append(reference, of: bytes, at: reported, place: place, offset: offset, to: &result)
      }
    }
  }

  /// Adds the bytes that stand for a reference.
  private mutating func append(
    _ reference: ReferenceSyntax, of bytes: [UInt8], at range: Range<Int>, place: TemplatePlace,
    offset: Int, to result: inout [UInt8]
  ) {
    guard !budget.isSpent else { return }
    if let standIn = context.standIn {
      let written = String(decoding: bytes[reference.range], as: UTF8.self)
      return result.append(contentsOf: standIn(reference, written, offset).utf8)
    }
    switch resolve(reference.expression, at: range, place: place, offset: offset) {
    case .value(let value):
      let text = value.substitutionText
      if budget.isExhausted(by: text.utf8.count, isNested: !visiting.isEmpty) {
        report(.syntax(SubstitutionBudget.sentence), range)
      }
      if budget.isSpent { return }
      if reference.isPercentEncoded {
        result.append(contentsOf: PercentEncoding.encodeComponent(text).utf8)
      } else {
        result.append(restoring: text)
      }
    case .unresolved(let kind):
      var range = range
      // Where the reference stands in the file itself, the mistake has an exact place.
      if case .selectorSyntax(_, let mistake) = kind, range == reference.range {
        range = mistake.range(in: reference.inner)
      }
      result += unresolved(kind, written: Array(bytes[reference.range]), at: range, place: place)
    }
  }

  /// What is sent for a reference that nothing resolves (PK-66, PK-67).
  private mutating func unresolved(
    _ kind: EvaluationProblem.Kind, written: [UInt8], at range: Range<Int>, place: TemplatePlace
  ) -> [UInt8] {
    // A file that can't be read is told of once.
    if kind.isOfFile, !filesToldOf.insert(kind).inserted { return [] }
    let isError =
      isStrict || place != .body || scope.dialect.unresolvedInBody == .error || kind.stopsAnyBody
    problems.append(EvaluationProblem(kind, range: range, severity: isError ? .error : .warning))
    return scope.dialect.unresolvedInBody == .empty ? [] : written
  }

  /// What a reference stands for, or why it stands for nothing.
  enum Resolution {
    case value(JSONValue)
    case unresolved(EvaluationProblem.Kind)
  }

  /// Resolves an expression, as names mean at an offset.
  mutating func resolve(
    _ expression: ReferenceExpression, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> Resolution {
    switch expression {
    case .empty:
      return .unresolved(.syntax("The braces are empty. Write the name of a variable."))
    case .dynamic(let name, let arguments):
      return dynamic(name, arguments, at: range, place: place, offset: offset)
    case .script(let text):
      if let definition = definition(text, at: offset) {
        return use(definition, at: range, place: place, offset: offset)
      }
      return self.expression(text, at: range, offset: offset)
    case .path("$global", let rest) where rest.utf8.first == UInt8(ascii: "."):
      return global(String(rest.dropFirst()), at: range, place: place, offset: offset)
    case .path(let name, let rest):
      return path(name, rest, at: range, place: place, offset: offset)
    }
  }

  /// A variable of the whole text, a member of an object variable, or a part of an exchange.
  private mutating func path(
    _ name: String, _ rest: String, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> Resolution {
    let whole = rest.isEmpty ? name : name + rest
    if let value = scope.iteration[whole] {
      names.insert(Wildcard.variable(name, rest))
      return .value(value)
    }
    if let definition = definition(whole, at: offset) {
      return use(definition, at: range, place: place, offset: offset)
    }
    if !rest.isEmpty, let definition = definition(name, at: offset),
      let value = member(rest, of: definition, at: range, place: place, offset: offset)
    {
      return .value(value)
    }
    if !rest.isEmpty {
      if let (exchange, isResponse) = exchange(named: name) {
        let outcome = reference(into: exchange, at: offset).resolve(
          isResponse ? ".response" + rest : rest)
        return resolution(outcome, exchange, whole)
      }
    }
    if scope.dialect.readsProcessEnvironment, let value = processValue(whole) { return value }
    if rest.isEmpty, scope.dialect.readsLiterals, let value = Evaluator.literals[name] {
      return .value(value)
    }
    if scope.scriptMayKnow(name, hasMembers: !rest.isEmpty) {
      return self.expression(whole, at: range, offset: offset)
    }
    if !rest.isEmpty, let request = scope.request(referredToAs: name) {
      if let mistake = ResponseReference.mistake(in: rest, check: check) {
        return .unresolved(.selectorSyntax(reference: whole, mistake))
      }
      return .unresolved(.requestNotRun(name: request.name ?? name))
    }
    if let kind = scope.lacking[whole] ?? scope.lacking[name] { return .unresolved(kind) }
    if let other = identified(by: name, at: offset) {
      return path(other, rest, at: range, place: place, offset: offset)
    }
    if let request = scope.requestDefining(whole) ?? scope.requestDefining(name) {
      return .unresolved(.requestNotRun(name: request))
    }
    if let provider = scope.environments.providers[name] {
      return .unresolved(.providerValue(name: name, provider: provider))
    }
    let environments = scope.environments.environments(defining: whole)
    let script = setByScript(name, orWhole: whole, called: name)
    if case .setByScript(_, _, let isCertain) = script, let script {
      if isCertain || environments.isEmpty { return .unresolved(script) }
    }
    return .unresolved(
      .unresolvedVariable(
        name: whole,
        suggestion: environments.isEmpty ? suggestion(for: whole, at: offset) : nil,
        environments: environments, selected: scope.environments.active))
  }

  /// The value of a definition, references in it resolved (PK-46).
  mutating func use(
    _ definition: VariableDefinition, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> Resolution {
    let outerPath = textPath
    textPath = path(of: definition)
    defer { textPath = outerPath }
    if definition.isSecret, masksSecrets { return .value(.string(SecretMask.text)) }
    if definition.isFile { return content(of: definition, at: range, offset: offset) }
    guard case .string(let text) = definition.value else {
      if definition.isSecret { definition.value.leaves.forEach { note(secret: $0) } }
      return .value(definition.value)
    }
    guard !definition.isLiteral, text.mayRefer else {
      if definition.isSecret { note(secret: text) }
      return .value(.string(text))
    }
    let key = DefinitionKey(
      file: scope.file, path: definition.origin.path, range: definition.origin.range,
      name: definition.name)
    if !definition.isLazy, let kept = stable.values[key] { return .value(kept) }
    if let start = visiting.firstIndex(of: key) {
      return .unresolved(.variableCycle(visiting[start...].map(\.name) + [definition.name]))
    }
    guard visiting.count < Evaluator.depthLimit else {
      return .unresolved(
        .syntax("`\(definition.name)` is nested more than \(Evaluator.depthLimit) values deep."))
    }
    let outerUsedChangingValue = usedChangingValue
    usedChangingValue = false
    let outerRandom = context.random
    if !definition.isLazy, let named = context.namedRandom {
      context.random = named(scope.stream(of: definition))
    }
    visiting.append(key)
    let outerIsLazy = isInLazyValue
    isInLazyValue = definition.isLazy
    let known = lacks
    let outer = scope.enter(definition)
    let value = expanded(
      text, of: definition.name, at: range, place: place, offset: definition.fixedAt ?? offset)
    scope.leave(outer)
    visiting.removeLast()
    isInLazyValue = outerIsLazy
    context.random = outerRandom
    // What still lacks something is no value yet.
    let isWhole = lacks == known
    if usedChangingValue && !definition.isLazy && isWhole { stable.values[key] = value }
    usedChangingValue = usedChangingValue || outerUsedChangingValue
    if definition.isSecret { note(secret: value.substitutionText) }
    return .value(value)
  }

  /// One whole reference keeps the type of its value (PK-105).
  private mutating func expanded(
    _ text: String, of name: String, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> JSONValue {
    let bytes = text.keptBytes
    let pieces = TemplateParser.pieces(bytes, in: 0..<bytes.count)
    if place != .body, TemplateParser.hasUnclosedReference(pieces, bytes) {
      report(.syntax("In the value of `\(name)`: \(Evaluator.unclosedReference)"), range)
    }
    if case .reference(let reference)? = pieces.first { innerOffset = reference.inner.lowerBound }
    if pieces.count == 1, case .reference(let reference) = pieces[0], !reference.isPercentEncoded,
      case .value(let value) = resolve(
        reference.expression, at: range, place: place, offset: offset)
    {
      return value
    }
    var result: [UInt8] = []
    // What a reference stands for is often longer than its name.
    result.reserveCapacity(2 * bytes.count)
    append(pieces, of: bytes, reportedAt: range, place: place, offset: offset, to: &result)
    return .string(String(keeping: result))
  }

  /// Says where the text of an expression begins that stands in no reference.
  mutating func beginExpression(at offset: Int) { innerOffset = offset }

  /// Where an expression stands that is used at a range.
  func expressionPlace(_ range: Range<Int>) -> (path: String, offset: Int, use: Int) {
    guard let definition = visiting.last else {
      return ("", range.contains(innerOffset) ? innerOffset : range.lowerBound, innerOffset)
    }
    return (
      definition.path, definition.range.lowerBound + innerOffset,
      isInLazyValue ? range.lowerBound : -1
    )
  }
}
