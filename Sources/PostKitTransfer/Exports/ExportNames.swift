// What the references of exported requests mean, and the variables that they need.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// The names of one export. It belongs to the reader; nothing of it is shared.
final class ExportNames {
  /// A request file as it is asked for names: in the environment that was asked for first.
  struct View {
    var scope: Scope
    let context: EvaluationContext
    /// The place of the request that the name is used in.
    var user: Int
  }

  /// The variables by the names that they have in the export.
  private(set) var variables: [ExportedVariable] = []
  /// The names that environments give values, as far as requests use them.
  private(set) var environmentNames: Set<String> = []
  /// The names that nothing defines.
  private var undefined: Set<String> = []
  /// The names that no variable of a file may have, because an environment has them.
  private let reserved: Set<String>
  /// The names that scripts set, with the request and the part of its response.
  private var captures: [String: [(request: Int, part: ExportedPart)]] = [:]
  /// The secrets that stand literally in requests, with the names that they got.
  private var literals: [String: String] = [:]
  /// The variables that stand for tokens of clients, with the names of these.
  private(set) var tokens: [String: String] = [:]
  /// The variables that stand for ID tokens of clients, with the names of these: no client of
  /// another tool is asked for both tokens.
  private(set) var idTokens: [String: String] = [:]
  /// The names that were given up, with those that stand for them.
  private(set) var renamed: [(from: String, to: String)] = []
  /// The place of a request among those of the export.
  private let place: (Scope, RequestPlace) -> Int
  private var visiting: [String] = []

  /// How deep values may name each other.
  private static let depthLimit = 50

  /// Makes names that keep clear of those of environments. `place` finds a request.
  init(reserved: Set<String>, place: @escaping (Scope, RequestPlace) -> Int) {
    self.reserved = reserved
    self.place = place
  }

  /// Says that a script of a request sets a name.
  func add(capture name: String, _ part: ExportedPart, of request: Int) {
    captures[name, default: []].append((request, part))
  }

  /// A text with references, as names mean at an offset.
  func text(_ written: String, at offset: Int, _ view: View) -> ExportedText {
    let bytes = written.keptBytes
    var result = ExportedText()
    for piece in TemplateParser.pieces(bytes, in: 0..<bytes.count) {
      switch piece {
      case .literal(let range): result.append(String(keeping: bytes[range]))
      case .escapedReference(let range):
        result.append("{{" + String(keeping: bytes[range]) + "}}")
      case .reference(let reference):
        let written = String(decoding: bytes[reference.range], as: UTF8.self)
        let meant = self.reference(reference.expression, written, at: offset, view)
        if reference.isPercentEncoded {
          for piece in meant.pieces {
            switch piece {
            case .literal(let text): result.append(PercentEncoding.encodeComponent(text))
            case .reference(let inner, _): result.append(inner, isEncoded: true)
            }
          }
        } else {
          result.append(meant)
        }
      }
    }
    return result
  }

  /// What an expression means at an offset.
  func reference(
    _ expression: ReferenceExpression, _ written: String, at offset: Int, _ view: View
  ) -> ExportedText {
    switch expression {
    case .empty, .script: return ExportedText(.unknown(written))
    case .dynamic(let name, let arguments):
      return dynamic(name, arguments, written)
    case .path("$global", let rest) where rest.hasPrefix("."):
      return captured(String(rest.dropFirst()), view) ?? ExportedText(.unknown(written))
    case .path(let name, let rest):
      return path(name, rest, written, at: offset, view)
    }
  }

  private func dynamic(_ name: String, _ arguments: String, _ written: String) -> ExportedText {
    if name.hasPrefix("env.") { return ExportedText(.process(String(name.dropFirst(4)))) }
    if name == "processEnv" || name == "dotenv", !arguments.hasPrefix("%") {
      return ExportedText(.process(arguments))
    }
    if name == "auth.token" || name == "auth.idToken" {
      return token(arguments, isID: name == "auth.idToken")
    }
    if name.hasPrefix("global.") { return ExportedText(.unknown(written)) }
    let kind = name.hasSuffix("-askonce") ? String(name.dropLast(8)) : name
    if DynamicVariables.asksUser(kind) {
      let label = arguments.split(separator: "$").first.map(String.init) ?? arguments
      return undefinedVariable(CodeWords.word(label), isSecret: kind == "password")
    }
    return ExportedText(.dynamic(name: name, arguments: arguments))
  }

