// What the names in references mean, as far as tokens show it: looked up, never evaluated.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// What a name in a reference is.
struct NameMeaning: Sendable, Hashable {
  var type: SemanticTokenType
  var modifiers: SemanticTokenModifiers = []
  /// Whether the text behind the first segment is part of the name.
  var takesRest = false

  /// What nothing defines.
  static let unresolved = NameMeaning(type: .variable, modifiers: .unresolved)
}

/// Looks names up, each once where its place doesn't matter; lives for one look at a file.
final class NameMeanings {
  private let analysis: Analysis
  private var variables: [String: NameMeaning] = [:]
  private var requests: [String: Bool] = [:]
  private let mask: SecretMask
  /// Which definitions have secrets in them; `nil` while that is being found out.
  private var holdingSecrets: [HeldKey: Bool?] = [:]
  /// Whether that was found out in the scope of one block.
  private var holdsOwn = false
  /// Whether a name means the same in the whole file, but for what its block asks for.
  private let isSameEverywhere: Bool
  /// Whether blocks may ask for what tags of other blocks say.
  private let hasSharedBlocks: Bool

  /// Whether all of scripts is painted, not their names alone.
  var paintsAllOfScripts: Bool { analysis.paintsAllOfScripts }

  init(_ analysis: Analysis) {
    self.analysis = analysis
    mask = analysis.suggestionMask
    hasSharedBlocks = !analysis.document.sharedBlocks.isEmpty
    switch analysis.scope.dialect.redefinition {
    case .nearestAbove, .lastInFile: isSameEverywhere = true
    case .topDown, .topDownFixed: isSameEverywhere = false
    }
  }

  /// The scope of a block with names that only it has, such as those it asks for; `nil` for others.
  func ownScope(of block: ParsedBlock) -> Scope? {
    let mayAsk =
      hasSharedBlocks
      || block.metadata.contains { tag in
        switch tag.kind {
        case .prompt, .secret, .kulalaPrompt, .loop: true
        default: false
        }
      }
    let isOwn = mayAsk && (block.loopTag != nil || analysis.scope.asksForValues(block))
    // What is true in the scope of one block need not be in that of another.
    if isOwn || holdsOwn { holdingSecrets = [:] }
    holdsOwn = isOwn
    return isOwn ? analysis.scope(of: block) : nil
  }

  /// What a path in a reference means at an offset; `own` is the scope of its block.
  func meaning(_ name: String, _ rest: String, at offset: Int, own: Scope?) -> NameMeaning {
    guard isSameEverywhere, own == nil else {
      return lookup(name, rest, at: offset, own ?? analysis.scope)
    }
    let key = rest.isEmpty ? name : name + rest
    if let known = variables[key] { return known }
    let found = lookup(name, rest, at: offset, analysis.scope)
    variables[key] = found
    return found
  }

  /// Whether there is a request of a name.
  func isRequest(_ name: String) -> Bool {
    if let known = requests[name] { return known }
    let (scope, files) = (analysis.scope, analysis.scope.files)
    let found =
      files.place(referredToAs: name, from: scope.file) != nil
      || files.place(named: name, from: scope.file) != nil
    requests[name] = found
    return found
  }

  /// What `$name` means.
  func dynamic(_ name: String, _ arguments: String, at offset: Int, own: Scope?) -> NameMeaning {
    let scope = own ?? analysis.scope
    if name.hasPrefix("global.") {
      let path = name.dropFirst("global.".count)
      let key = String(path.prefix { $0 != "." && $0 != "[" })
      let definition = scope.lookup(String(path), at: offset) ?? scope.lookup(key, at: offset)
      if let definition {
        return NameMeaning(type: .variable, modifiers: modifiers(definition, at: offset, scope))
      }
      return scope.requestDefining(key) == nil ? .unresolved : NameMeaning(type: .variable)
    }
    if name == "index" {
      let isCounting = scope.loop["$index"] != nil
      return isCounting ? NameMeaning(type: .variable, modifiers: .defaultLibrary) : .unresolved
    }
    let isKnown =
      name.hasPrefix("env.") || name.hasPrefix("xpath:") || name == "placeholder"
      || DynamicVariables.named(name) != nil
      || name.hasSuffix("-askonce") && DynamicVariables.named(String(name.dropLast(8))) != nil
    var modifiers: SemanticTokenModifiers = isKnown ? .defaultLibrary : .unresolved
    let readsEnvironment = name == "processEnv" || name == "dotenv" || name.hasPrefix("env.")
    let variable = name.hasPrefix("env.") ? String(name.dropFirst(4)) : arguments
    if readsEnvironment, VariableDefinition.nameIsSecret(variable) { modifiers.insert(.secret) }
    return NameMeaning(type: .function, modifiers: modifiers)
  }

