// Problems as an editor shows them: place, sentence, severity, code.

import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax
import PostKitText

extension Diagnostic {
  /// The mistake that settings or environments name a file that isn't there.
  package static func missingFile(_ occurrence: NameOccurrence) -> Diagnostic {
    Diagnostic(
      .fileNotFound, occurrence.range,
      "File `\(occurrence.rest.excerpt)` not found, so requests that need it can't be sent. "
        + "Correct the path, or put the file at \(occurrence.name.excerpt).")
  }

  /// The remark that a file is longer than so many megabytes, so that nothing in it is looked at.
  package static func tooLong(megabytes: Int) -> Diagnostic {
    Diagnostic(
      .tooLong, 0..<0,
      "The file is larger than \(megabytes) MB, so PostKit does not check it. Split it.")
  }
}

/// What was found in one block.
package struct BlockFindings: Sendable {
  /// The diagnostics, the form before the meaning.
  package var diagnostics: [Diagnostic]
  /// The names whose meaning it depends on, beside the block itself.
  var names: [String]
}

/// What looks at all blocks of a file, one after the other. To copy what each part holds takes
/// longer than to look at a block.
struct FileLook {
  var advice: Advice
  var lowering: FileLowering

  /// Is going to look at blocks, first at one of them.
  init(_ analysis: Analysis, _ block: ParsedBlock) {
    advice = Advice(analysis, block)
    lowering = FileLowering(
      block, evaluator: Evaluator(context: analysis.context, scope: analysis.scope),
      defaults: analysis.defaults)
  }
}

extension Analysis {
  /// All diagnostics in the order of the file; of more than `limit` the first ones, and one that
  /// says so.
  package func diagnostics(limit: Int) -> [Diagnostic] {
    var cache = DiagnosticsCache()
    return diagnostics(limit: limit, reusing: &cache)
  }

  /// The diagnostics of one block: its form, then its meaning.
  package func findings(in block: ParsedBlock) -> BlockFindings {
    var look = FileLook(self, block)
    return findings(in: block, &look)
  }

  /// The same by who looks at all blocks of the file.
  func findings(in block: ParsedBlock, _ look: inout FileLook) -> BlockFindings {
    // There may be millions of separators, which are nothing to look at.
    if block.problems.isEmpty, block.metadata.isEmpty, block.syntax.kind == .empty {
      return BlockFindings(diagnostics: [], names: [])
    }
    var result = block.syntax.problems.compactMap { Analysis.diagnostic($0, block) }
    let (nameProblems, problemNames) = nameProblems(block)
    var looked = problemNames
    result += nameProblems
    result += definitionRemarks(block)
    result += look.advice.remarks(on: block)
    result += block.syntax.assertions.flatMap { checkRemarks($0, block) }
    let (scriptRemarks, scriptNames) = scriptRemarks(block)
    result += scriptRemarks
    let (problems, spec, hidden, used, needs) =
      block.isRequest ? requestProblems(block, &look.lowering) : definitionProblems(block)
    result += [spec.flatMap { insecureAuthorization(block, $0, hidden) }].compactMap { $0 }
    let secrets = hidden.union(context.exchangeSecrets)
    result += tokenRemarks(block, needs, hiding: secrets)
      + clientProblems(block, problems, hiding: secrets)
    let own = problems.filter { $0.path == nil && !isSetBeforeSending($0, block) }
    result = joining(result, own, hiding: secrets)
    if descriptions != nil {
      let (findings, names) = descriptionFindings(block, spec)
      result += findings.map(\.diagnostic)
      looked.formUnion(names)
    }
    let defined = block.variables.map(block.name(of:))
    let isAll = looked.isEmpty && defined.isEmpty && scriptNames.isEmpty
    let all = isAll ? used : used.union(looked).union(defined).union(scriptNames)
    return BlockFindings(diagnostics: result, names: Array(all))
  }

  /// Diagnostics of a block's form with those of its meaning, each once. A block may have tens of
  /// thousands of both, so that they are not compared with each other.
  private func joining(
    _ form: [Diagnostic], _ problems: [EvaluationProblem], hiding secrets: Set<String>
  ) -> [Diagnostic] {
    if problems.isEmpty { return form }
    let errors = RangeCover(form.lazy.filter { $0.severity == .error }.map(\.range))
    var result = form
    var ranges = Set(form.map(\.range))
    var all = Set(form)
    for problem in problems {
      // What can't be read can't be a URL either: one diagnostic is enough.
      if problem.code == .syntax, errors.overlaps(problem.range) { continue }
      // What has a sentence of its own need not be called unsupported, too.
      if case .unsupported = problem.kind, ranges.contains(problem.range) { continue }
      let found = diagnostic(problem.masking(secrets))
      guard all.insert(found).inserted else { continue }
      result.append(found)
      ranges.insert(found.range)
    }
    return result
  }

