// What an editor can ask about one file: a snapshot with its surroundings, one method a feature.

package import PostKitEvaluate
package import PostKitHTTP
package import PostKitSyntax

/// What a line of a script came to.
package struct LineNote: Sendable, Hashable {
  /// How many lines it stands below the request line; negative above it.
  let distance: Int
  /// The line as it was, which is compared and never shown.
  let source: String
  /// The text of its script as it was, as a number that tells it from others.
  let script: Int
  /// What is drawn behind it.
  let text: String
}

/// The last result of one request, as hints and lenses show it.
package struct LastResult: Sendable, Hashable {
  /// The exchange's id.
  package var id: String
  package var requestName: String?
  /// The line that the request stood on when it was sent, counted from 1.
  package var line: Int
  package var method: String
  package var url: String
  /// Such as `200 OK`, `failed: connection` or `cancelled`.
  package var status: String
  package var isFailure: Bool
  /// What kept it from being answered, in a few words; empty where nobody said.
  package private(set) var reason = ""
  package var milliseconds: Int
  package var size: Int
  /// When it was sent, in milliseconds since 1970.
  package var startedAt: Int64
  /// What became of each of its checks.
  package var checks: [TestResult] = []
  /// Whether a script failed after it was answered.
  package var hasFailedScript = false
  /// What the lines of its scripts came to.
  var notes: [LineNote] = []
  /// The beginning of the request as it was written; empty where it isn't known.
  package var template = ""

  /// The status of one that was ended before it was answered.
  package static let cancelled = "cancelled"
  /// How much of a request's text tells it from others.
  package static let templateBytes = 4_096

  /// Makes a result.
  package init(
    id: String, requestName: String?, line: Int, method: String, url: String, status: String,
    isFailure: Bool, milliseconds: Int, size: Int, startedAt: Int64
  ) {
    self.id = id
    self.requestName = requestName
    self.line = line
    self.method = method
    self.url = url
    self.status = status
    self.isFailure = isFailure
    self.milliseconds = milliseconds
    self.size = size
    self.startedAt = startedAt
  }

  /// How it is drawn: well is what was answered, with no error, and every check of which holds.
  package var mood: ResultMood {
    if status == LastResult.cancelled { return .cancelled }
    let isWell = !isFailure && !hasFailedScript && "123".contains(status.prefix(1))
      && checks.allSatisfy(\.passed)
    return isWell ? .done : .failed
  }

  /// Keeps the beginning of the sentence that says why there was no response.
  package mutating func note(reason sentence: String) { reason = ResultText.short(sentence) }

  /// What stands behind the request line: `200 OK  182 ms  4.1 kB`, and what its checks came to.
  package var summary: String {
    let time = DurationText.text(milliseconds)
    if mood == .cancelled { return milliseconds > 0 ? "\(status) after \(time)" : status }
    if isFailure { return reason.isEmpty ? status : "failed: \(reason)" }
    var text = "\(status)  \(time)  \(SizeText.text(size))"
    if hasFailedScript { text += "  ✗ script failed" }
    if checks.isEmpty { return text }
    let passed = checks.count { $0.passed }
    let tests = TestsText.text(passed: passed, failed: checks.count - passed)
    return "\(text)  \(passed < checks.count ? "✗" : "✓") \(tests)"
  }
}

/// A file and all that is known around it. Every answer is a pure function of these values.
package struct Analysis: Sendable {
  package let document: ParsedDocument
  package private(set) var scope: Scope
  package let context: EvaluationContext
  package let defaults: RequestDefaults
  /// The newest results of the requests of the file.
  private let resultIndex: ResultIndex
  /// Which earlier exchanges references find, by the name that they have in the file: another text
  /// for each exchange, and for one that is shown otherwise than before.
  package var exchangeIDs: [String: String] = [:]
  /// The descriptions of APIs that its requests may mean; `nil` where none is known.
  package var descriptions: RequestDescriptions?
  /// In whose words remedies are.
  package var surface = Surface.editor
  /// Whether the editor has no grammar for scripts, so that tokens colour all of them (SC-78).
  package var paintsAllOfScripts = false
  /// Whether nobody wants the answer any more: what takes long then ends early, with a part of it.
  package var isAbandoned: @Sendable () -> Bool = { false }

  /// Makes an analysis.
  package init(
    document: ParsedDocument, scope: Scope, context: EvaluationContext, defaults: RequestDefaults,
    results: [LastResult] = []
  ) {
    self.init(
      document: document, scope: scope, context: context, defaults: defaults,
      results: ResultIndex(results, document))
  }

  /// Makes an analysis with results that were put in order for the document.
  package init(
    document: ParsedDocument, scope: Scope, context: EvaluationContext, defaults: RequestDefaults,
    results: ResultIndex
  ) {
    self.document = document
    self.scope = scope
    self.scope.assumesAnswers = true
    self.context = context
    self.defaults = defaults
    resultIndex = results
  }

  /// The newest result of each request of the file.
  package var results: [LastResult] { resultIndex.table.results }

  /// The last result of a request: by its name, its text or its line.
  package func result(of block: ParsedBlock) -> LastResult? {
    guard !results.isEmpty, let request = block.syntax.request else { return nil }
    let line = document.line(at: block.absolute(request.line).lowerBound) + 1
    return resultIndex.result(of: block, line: line)
  }

  /// The offset of a request line's end in the file.
  func endOfRequestLine(_ block: ParsedBlock) -> Int { block.requestLine.upperBound }
}
