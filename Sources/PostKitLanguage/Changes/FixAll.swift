// All fixes that change nothing of what is meant, in one go.

import PostKitText

extension Analysis {
  /// The safe fixes of diagnostics together; `nil` where there are none. One that overlaps with
  /// those before it is left for the next time.
  package func fixAll(_ diagnostics: [Diagnostic]) -> CodeChange? {
    var edits: [TextEdit] = []
    var count = 0
    for diagnostic in diagnostics {
      guard diagnostic.code.entry.isSafe, let fix = fixes(for: diagnostic).first else { continue }
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
