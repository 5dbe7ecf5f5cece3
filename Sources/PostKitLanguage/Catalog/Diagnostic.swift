// One mistake or remark: where it is, how serious, and the sentence.

package import PostKitEvaluate
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
  package var code: DiagnosticCode
  package var message: String
  /// The exchange that it tells of; `nil` where it is about the text alone.
  package var exchange: String?
  /// The places that led there, of a script that failed.
  package var frames: [EvaluationProblem.Frame] = []
  /// What may be meant in place of the text at `range`.
  package var replacement: String?
  /// What the same is said of at other places, so that saying it once is enough.
  package var subject: Subject?

  /// What several diagnostics of a file may be about.
  package enum Subject: Sendable, Hashable {
    /// A name that environments define, while none of them is selected.
    case unselected(name: String)
    /// A request whose response is read and isn't there.
    case unsent(request: String)
  }

  /// Makes a diagnostic, with the severity of the catalogue unless another is given; of a message
  /// that quotes more than anybody reads the middle is left out.
  init(
    _ code: DiagnosticCode, _ range: Range<Int>, _ message: String,
    severity: DiagnosticSeverity? = nil
  ) {
    self.range = range
    self.severity = severity ?? code.entry.severity
    self.code = code
    self.message = message.excerpt
  }
}
