// Diagnostics drawn under the text that they are about.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// Compares an annotated text with what is diagnosed in it: severity, code and sentence.
func checkDiagnostics(
  _ bench: Bench = Bench(), limit: Int = 100, is expected: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = CaretAnnotations(expected).text
  let annotations = bench.analysis(text).diagnostics(limit: limit).map {
    CaretAnnotation($0.range, "\($0.severity) \($0.code.rawValue): \($0.message)")
  }
  expect(
    CaretAnnotations.render(text, annotations), is: expected, file: file,
    sourceLocation: sourceLocation)
}