  /// What is wrong with the names of requests and files in a block, and the names looked up for it.
  private func nameProblems(_ block: ParsedBlock) -> ([Diagnostic], Set<String>) {
    if block.directives.isEmpty && block.metadata.isEmpty { return ([], []) }
    // Of a request that is sent once, its evaluation reports all but the lines before it.
    if block.isRequest, block.directives.isEmpty, !block.mayRepeat { return ([], []) }
    var names = Evaluator(context: context, scope: scope)
    names.reportNames(of: block)
    return (names.problems.map(diagnostic), names.names)
  }

  /// What evaluating a block brings up: mistakes, what would be sent, the secrets to keep out of
  /// sentences, the names that were looked up, and what has to be got first.
  private typealias Evaluation = (
    [EvaluationProblem], RequestSpec?, secrets: Set<String>, names: Set<String>, needs: [Need]
  )

  private func requestProblems(_ block: ParsedBlock, _ lowering: inout FileLowering) -> Evaluation {
    let lowered: LoweredRequest
    var asks = !scope.prompted.isEmpty
    if hasOwnScope(block) {
      let scope = scope(of: block)
      asks = !scope.prompted.isEmpty
      lowered = Lowering.lower(
        block, evaluator: Evaluator(context: context, scope: scope), defaults: defaults)
    } else {
      lowered = lowering.lower(block)
    }
    if !asks, lowered.needs.isEmpty, !onlyLendsHeaders(block) {
      return (lowered.problems, lowered.spec, lowered.secrets, lowered.names, [])
    }
    let problems = lowered.problems.filter { !$0.dependsOnAnswers }
    return (problems, lowered.spec, lowered.secrets, lowered.names, lowered.needs)
  }

  /// Whether a block is only a place for headers that others share.
  func onlyLendsHeaders(_ block: ParsedBlock) -> Bool {
    // `Shared` or `Shared each`: hardly any title has that length.
    guard let title = block.syntax.separator?.title, title.count == 6 || title.count == 11 else {
      return false
    }
    return scope.dialect.sharesBlocks && block.sharing != nil && block.isPlaceholder
  }

  /// References in definitions that no request of this block uses.
  private func definitionProblems(_ block: ParsedBlock) -> Evaluation {
    guard block.syntax.kind == .global else { return ([], nil, [], [], []) }
    var evaluator = Evaluator(context: context, scope: scope)
    for variable in block.syntax.variables where !variable.isAfterResponse {
      _ = evaluator.value(of: variable, in: block)
    }
    return (evaluator.problems, nil, evaluator.secrets, evaluator.names, [])
  }

  /// Environment files that can't be read, and a chosen environment that none of them defines, with
  /// which nothing is sent; they have no place in this file.
  var environmentProblems: [Diagnostic] {
    let environments = scope.environments
    var result = environments.problems.map { Diagnostic(.environmentFile, 0..<0, $0.message) }
    if let name = environments.active.flatMap(environments.missing(in:)) {
      result.append(
        diagnostic(
          EvaluationProblem(
            .environmentNotFound(name: name, known: environments.names), range: 0..<0)))
    }
    return result
  }

  /// Requests that can't be sent because they name each other.
  var requestCircles: [Diagnostic] { scope.requestCircles.map(diagnostic) }

  /// The diagnostic of a problem, in the words for the editor or the command line.
  func diagnostic(_ problem: EvaluationProblem) -> Diagnostic {
    let (code, severity) = problem.diagnosed
    var result = Diagnostic(code, problem.range, problem.message(on: surface), severity: severity)
    if case .requestNotRun(let name) = problem.kind {
      let isSentFirst = scope.dialect.neededRequests != .never
      result.message = surface.needing(name, isSentFirst: isSentFirst).excerpt
      result.subject = .unsent(request: name)
    } else if case .unresolvedVariable(let name, _, let environments, nil) = problem.kind,
      !environments.isEmpty
    {
      result.subject = .unselected(name: name)
    }
    return result
  }

  /// The remark that a request's name is taken by an earlier one.
  func duplicateName(_ block: ParsedBlock, of first: Int) -> Diagnostic {
    let tag = block.syntax.metadata.first { $0.kind == .name && !$0.value.isEmpty }
    let range = tag?.value ?? block.syntax.separator?.title ?? 0..<0
    let original = document.blocks[first]
    let start = original.syntax.request?.line.lowerBound ?? 0
    let line = document.line(at: original.range.lowerBound + start) + 1
    return Diagnostic(
      .duplicateName, block.absolute(range),
      "The request on line \(line) is already called `\(block.text(range))`. "
        + "References read the one sent last. Rename one of them.")
  }

