// Problems as an editor shows them: place, sentence, severity, code (dialects.md, section 9).

import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax

/// How serious a diagnostic is.
package enum DiagnosticSeverity: Int, Sendable, Hashable {
  case error = 1
  case warning, information, hint
}

/// One mistake or remark.
package struct Diagnostic: Sendable, Hashable {
  /// The bytes concerned.
  package var range: Range<Int>
  package var severity: DiagnosticSeverity
  package var code: String
  package var message: String
}

extension Analysis {
  /// All diagnostics in the order of the file, at most `limit`.
  package func diagnostics(limit: Int) -> [Diagnostic] {
    var result: [Diagnostic] = []
    var names: [String: Int] = [:]
    for block in document.blocks {
      result += diagnostics(of: block)
      if let duplicate = duplicateName(block, &names) { result.append(duplicate) }
      if result.count >= limit { return Array(result.prefix(limit)) }
    }
    result += environmentProblems
    return result.sorted { ($0.range.lowerBound, $0.severity.rawValue) < ($1.range.lowerBound, $1.severity.rawValue) }
  }

  /// The diagnostics of one block: its form, then its meaning.
  package func diagnostics(of block: ParsedBlock) -> [Diagnostic] {
    var result = block.syntax.problems.compactMap { Analysis.diagnostic($0, block) }
    let reported = Set(result.map(\.range))
    guard block.isRequest else { return result + definitionProblems(block) }
    let evaluator = Evaluator(context: context, scope: scope)
    let lowered = Lowering.lower(block, evaluator: evaluator, defaults: defaults)
    for problem in lowered.problems where problem.path == nil {
      if reported.contains(problem.range), problem.code == .syntax { continue }
      let diagnostic = Analysis.diagnostic(problem.masking(lowered.secrets))
      if !result.contains(diagnostic) { result.append(diagnostic) }
    }
    return result
  }

  /// References in definitions that no request of this block uses.
  private func definitionProblems(_ block: ParsedBlock) -> [Diagnostic] {
    guard block.syntax.kind == .global else { return [] }
    var evaluator = Evaluator(context: context, scope: scope)
    for variable in block.syntax.variables where !variable.isAfterResponse {
      _ = evaluator.value(of: variable, in: block)
    }
    var seen: Set<Diagnostic> = []
    let secrets = evaluator.secrets
    return evaluator.problems.map { Analysis.diagnostic($0.masking(secrets)) }.filter { seen.insert($0).inserted }
  }

  private var environmentProblems: [Diagnostic] {
    scope.environments.problems.map {
      Diagnostic(range: 0..<0, severity: .warning, code: $0.code.rawValue, message: $0.message)
    }
  }

  private static func diagnostic(_ problem: EvaluationProblem) -> Diagnostic {
    var severity: DiagnosticSeverity =
      switch problem.severity {
      case .error: .error
      case .warning: .warning
      case .information: .information
      }
    var code = problem.code.rawValue
    if case .requestNotRun = problem.kind {
      // The request is sent first, or the user sends it: no mistake of the text.
      severity = .information
      code = "request-not-run"
    }
    if case .unsupported = problem.kind { severity = min(severity, .information, by: \.rawValue) }
    return Diagnostic(
      range: problem.range, severity: severity, code: code, message: problem.message)
  }

  private static func min(
    _ left: DiagnosticSeverity, _ right: DiagnosticSeverity,
    by rank: (DiagnosticSeverity) -> Int
  ) -> DiagnosticSeverity {
    rank(left) > rank(right) ? left : right
  }

  private func duplicateName(_ block: ParsedBlock, _ names: inout [String: Int]) -> Diagnostic? {
    guard block.isRequest, let name = block.name else { return nil }
    defer { names[name] = names[name] ?? block.index }
    guard let first = names[name] else { return nil }
    let range =
      block.syntax.metadata.first { $0.foldedKey == "name" }?.value
      ?? block.syntax.separator?.title ?? 0..<0
    let line = document.line(at: document.blocks[first].range.lowerBound) + 1
    return Diagnostic(
      range: block.absolute(range), severity: .warning, code: "duplicate-name",
      message: "The name `\(name)` is taken by the request on line \(line). "
        + "References to it read whichever was sent last; give one of them another name.")
  }

  /// The sentence for a problem of form; `nil` where evaluation words it.
  private static func diagnostic(_ problem: SyntaxProblem, _ block: ParsedBlock) -> Diagnostic? {
    let words: (DiagnosticSeverity, String, String)? =
      switch problem.kind {
      case .indentedSeparator:
        (.information, "indented-separator",
          "Other tools read an indented `###` as a comment. Move it to the start of the line.")
      case .missingSeparator:
        (.warning, "missing-separator",
          "This looks like a request line, but it is part of the body above. Put `###` before it.")
      case .missingBlankLine:
        (.warning, "missing-blank-line",
          "The body begins without a blank line after the headers. Put one before it.")
      case .unknownMethod(let method):
        (.information, "unknown-method",
          "`\(method)` is no registered method. It is sent as it is.")
      case .unclosedReference:
        (.error, "unclosed-variable", "The reference has no end. Close it with `}}`.")
      case .metadataInBody:
        (.warning, "metadata-in-body",
          "Metadata inside a body has no effect. Move the line above the request line.")
      case .assertionSyntax:
        (.error, "assertion-syntax",
          "This is not an assertion. Write `?? status == 200`, for example.")
      case .missingRequestLine:
        (.warning, "no-request-line",
          "There is no request line here. Write a method and a URL, such as `GET https://example.com`.")
      case .malformedVariable:
        (.error, "variable-syntax",
          "This is not a definition. Write `@name = value`.")
      case .graphQLVariables:
        (.error, "graphql-variables-json", "The variables of a GraphQL query must be a JSON object.")
      case .invalidUTF8:
        (.warning, "invalid-utf8",
          "These bytes are not UTF-8. They are sent as they are; save the file as UTF-8 to be safe.")
      case .malformedHeader, .textAfterHandler, .unterminatedScript:
        nil
      }
    guard let (severity, code, message) = words else { return nil }
    return Diagnostic(
      range: block.absolute(problem.range), severity: severity, code: code, message: message)
  }
}
