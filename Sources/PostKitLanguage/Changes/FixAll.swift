// All fixes that change nothing of what is meant, in one go.

import PostKitText

extension Analysis {
  /// Codes whose first fix can be made without looking: what is sent stays, or could not be sent.
  private static let safe: Set<DiagnosticCode> = [
    .byteOrderMark, .mixedLineEnds, .indentedSeparator, .missingBlankLine, .variableSyntax,
    .unclosedVariable, .durationUnit, .contentLength, .urlEncoding,
  ]

  /// The safe fixes of diagnostics together; `nil` where there are none. One that overlaps with
  /// those before it is left for the next time.
  package func fixAll(_ diagnostics: [Diagnostic]) -> CodeChange? {
    var edits: [TextEdit] = []
    var count = 0
    for diagnostic in diagnostics {
      guard let code = DiagnosticCode(rawValue: diagnostic.code), Analysis.safe.contains(code),
        let fix = fixes(for: diagnostic).first
      else { continue }
      let new = fix.edits.filter { !edits.contains($0) }
      guard !new.isEmpty, TextEdit.sorted(edits + new) != nil else { continue }
      edits += new
      count += 1
    }
    guard count > 0 else { return nil }
    return CodeChange(
      .fixAll, "Fix \(count == 1 ? "1 problem" : "\(count) problems") safely",
      edits)
  }
}