  /// The sentence for a problem of form; `nil` where the evaluation of a request words it.
  private static func diagnostic(_ problem: SyntaxProblem, _ block: ParsedBlock) -> Diagnostic? {
    let words: (DiagnosticCode, String)? =
      switch problem.kind {
      case .indentedSeparator:
        (.indentedSeparator,
          "Other tools read an indented `###` as a comment. Move it to the start of the line.")
      case .missingSeparator:
        (.missingSeparator,
          "This looks like a request line but belongs to the body above. Add `###` before it.")
      case .missingBlankLine:
        (.missingBlankLine,
          "The body follows the headers without a blank line. Add one before it.")
      case .unknownMethod(let method):
        (.unknownMethod,
          "Unknown method `\(method)` is sent as written. Check its spelling.")
      case .unclosedReference:
        (.unclosedVariable, "This reference is not closed. Add `}}`.")
      case .metadataInBody:
        (.metadataInBody,
          "A tag inside a body has no effect. Move the line above the request line.")
      case .assertionInBody:
        (.assertionInBody,
          "This looks like a check but is sent as part of the body. Add a blank line above it.")
      case .assertionSyntax:
        (.assertionSyntax, EvaluationProblem(.assertionSyntax, range: 0..<0).message)
      case .missingRequestLine:
        (.noRequestLine,
          "The request line is missing. Write a method and a URL, such as "
            + "`GET https://example.com`.")
      case .malformedVariable:
        (.variableSyntax,
          "This is not a definition. Write `@name = value`.")
      case .invalidUTF8:
        (.invalidUTF8,
          "These bytes are not UTF-8 and stay as they are. If that is a mistake, save the file as "
            + "UTF-8.")
      case .unterminatedScript:
        block.isRequest ? nil : (.syntax, "This script is not closed. Add `%}`.")
      case .malformedHeader, .textAfterHandler:
        nil
      }
    guard let (code, message) = words else { return nil }
    return Diagnostic(
      code, block.absolute(problem.range), message,
      severity: code == .noRequestLine && !block.isRequest ? .warning : nil)
  }
}

extension EvaluationProblem {
  /// Whether it may be gone once the questions of the request are answered.
  fileprivate var dependsOnAnswers: Bool {
    if case .badURL = kind { return true }
    if case .badDuration = kind { return true }
    if case .fileNotFound = kind { return true }
    return kind == .missingHost
  }

  /// What a diagnostic calls it, and how serious that is.
  fileprivate var diagnosed: (DiagnosticCode, DiagnosticSeverity) {
    let severity: DiagnosticSeverity =
      switch self.severity {
      case .error: .error
      case .warning: .warning
      case .information: .information
      }
    return switch kind {
    case .unresolvedVariable, .processVariableMissing, .providerValue, .noMatch, .redactedResponse,
      .selectorUnavailable, .placeholder, .nothingReceived:
      (.unresolvedVariable, severity)
    // The file is as its author means it; what can't be done with it yet is ours.
    case .setByScript: (.setByScript, .information)
    case .variableCycle: (.variableCycle, severity)
    // The request is sent first, or the user sends it: no mistake of the text.
    case .requestNotRun: (.requestNotRun, .hint)
    case .selectorSyntax(_, let mistake):
      (mistake.language == .jsonPath ? .jsonPathSyntax : .xpathSyntax, severity)
    case .dynamicArguments: (.dynamicArguments, severity)
    case .fileNotFound, .fileUnreadable, .certificateNotFound: (.fileNotFound, severity)
    // The user is asked when it is sent.
    case .fileOutside: (.fileNotFound, .information)
    case .luaScript: (.scriptLanguage, .warning)
    case .unsupported, .scriptFailed, .expressionPending: (.protocolUnsupported, .information)
    case .importUnresolved: (.importUnresolved, severity)
    case .importCycle: (.importCycle, severity)
    case .runUnresolved, .runNotInFile, .runFileUnresolved: (.runUnresolved, severity)
    case .requestCycle: (.requestCycle, severity)
    case .requestNotFound: (.requestNotFound, severity)
    case .environmentFileBroken, .environmentRemark: (.environmentFile, severity)
    case .environmentNotFound, .inputMissing, .notAChoice, .processVariableWithheld:
      (.usage, severity)
    case .missingHost, .badURL, .badDuration, .headerInjection, .syntax, .unknownEncoding:
      (.syntax, severity)
    case .malformedHeader: (.malformedHeader, severity)
    case .textAfterHandler: (.textAfterHandler, severity)
    case .credentialShape, .signatureService: (.credentialShape, severity)
    case .unknownSignIn, .signIn:
      (DiagnosticCode(rawValue: code.rawValue) ?? .credentialShape, severity)
    case .assertionSyntax, .assertionSpelling, .assertionSubject: (.assertionSyntax, severity)
    case .graphQLVariables: (.graphQLVariables, severity)
    // Sent nevertheless: some servers are more patient than others.
    case .multipartBoundary: (.multipartBoundary, .error)
    case .curlOption: (.curlOption, severity)
    }
  }
}
