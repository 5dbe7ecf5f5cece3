// Where a request differs from the description of its API (IO-38): method and path here,
// parameters and bodies in the files beside it.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

/// Compares a request with its operation.
struct DescriptionRemarks {
  /// A difference, and the changes that take it away.
  struct Finding {
    var diagnostic: Diagnostic
    var fixes: [QuickFix] = []
    /// Whether the fixes write what may have been meant, in the place of what people wrote.
    var isGuess = false
    /// Whether the request lacks a body, of which there are samples.
    var lacksBody = false

    /// The fix that leaves no choice: the only one, or the one that mends all of the same at once.
    var certain: QuickFix? {
      if isGuess { return nil }
      return fixes.count == 1 ? fixes[0] : fixes.last { $0.title.hasPrefix("Add all ") }
    }
  }

  let analysis: Analysis
  let block: ParsedBlock
  let request: RequestSyntax
  let described: RequestDescription
  let target: ResolvedTarget
  /// What would be sent; `nil` while something that it needs is not known.
  let spec: RequestSpec?
  /// Reads values by schemas.
  var check: SchemaCheck
  /// Makes values for what is missing.
  var sampler: SchemaSampler
  /// The parameters that the request does not have and needs.
  var missing: [APIParameter] = []
  private var found: [Finding] = []

  /// Prepares a comparison.
  init(
    _ analysis: Analysis, _ block: ParsedBlock, _ request: RequestSyntax,
    _ described: RequestDescription, _ target: ResolvedTarget, _ spec: RequestSpec?
  ) {
    self.analysis = analysis
    self.block = block
    self.request = request
    self.described = described
    self.target = target
    self.spec = spec
    let description = described.index.description
    let dialect = description.version.schemaDialect
    check = SchemaCheck(
      description.documents, dialect, direction: .request,
      stepLimit: SchemaCheck.typingStepLimit)
    sampler = SchemaSampler(description.documents, dialect)
  }

  var index: DescriptionIndex { described.index }

  /// All differences, in no order.
  mutating func findings() -> [Finding] {
    guard let match = described.match else {
      checkPath()
      return found
    }
    let operation = index.operation(match)
    guard match.isExact else {
      checkMethod(operation)
      return found
    }
    if operation.isDeprecated, let range = target.steps.last(where: { $0.source != nil })?.source {
      say(.deprecated, range, "\(name(of: operation)) is deprecated.")
    }
    checkEnd(operation)
    checkParameters(operation, match)
    checkBody(operation, match)
    return found
  }

  // MARK: - Telling

  /// Notes a difference at bytes of the file.
  mutating func say(
    _ code: DiagnosticCode, _ range: Range<Int>, _ message: String, _ fixes: [QuickFix] = []
  ) {
    found.append(Finding(diagnostic: Diagnostic(code, range, message), fixes: fixes))
  }

  /// Notes a difference at bytes of the file with what may have been meant, which people choose.
  mutating func say(
    _ code: DiagnosticCode, _ range: Range<Int>, _ message: String, guesses: [QuickFix]
  ) {
    say(code, range, message, guesses)
    found[found.count - 1].isGuess = true
  }

  /// Notes that the request needs a body.
  mutating func sayBodyIsMissing() {
    say(
      .openAPIMissing, anchor,
      "The operation needs a body. Add one: the code actions have a sample.")
    found[found.count - 1].lacksBody = true
  }

  /// An operation as people name it: `GET /users`.
  func name(of operation: APIOperation) -> String { "`\(operation.method) \(operation.path)`" }

  /// The fix that writes a text in the place of bytes.
  func writing(_ text: String, at range: Range<Int>) -> [QuickFix] {
    DescribedWords.isPlain(text) ? [QuickFix("Write `\(text)`", TextEdit(range, text))] : []
  }

  /// What was meant, as the end of a message.
  func question(_ suggestion: String?, otherwise: String) -> String {
    suggestion.map { "Did you mean `\($0)`?" } ?? otherwise
  }

  /// Where it is said that the request lacks something: its path, else the method.
  var anchor: Range<Int> {
    target.source(target.shape.originEnd..<target.shape.pathEnd)
      ?? target.steps.last { $0.source != nil }?.source
      ?? request.method.map { block.absolute($0) } ?? block.absolute(request.line)
  }

  /// Whether scripts may add what the text does not have.
  var mayBeCompleted: Bool { block.scripts.contains { $0.kind != .responseHandler } }

  /// The request as what refactorings change.
  var place: Refactoring {
    Refactoring(analysis: analysis, block: block, request: request, selection: anchor)
  }

  // MARK: - Method and path

  private mutating func checkPath() {
    guard let divergence = PathDivergence(target.steps, index), let range = divergence.step.source
    else { return }
    let text = target.text
    // What goes to another server is no mistake, unless it nearly has a path of this one.
    let isServed = text.hasPrefix("{{") || text.hasPrefix("/") || index.serves(text)
    guard isServed || divergence.nearest != nil else { return }
    say(
      .openAPIPath, range,
      "The description has no such path. "
        + question(divergence.nearest?.path, otherwise: "Check its spelling."),
      guesses: divergence.nearest.map { writing($0.text, at: range) } ?? [])
  }

  /// Says where the path has a slash at its end and the description's has none, or lacks it.
  private mutating func checkEnd(_ operation: APIOperation) {
    let path = operation.path.prefix { $0 != "?" && $0 != "#" }
    let steps = target.steps
    // What names its operation may have any path.
    guard described.request.operation == nil, path.utf8.count > 1, let last = steps.last,
      last.text.isEmpty != path.hasSuffix("/"), !last.isOpen
    else { return }
    let (title, message) =
      last.text.isEmpty
      ? ("Remove the slash at the end", "The path has no slash at its end in the description.")
      : ("Add a slash at the end", "The path has a slash at its end in the description.")
    let slash = last.range.lowerBound - 1..<last.range.lowerBound
    guard let range = last.text.isEmpty ? target.source(slash) : last.source else { return }
    let edit =
      last.text.isEmpty
      ? TextEdit(range, "") : TextEdit(range.upperBound..<range.upperBound, "/")
    say(.openAPIPath, range, message, [QuickFix(title, edit)])
  }

  private mutating func checkMethod(_ operation: APIOperation) {
    let method = described.request.method
    let methods = index.methods(of: described.request.target)
    // Servers answer these without a word in the description.
    if method == "OPTIONS" || method == "HEAD" && methods.contains("GET") { return }
    let range = request.method.map { block.absolute($0) }
    say(
      .openAPIMethod, range ?? anchor,
      "`\(method)` is not among \(methods.joined(separator: ", ")) of `\(operation.path)`.",
      guesses: methods.flatMap { method in
        range.map { writing(method, at: $0) }
          ?? [
            QuickFix(
              "Write `\(method)`",
              TextEdit(
                block.absolute(request.line).lowerBound..<block.absolute(request.line).lowerBound,
                method + " "))
          ]
      })
  }
}
