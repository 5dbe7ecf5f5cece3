// Tags that define a variable, as kulala has them: `@env-json-key`, `@env-header-key` and
// `@kulala-file-contents-to-variable`.

import PostKitHTTP
package import PostKitJSON
package import PostKitSyntax

extension ParsedBlock {
  /// The definition that a line makes. Definitions are in the order of their lines.
  fileprivate func variable(onLine line: Range<Int>) -> VariableSyntax? {
    let variables = variables
    var (low, high) = (variables.startIndex, variables.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if variables[middle].line.lowerBound < line.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return variables[low...].first.flatMap { $0.line == line ? $0 : nil }
  }
}

extension Evaluator {
  /// Checks a tag that defines a variable before its request is sent.
  mutating func check(
    _ tag: MetadataSyntax, _ form: VariableSyntax.Form, of block: ParsedBlock, isShared: Bool
  ) {
    let key = block.text(tag.key)
    guard let variable = block.variable(onLine: tag.line) else {
      let words =
        switch form {
        case .member: ("the path of a member of the response's body", "token data.token")
        case .header: ("the name of a header of the response", "session X-Session")
        case .file, .text: ("the path of a file", "letter ./letter.txt")
        }
      let sentence = "Write a variable, then \(words.0): `@\(key) \(words.1)`."
      return report(.syntax(sentence), block.absolute(tag.line))
    }
    if form == .file {
      // What a shared block defines is looked at where it is used.
      if !isShared { _ = value(of: variable, in: block) }
      return
    }
    if isShared {
      let what = "This version ignores `@\(key)` in a shared block."
      return report(.unsupported(what), block.absolute(tag.line), .warning)
    }
    let path = block.text(variable.value)
    guard form == .member, !path.contains("{{") else { return }
    do throws(JSONPathError) {
      _ = try JSONPath(path)
    } catch {
      let sentence =
        "The path `\(path)` can't be read: \(error.explanation). "
        + "Write one such as `data.items[0].id`."
      report(.syntax(sentence), block.absolute(variable.value))
    }
  }

  /// The value that a response gives a definition after it, or why it gives none.
  package mutating func value(
    of variable: VariableSyntax, in block: ParsedBlock, from exchange: ReferencedExchange
  ) -> Result<JSONValue, EvaluationProblem> {
    let range = block.absolute(variable.line)
    let text = String(keeping: expand(variable.value, of: block, place: .metadata))
    if var problem = problems.first {
      problem.severity = .warning
      return .failure(problem)
    }
    let reference = reference(into: exchange, at: range.lowerBound)
    let outcome =
      variable.form == .header
      ? reference.resolve(".response.headers['\(text)']") : reference.member(text)
    let explanation: String
    switch outcome {
    case .value(let value): return .success(value)
    case .noMatch(let words), .unavailable(let words): explanation = words
    case .badSelector(let mistake):
      explanation = "its path can't be read, \(mistake.explanation)"
    }
    let tag = block.metadata.first { $0.line == variable.line }
    return .failure(
      EvaluationProblem(
        .nothingReceived(
          variable: block.name(of: variable), tag: tag.map { block.text($0.key) } ?? "",
          explanation: explanation),
        range: range, severity: .warning))
  }

  /// The content of the file that a tag names; what is wrong with it is reported there.
  mutating func content(of variable: VariableSyntax, in block: ParsedBlock) -> JSONValue {
    let range = block.absolute(variable.value)
    switch content(path: block.keptText(variable.value), at: range, range.lowerBound, nil) {
    case .value(let value): return value
    case .unresolved(let kind):
      report(kind, range)
      return .string("")
    }
  }

  /// The content of the file that a definition names, for a reference at a range.
  mutating func content(
    of definition: VariableDefinition, at range: Range<Int>, offset: Int
  ) -> Resolution {
    content(
      path: definition.value.substitutionText, at: range, definition.fixedAt ?? offset,
      definition.origin.layer == .importedFile ? definition.origin.path : nil)
  }

  /// The content of a file; a path in an imported file counts from that one first.
  private mutating func content(
    path written: String, at range: Range<Int>, _ offset: Int, _ importer: String?
  ) -> Resolution {
    let path = expand(text: written, reportedAt: range, place: .path, offset: offset)
      .withoutPathEscapes
    var beside: String?
    if let importer, let slash = importer.lastIndex(of: "/"), !path.hasPrefix("/") {
      beside = context.resolvePath(importer[...slash] + path)
    }
    guard let file = beside ?? context.resolvePath(path) else {
      return .unresolved(.fileNotFound(path: path))
    }
    switch context.readFile(file) {
    case .bytes(let bytes): return .value(.string(String(keeping: bytes)))
    case .missing: return .unresolved(.fileNotFound(path: file))
    case .unreadable(let explanation):
      return .unresolved(.fileUnreadable(path: file, explanation: explanation))
    case .outside(let explanation):
      return .unresolved(.fileOutside(path: file, explanation: explanation))
    }
  }
}
