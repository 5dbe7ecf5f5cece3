// What an editor can ask about one file: a snapshot with its surroundings, one method a feature.

package import PostKitEvaluate
package import PostKitHTTP
package import PostKitSyntax

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
  package var milliseconds: Int
  package var size: Int
  /// When it was sent, in milliseconds since 1970.
  package var startedAt: Int64
  /// What became of each of its checks.
  package var checks: [TestResult] = []
  /// The beginning of the request as it was written; empty where it isn't known.
  package var template = ""

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

  /// What stands behind the request line: `200 OK  182 ms  4.1 kB`, and what its checks came to.
  package var summary: String {
    if isFailure { return status }
    return "\(status)  \(milliseconds) ms  \(SizeText.text(size))\(tests)"
  }

  private var tests: String {
    if checks.isEmpty { return "" }
    let passed = checks.count { $0.passed }
    return passed < checks.count
      ? "  ✗ \(passed) of \(checks.count) tests passed" : "  ✓ \(passed) tests"
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
  func endOfRequestLine(_ block: ParsedBlock) -> Int {
    block.requestLine.upperBound
  }
}

/// Sizes for people.
package enum SizeText {
  /// A number of bytes, such as `4.1 kB`.
  package static func text(_ bytes: Int) -> String {
    if bytes < 1_000 { return "\(bytes) B" }
    var value = Double(bytes)
    for unit in ["kB", "MB", "GB", "TB"] {
      value /= 1_000
      if value < 999.95 || unit == "TB" {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
      }
    }
    return "\(bytes) B"
  }
}
