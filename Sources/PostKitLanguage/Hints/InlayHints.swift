// What stands between the words of a file without being in it: values of variables, what became of
// requests that others refer to, definitions that have no effect.

package import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension VariableHints {
  /// Without the setting: values written into a URL read as part of it, and hover has them.
  package static let usual = VariableHints.unresolved
}

/// A text that is drawn into a file.
package struct InlayHint: Sendable, Hashable {
  /// What a hint is about.
  package enum Kind: Sendable, Hashable {
    /// The value of a variable; with the text that could stand in its place, unless it is a secret
    /// or more than that.
    case value(range: Range<Int>, literal: String?)
    /// The last result of the request of that name, and the exchange's id.
    case request(id: String?)
    /// A definition that another one covers.
    case overridden
    /// What a line of a script came to when its request was sent last; the script may have been
    /// edited since.
    case script(isStale: Bool)
  }
  /// Behind what it is drawn.
  package var offset: Int
  package var text: String
  package var kind: Kind
}

extension Analysis {
  /// The hints inside a range, but for the last results on its request lines; those of other
  /// requests only with `results`.
  package func inlayHints(
    in range: Range<Int>, variables: VariableHints, results: Bool = true
  ) -> [InlayHint] {
    document.blocks.filter {
      $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound
    }.flatMap { block -> [InlayHint] in
      guard block.syntax.kind != .prose, block.syntax.kind != .response, !isAbandoned() else {
        return []
      }
      return valueHints(block, range, variables)
        + (results ? requestHints(block, range) + scriptHints(block, range) : [])
        + (variables == .off ? [] : definitionHints(block, range))
    }.sorted { $0.offset < $1.offset }
  }

  /// The whole of what a hint at an offset is about, in Markdown; `nil` where there is none.
  package func inlayHintDetail(
    at offset: Int, environments: () -> [EnvironmentSet] = { [] }
  ) -> String? {
    // A hint stands behind what it is about; behind a definition that is its value.
    let block = document.block(at: max(0, offset - 1))
    let variable = block?.syntax.variables.first { block?.absolute($0.line).upperBound == offset }
    let place = variable.flatMap { block?.absolute($0.nameRange).lowerBound } ?? offset - 1
    return hover(at: max(0, place), environments: environments)?.markdown
  }

  // MARK: - Values

  private func valueHints(
    _ block: ParsedBlock, _ range: Range<Int>, _ variables: VariableHints
  ) -> [InlayHint] {
    guard variables != .off, let request = block.syntax.request, request.curl == nil else {
      return []
    }
    let scope = scope(of: block)
    return block.syntax.references.compactMap { reference in
      let place = block.absolute(reference.range)
      guard place.lowerBound < range.upperBound, range.lowerBound <= place.upperBound,
        reference.range.lowerBound >= request.line.lowerBound,
        case .path(let name, let rest) = reference.expression
      else { return nil }
      let isInURL = request.target.contains {
        $0.lowerBound <= reference.range.lowerBound && reference.range.upperBound <= $0.upperBound
      }
      let isShown = variables == .all || variables == .url && isInURL
      return valueHint(name, rest, place, in: scope, isShown: isShown)
    }
  }

  private func valueHint(
    _ name: String, _ rest: String, _ place: Range<Int>, in scope: Scope, isShown: Bool
  ) -> InlayHint? {
    let known = [name + rest, name].first { scope.lookup($0, at: place.lowerBound) != nil }
    guard let known, let definition = scope.lookup(known, at: place.lowerBound) else {
      let isRequest = scope.request(referredToAs: name) != nil
      let isSet = scope.requestDefining(name) != nil || scope.scriptSetting(name) != nil
      if isRequest || isSet { return nil }
      return InlayHint(
        offset: place.upperBound, text: " not defined", kind: .value(range: place, literal: nil))
    }
    let isOfOneTurn = [.prompt, .loop].contains(definition.origin.layer)
    guard isShown, !isOfOneTurn, !definition.isFile else { return nil }
    var evaluator = Evaluator(context: context, scope: scope, masksSecrets: true)
    let written = String(decoding: document.bytes[place], as: UTF8.self)
    let value = evaluator.display(written, at: place.lowerBound)
    // A value that is another one at each use would be a lie, and what can't be worked out is told
    // by a diagnostic.
    guard evaluator.problems.isEmpty, !evaluator.usedChangingValue, value != written else {
      return nil
    }
    let shown = SecretMask(secrets: knownSecrets + evaluator.secrets).mask(value).text
    return InlayHint(
      offset: place.upperBound, text: " = " + Analysis.short(shown),
      kind: .value(range: place, literal: literal(written, at: place.lowerBound, scope)))
  }