  /// A token of a client as a variable: who runs the export gets it.
  private func token(_ arguments: String, isID: Bool) -> ExportedText {
    let marks: Set<Character> = ["\"", "'", "(", ")", " "]
    let id = arguments.filter { !marks.contains($0) }
    if let known = (isID ? idTokens : tokens).first(where: { $0.value == id })?.key {
      return ExportedText(.variable(known))
    }
    let base = CodeWords.word(id + (isID ? "_id_token" : "_token"))
    let taken = reserved.union(variables.map(\.name))
    var (name, number) = (base, 1)
    while taken.contains(name) {
      number += 1
      name = "\(base)_\(number)"
    }
    if isID { idTokens[name] = id } else { tokens[name] = id }
    return undefinedVariable(name, isSecret: true)
  }

  private func path(
    _ name: String, _ rest: String, _ written: String, at offset: Int, _ view: View
  ) -> ExportedText {
    if Wildcard.isIn(rest) { return ExportedText(.unknown(written)) }
    let whole = name + rest
    if let definition = view.scope.lookup(whole, at: offset) {
      return value(of: definition, at: offset, view)
    }
    if !rest.isEmpty, view.scope.lookup(name, at: offset) != nil {
      return member(whole, of: name, written, at: offset, view)
    }
    if !rest.isEmpty {
      for candidate in Evaluator.requestNames(in: name) {
        guard let found = view.scope.files.place(referredToAs: candidate, from: view.scope.file)
        else { continue }
        let path = candidate == name ? rest : ".response" + rest
        return ExportedText(
          ExportedPart(path).map { .response(request: place(view.scope, found), $0) }
            ?? .unknown(written))
      }
      if name == "response", let part = ExportedPart(".response" + rest) {
        return ExportedText(.response(request: view.user, part))
      }
    }
    if let later = definedLater(whole, view) { return later }
    return captured(whole, view) ?? undefinedVariable(whole, isSecret: false)
  }

  // MARK: - Variables

  /// The value of a definition: a variable, or the pieces of its value where that is other at each
  /// use.
  private func value(
    of definition: VariableDefinition, at offset: Int, _ view: View
  ) -> ExportedText {
    let name = definition.name
    guard visiting.count < Self.depthLimit, !visiting.contains(name), !definition.isFile else {
      return ExportedText(.unknown("{{\(name)}}"))
    }
    visiting.append(name)
    defer { visiting.removeLast() }
    let written = definition.value.substitutionText
    let text: ExportedText
    if definition.isLiteral || definition.value.string == nil {
      text = ExportedText(written)
    } else {
      text = self.text(written, at: definition.fixedAt ?? offset, view)
    }
    let changes = text.references.contains { reference in
      switch reference {
      case .response, .unknown: true
      case .dynamic: definition.isLazy
      case .variable, .process: false
      }
    }
    let isSecret = Self.isSecret(definition, text)
    if changes, !isSecret { return text }
    if definition.origin.layer.isOfEnvironment {
      environmentNames.insert(name)
      return ExportedText(.variable(name))
    }
    return ExportedText(.variable(add(name, isSecret ? nil : text, isSecret: isSecret)))
  }

  /// Whether the value must not be written: the user's files say so, or its name does and it is
  /// there literally.
  static func isSecret(_ definition: VariableDefinition, _ text: ExportedText) -> Bool {
    if definition.isSecret { return true }
    let hasLiteral = text.pieces.contains {
      if case .literal(let text) = $0 { !text.allSatisfy(\.isWhitespace) } else { false }
    }
    return hasLiteral && VariableDefinition.nameIsSecret(definition.name)
  }

  /// Gives a variable a name, another one where its own is that of another value.
  private func add(_ name: String, _ value: ExportedText?, isSecret: Bool) -> String {
    var (candidate, number) = (name, 1)
    while true {
      // What stands for a literal of a request is another secret, though neither has a value.
      if !reserved.contains(candidate), !literals.values.contains(candidate) {
        guard let known = variables.first(where: { $0.name == candidate }) else { break }
        if known.value == value, known.isSecret == isSecret { return candidate }
      }
      number += 1
      candidate = "\(name)_\(number)"
    }
    if candidate != name { renamed.append((name, candidate)) }
    variables.append(ExportedVariable(name: candidate, value: value, isSecret: isSecret))
    return candidate
  }

