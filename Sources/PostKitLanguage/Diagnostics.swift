// Problems as an editor shows them: place, sentence, severity, code.

import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax
import PostKitText

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
  /// The exchange that it tells of; `nil` where it is about the text alone.
  package var exchange: String?
  /// What the same is said of at other places, so that saying it once is enough.
  package var subject: Subject?

  /// What several diagnostics of a file may be about.
  package enum Subject: Sendable, Hashable {
    /// A name that environments define, while none of them is selected.
    case unselected(name: String)
    /// A request whose response is read and isn't there.
    case unsent(request: String)
  }

  /// Makes a diagnostic; of a message that quotes more than anybody reads the middle is left out.
  init(range: Range<Int>, severity: DiagnosticSeverity, code: String, message: String) {
    self.range = range
    self.severity = severity
    self.code = code
    self.message = message.excerpt
  }
}

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
    let (nameProblems, looked) = nameProblems(block)
    result += nameProblems
    result += definitionRemarks(block)
    result += look.advice.remarks(on: block)
    result += block.syntax.assertions.flatMap { checkRemarks($0, block) }
    result += scriptRemark(block)
    let (problems, spec, own, used) =
      block.isRequest ? requestProblems(block, &look.lowering) : definitionProblems(block)
    result += [spec.flatMap { insecureAuthorization(block, $0, own) }].compactMap { $0 }
    let secrets = own.union(context.exchangeSecrets)
    result = joining(result, problems.filter { $0.path == nil }, hiding: secrets)
    let defined = block.variables.map(block.name(of:))
    let all = looked.isEmpty && defined.isEmpty ? used : used.union(looked).union(defined)
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
  /// sentences, and the names that were looked up.
  private typealias Evaluation = (
    [EvaluationProblem], RequestSpec?, secrets: Set<String>, names: Set<String>
  )

  private func requestProblems(
    _ block: ParsedBlock, _ lowering: inout FileLowering
  ) -> Evaluation {
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
      return (lowered.problems, lowered.spec, lowered.secrets, lowered.names)
    }
    // The answers are not known, so what is made of them can't be judged; and what only lends its
    // headers is sent nowhere.
    let problems = lowered.problems.filter { problem in
      switch problem.kind {
      case .badURL, .badDuration, .fileNotFound, .missingHost: false
      default: true
      }
    }
    return (problems, lowered.spec, lowered.secrets, lowered.names)
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
    guard block.syntax.kind == .global else { return ([], nil, [], []) }
    var evaluator = Evaluator(context: context, scope: scope)
    for variable in block.syntax.variables where !variable.isAfterResponse {
      _ = evaluator.value(of: variable, in: block)
    }
    return (evaluator.problems, nil, evaluator.secrets, evaluator.names)
  }

  /// Environment files that can't be read, and a chosen environment that none of them defines, with
  /// which nothing is sent; they have no place in this file.
  var environmentProblems: [Diagnostic] {
    let environments = scope.environments
    var result = environments.problems.map {
      Diagnostic(range: 0..<0, severity: .warning, code: $0.code.rawValue, message: $0.message)
    }
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
    var severity: DiagnosticSeverity =
      switch problem.severity {
      case .error: .error
      case .warning: .warning
      case .information: .information
      }
    var code = problem.code.rawValue
    var message = problem.message(on: surface)
    var subject: Diagnostic.Subject?
    switch problem.kind {
    case .requestNotRun(let name):
      // The request is sent first, or the user sends it: no mistake of the text.
      severity = .hint
      code = "request-not-run"
      message = surface.needing(name, isSentFirst: scope.dialect.neededRequests != .never)
      subject = .unsent(request: name)
    case .unresolvedVariable(let name, _, let environments, nil) where !environments.isEmpty:
      subject = .unselected(name: name)
    // The file is as its author means it; what can't be done with it yet is ours.
    case .setByScript:
      severity = .information
      code = "set-by-script"
    // The user is asked when it is sent.
    case .unsupported, .fileOutside:
      severity = .information
    case .importUnresolved: code = "import-unresolved"
    case .importCycle: code = "import-cycle"
    case .runUnresolved, .runNotInFile, .runFileUnresolved: code = "run-unresolved"
    case .requestCycle: code = "request-cycle"
    // Sent nevertheless: some servers are more patient than others.
    case .multipartBoundary: severity = .error
    default: break
    }
    var result = Diagnostic(
      range: problem.range, severity: severity, code: code, message: message)
    result.subject = subject
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
      range: block.absolute(range), severity: .warning, code: "duplicate-name",
      message: "The request on line \(line) is already called `\(block.text(range))`. "
        + "References read the one sent last. Rename one of them.")
  }

  /// The sentence for a problem of form; `nil` where the evaluation of a request words it.
  private static func diagnostic(_ problem: SyntaxProblem, _ block: ParsedBlock) -> Diagnostic? {
    let words: (DiagnosticSeverity, String, String)? =
      switch problem.kind {
      case .indentedSeparator:
        (.information, "indented-separator",
          "Other tools read an indented `###` as a comment. Move it to the start of the line.")
      case .missingSeparator:
        (.warning, "missing-separator",
          "This looks like a request line but belongs to the body above. Add `###` before it.")
      case .missingBlankLine:
        (.warning, "missing-blank-line",
          "The body follows the headers without a blank line. Add one before it.")
      case .unknownMethod(let method):
        (.information, "unknown-method",
          "Unknown method `\(method)` is sent as written. Check its spelling.")
      case .unclosedReference:
        (.error, "unclosed-variable", "This reference is not closed. Add `}}`.")
      case .metadataInBody:
        (.warning, "metadata-in-body",
          "A tag inside a body has no effect. Move the line above the request line.")
      case .assertionInBody:
        (.hint, "assertion-in-body",
          "This looks like a check but is sent as part of the body. Add a blank line above it.")
      case .assertionSyntax:
        (.error, "assertion-syntax", EvaluationProblem(.assertionSyntax, range: 0..<0).message)
      case .missingRequestLine:
        (block.isRequest ? .error : .warning, "no-request-line",
          "The request line is missing. Write a method and a URL, such as "
            + "`GET https://example.com`.")
      case .malformedVariable:
        (.error, "variable-syntax",
          "This is not a definition. Write `@name = value`.")
      case .invalidUTF8:
        (.warning, "invalid-utf8",
          "These bytes are not UTF-8 and stay as they are. If that is a mistake, save the file as "
            + "UTF-8.")
      case .unterminatedScript:
        block.isRequest ? nil : (.error, "syntax", "This script is not closed. Add `%}`.")
      case .malformedHeader, .textAfterHandler:
        nil
      }
    guard let (severity, code, message) = words else { return nil }
    return Diagnostic(
      range: block.absolute(problem.range), severity: severity, code: code, message: message)
  }
}