  /// The text that can stand in the place of a reference; `nil` where it has a secret in it, or
  /// would be read otherwise.
  private func literal(_ written: String, at offset: Int, _ scope: Scope) -> String? {
    var evaluator = Evaluator(context: context, scope: scope)
    let value = evaluator.display(written, at: offset)
    let mask = SecretMask(secrets: knownSecrets)
    let isSecret = !evaluator.secrets.isEmpty || mask.mask(value).didMask
    let isPlain = !value.contains("{{") && !value.contains(where: \.isNewline)
    return isSecret || !isPlain ? nil : value
  }

  /// The beginning of a value on one line: as much as doesn't push the rest out of sight.
  private static func short(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let end = line.index(line.startIndex, offsetBy: 40, limitedBy: line.endIndex)
    guard let end, end < line.endIndex else { return line }
    return line.prefix(39) + "…"
  }

  // MARK: - Requests that are referred to

  /// What became of the requests that a block's references and tags name, once for each of them.
  private func requestHints(_ block: ParsedBlock, _ range: Range<Int>) -> [InlayHint] {
    var seen: Set<String> = []
    let tags = block.dependencyTags.map { (block.text($0.value), block.absolute($0.value)) }
    let references = block.syntax.references.compactMap { reference -> (String, Range<Int>)? in
      guard let name = reference.expression.exchangeName else { return nil }
      let place = block.absolute(reference.range)
      let isVariable = [name, String(decoding: block.slice(reference.inner), as: UTF8.self)]
        .contains { scope.lookup($0, at: place.lowerBound) != nil }
      return isVariable ? nil : (name, place)
    }
    return (tags + references).compactMap { name, place in
      guard place.lowerBound < range.upperBound, range.lowerBound <= place.upperBound,
        let found = referredTo(name), seen.insert(found.name ?? name).inserted
      else { return nil }
      let result = result(of: found)
      return InlayHint(
        offset: place.upperBound, text: result.map(outcome) ?? "not sent yet",
        kind: .request(id: result?.id))
    }
  }

  /// The request of this file that a name means; what became of others is not known here.
  private func referredTo(_ name: String) -> ParsedBlock? {
    for name in Evaluator.requestNames(in: name) {
      if let place = scope.files.place(referredToAs: name, from: scope.file), place.file == 0 {
        return scope.files.block(place)
      }
    }
    return nil
  }

  /// Such as `200, 5 min ago`.
  private func outcome(_ result: LastResult) -> String {
    let status =
      result.isFailure
      ? result.status : String(result.status.prefix { $0 != " " })
    return "\(status), \(Analysis.age(context.now() - result.startedAt))"
  }

  /// How long ago something was, as people say it.
  static func age(_ milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1_000
    switch seconds {
    case ..<60: return "just now"
    case ..<3_600: return "\(seconds / 60) min ago"
    case ..<86_400: return "\(seconds / 3_600) h ago"
    default: return "\(seconds / 86_400) d ago"
    }
  }

  // MARK: - Definitions

  private func definitionHints(_ block: ParsedBlock, _ range: Range<Int>) -> [InlayHint] {
    block.syntax.variables.compactMap { variable in
      let line = block.absolute(variable.line)
      guard variable.form == .text, !variable.isAfterResponse,
        range.lowerBound <= line.upperBound, line.lowerBound < range.upperBound,
        let winner = scope.lookup(block.name(of: variable), at: line.upperBound),
        winner.origin.layer != .file || winner.origin.range != block.absolute(variable.value)
      else { return nil }
      // A global that a request sets is its own definition, only of another layer.
      if winner.origin.layer == .global, variable.isGlobal { return nil }
      return InlayHint(
        offset: line.upperBound, text: "overridden by " + Analysis.place(of: winner.origin),
        kind: .overridden)
    }
  }

  private static func place(of origin: VariableOrigin) -> String {
    switch origin.layer {
    case .file: "line \(origin.line)"
    case .override, .prompt, .loop, .script, .global, .response: "the \(origin.layer.rawValue)"
    case .importedFile, .collection, .privateEnvironment, .userEnvironment, .publicEnvironment,
      .editorSettings, .shared, .dotEnv, .process:
      origin.environment
        ?? "\(origin.layer.rawValue)" + (origin.path.isEmpty ? "" : " (\(name(of: origin.path)))")
    }
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