  /// A member of a variable whose value is JSON becomes a variable of its own.
  private func member(
    _ whole: String, of name: String, _ written: String, at offset: Int, _ view: View
  ) -> ExportedText {
    let definition = view.scope.lookup(name, at: offset)
    var evaluator = Evaluator(context: view.context, scope: view.scope)
    let value = evaluator.display("{{\(whole)}}", at: offset)
    guard let definition, evaluator.problems.isEmpty else { return ExportedText(.unknown(written)) }
    let isSecret = definition.isSecret || VariableDefinition.nameIsSecret(whole)
    let word = CodeWords.word(whole)
    return ExportedText(
      .variable(add(word, isSecret ? nil : ExportedText(value), isSecret: isSecret)))
  }

  /// A name that nothing defines: whoever runs the export gives its value.
  private func undefinedVariable(_ name: String, isSecret: Bool) -> ExportedText {
    if undefined.insert(name).inserted, !variables.contains(where: { $0.name == name }) {
      variables.append(
        ExportedVariable(
          name: name, value: nil,
          isSecret: isSecret || VariableDefinition.nameIsSecret(name)))
    }
    return ExportedText(.variable(name))
  }

  /// A secret that stands literally in a request becomes a variable without a value.
  func secret(_ text: ExportedText, called name: String) -> ExportedText {
    guard let literal = text.literal, !literal.isEmpty else { return text }
    if let known = literals[literal] { return ExportedText(.variable(known)) }
    let names = Set(variables.map(\.name)).union(reserved)
    var (candidate, number) = (name, 1)
    while names.contains(candidate) {
      number += 1
      candidate = "\(name)\(number)"
    }
    literals[literal] = candidate
    variables.append(ExportedVariable(name: candidate, value: nil, isSecret: true))
    return ExportedText(.variable(candidate))
  }

  // MARK: - Responses

  /// What a request sets by a definition below it, or by a tag.
  private func definedLater(_ name: String, _ view: View) -> ExportedText? {
    guard let found = view.scope.placeDefining(name) else { return nil }
    let block = view.scope.files.block(found)
    guard
      let variable = block.variables.first(where: {
        ($0.isAfterResponse || $0.form == .member || $0.form == .header)
          && block.name(of: $0) == name
      })
    else { return nil }
    let value = block.text(variable.value)
    let request = place(view.scope, found)
    switch variable.form {
    case .member: return ExportedText(.response(request: request, .member(ExportedPath(value))))
    case .header: return ExportedText(.response(request: request, .header(value)))
    case .file: return nil
    case .text:
      guard visiting.count < Self.depthLimit, !visiting.contains(name) else { return nil }
      visiting.append(name)
      defer { visiting.removeLast() }
      var inner = view
      inner.user = request
      inner.scope.file = found.file
      return text(value, at: block.absolute(variable.value).lowerBound, inner)
    }
  }

  /// What a script has set: by the nearest request before, else by the first.
  private func captured(_ name: String, _ view: View) -> ExportedText? {
    guard let places = captures[name] else { return nil }
    let found = places.last { $0.request < view.user } ?? places.first
    return found.map { ExportedText(.response(request: $0.request, $0.part)) }
  }
}

extension ExportedPart {
  /// Reads what follows the name of a request: `.response.body.$.token`; `nil` for a part of the
  /// request itself.
  init?(_ written: String) {
    guard written.hasPrefix(".response") else {
      // `login.token` means a member of the body.
      if written.hasPrefix(".request") { return nil }
      self = .member(ExportedPath(written))
      return
    }
    let rest = written.dropFirst(".response".count)
    let word = rest.dropFirst().prefix { $0 != "." && $0 != "[" }
    let path = rest.dropFirst(1 + word.count)
    switch word {
    case "body" where path.isEmpty || path == ".*": self = .body
    case "body" where path.hasPrefix(".$"): self = .member(ExportedPath(String(path.dropFirst())))
    case "body" where path.hasPrefix("./"): self = .other(String(rest))
    case "body", "parsedBody": self = .member(ExportedPath(String(path)))
    case "status", "statusCode": self = .status
    case "headers":
      var name = path.dropFirst()
      if path.hasPrefix("["), path.hasSuffix("]") {
        name = path.dropFirst(2).dropLast(2)
      }
      self = name.isEmpty ? .other(String(rest)) : .header(String(name))
    default: self = .other(String(rest))
    }
  }
}

extension VariableOrigin.Layer {
  /// Whether an environment gives the value, so that another environment may give another one.
  var isOfEnvironment: Bool {
    switch self {
    case .privateEnvironment, .userEnvironment, .publicEnvironment, .editorSettings, .shared,
      .dotEnv, .collection, .process:
      true
    case .override, .prompt, .loop, .script, .global, .response, .file, .importedFile: false
    }
  }
}