  fileprivate func lookup(
    _ name: String, _ rest: String, at offset: Int, _ scope: Scope
  ) -> NameMeaning {
    let whole = rest.isEmpty ? name : name + rest
    if let definition = scope.lookup(whole, at: offset) {
      return NameMeaning(
        type: .variable, modifiers: modifiers(definition, at: offset, scope), takesRest: true)
    }
    if !rest.isEmpty {
      if let definition = scope.lookup(name, at: offset) {
        return NameMeaning(type: .variable, modifiers: modifiers(definition, at: offset, scope))
      }
      let requests = Evaluator.requestNames(in: name)
      if name == "response" || requests.contains(where: { scope.request(referredToAs: $0) != nil })
      {
        return NameMeaning(type: .label)
      }
    }
    if scope.dialect.readsProcessEnvironment, analysis.context.processEnvironment(whole) != nil {
      let secret: SemanticTokenModifiers = VariableDefinition.nameIsSecret(whole) ? .secret : []
      return NameMeaning(type: .variable, modifiers: secret.union(.readonly), takesRest: true)
    }
    if rest.isEmpty, scope.dialect.readsLiterals, ["true", "false", "null"].contains(name) {
      return NameMeaning(type: .keyword)
    }
    if scope.requestDefining(whole) != nil { return NameMeaning(type: .variable, takesRest: true) }
    return scope.requestDefining(name) == nil ? .unresolved : NameMeaning(type: .variable)
  }

  private func modifiers(
    _ definition: VariableDefinition, at offset: Int, _ scope: Scope
  ) -> SemanticTokenModifiers {
    let isAskedFor =
      definition.origin.layer == .prompt && scope.secretPrompts.contains(definition.name)
    let isSecret = definition.isSecret || isAskedFor || holdsSecret(definition, at: offset, scope)
    var result: SemanticTokenModifiers = isSecret ? .secret : []
    switch definition.origin.layer {
    case .override, .prompt, .loop, .script, .global, .response, .file, .importedFile: break
    case .collection, .privateEnvironment, .userEnvironment, .publicEnvironment, .editorSettings,
      .shared, .dotEnv, .process:
      result.insert(.readonly)
    }
    return result
  }
}

extension NameMeanings {
  /// A definition where it is read.
  fileprivate struct HeldKey: Hashable {
    var definition: VariableDefinition
    /// Where its references are looked up; 0 where that makes no difference.
    var place: Int
  }

  /// Whether a text has the value of a secret in it.
  func isSecret(_ text: String) -> Bool { mask.mask(text).didMask }

  /// Whether what a definition stands for has a secret in it, be it by way of other names: hovers
  /// mask it then (CONTRACTS.md, section 5).
  fileprivate func holdsSecret(
    _ definition: VariableDefinition, at offset: Int, _ scope: Scope
  ) -> Bool {
    guard !definition.isFile, case .string(let text) = definition.value else { return false }
    if isSecret(text) { return true }
    guard !definition.isLiteral, text.contains("{{") else { return false }
    let place = definition.fixedAt ?? offset
    let key = HeldKey(definition: definition, place: isSameEverywhere ? 0 : place)
    // What reads itself has no value.
    if let known = holdingSecrets[key] { return known ?? false }
    holdingSecrets[key] = .some(nil)
    let holds = NameMeanings.references(in: text).contains { expression in
      switch expression {
      case .dynamic(let name, let arguments):
        dynamic(name, arguments, at: place, own: scope).modifiers.contains(.secret)
      case .path(let name, let rest):
        lookup(name, rest, at: place, scope).modifiers.contains(.secret)
      case .script, .empty: false
      }
    }
    holdingSecrets[key] = holds
    return holds
  }

  private static func references(in text: String) -> [ReferenceExpression] {
    let bytes = Array(text.utf8)
    return TemplateParser.pieces(bytes, in: 0..<bytes.count).compactMap { piece in
      guard case .reference(let reference) = piece else { return nil }
      return reference.expression
    }
  }

  /// The names whose values read some of those, be it by way of others, as numbers; those
  /// themselves with them.
  func readers(of names: Set<UInt32>) -> Set<UInt32> {
    var values: [(name: String, value: String)] = []
    for block in analysis.document.blocks {
      for variable in block.variables {
        values.append((block.name(of: variable), block.text(variable.value)))
      }
    }
    for definition in analysis.scope.environments.definitions.values {
      if case .string(let text) = definition.value { values.append((definition.name, text)) }
    }
    let reads = values.filter { $0.value.contains("{{") }.map { name, value in
      (name: NameNumber.number(name), read: NameMeanings.references(in: value).flatMap(\.numbers))
    }
    var result = names
    var count = -1
    while count != result.count {
      count = result.count
      for each in reads where each.read.contains(where: result.contains) {
        result.insert(each.name)
      }
    }
    return result
  }
}

extension ReferenceExpression {
  /// The names that it may read, as numbers.
  fileprivate var numbers: [UInt32] {
    switch self {
    case .path(let name, let rest):
      [NameNumber.number(name)] + (rest.isEmpty ? [] : [NameNumber.number(name + rest)])
    case .dynamic(let name, _):
      name.hasPrefix("global.") ? [NameNumber.number(name.dropFirst("global.".count))] : []
    case .script, .empty: []
    }
  }
}

/// Numbers for names, so that a block can say in a few bytes which names it depends on.
enum NameNumber {
  /// The number of a name in the form in which requests are compared (FNV-1a, 32 bits).
  static func number(_ name: some StringProtocol) -> UInt32 {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return hash(ParsedDocument.foldedName(String(name)).utf8)
    }
    var hash = start
    for byte in name.utf8 where byte != 45 && byte != 32 && !(9...13).contains(byte) {
      hash = (hash ^ UInt32((65...90).contains(byte) ? byte | 0x20 : byte)) &* prime
    }
    return hash
  }

  private static let start: UInt32 = 0x811C_9DC5
  private static let prime: UInt32 = 0x0100_0193

  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(start) { ($0 ^ UInt32($1)) &* prime }
  }
}
