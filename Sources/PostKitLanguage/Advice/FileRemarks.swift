// Remarks on a file as a whole.

import PostKitSyntax
import PostKitText

extension Analysis {
  /// A byte order mark, the first line whose end is not that of the first line (PK-1), and the
  /// tool that the file seems to be written for, with what is known of that from the last look.
  func fileRemarks(_ known: inout KnownReadings) -> [Diagnostic] {
    var result: [Diagnostic] = []
    if document.bytes.byteOrderMarkLength > 0 {
      result.append(
        Diagnostic(
          .byteOrderMark, 0..<3,
          "The file begins with a byte order mark, which some tools read as text. "
            + "Save it as UTF-8 without one."))
    }
    if let (line, isWide) = document.firstChangeOfLineEnds {
      let range = document.lineRange(at: document.offset(ofLine: line) ?? 0)
      let (old, new) = isWide ? ("LF", "CRLF") : ("CRLF", "LF")
      result.append(
        Diagnostic(
          .mixedLineEnds, range,
          "This line ends in \(new), the lines above in \(old). "
            + "Save the file with one kind of line end."))
    }
    if let suggestion = dialectSuggestion(&known) {
      result.append(Diagnostic(.dialectSuggestion, document.lineRange(at: 0), suggestion.message))
    }
    return result
  }
}
