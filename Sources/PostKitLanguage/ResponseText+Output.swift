// What scripts have come to, as text: what they printed, and where their tests failed.

package import PostKitHTTP

extension ResponseText {
  /// How many lines of output stand above a response.
  private static let shownOutput = 10

  /// All that the scripts of a request have printed.
  package static func output(_ exchange: Exchange) -> String {
    exchange.output.map { $0.shown + "\n" }.joined()
  }

  /// The output as comments: its first lines, where the rest is in a document of its own, or all.
  static func outputSection(of exchange: Exchange, isWhole: Bool) -> [String] {
    guard !exchange.output.isEmpty else { return [] }
    let lines = exchange.output.flatMap { line in
      line.shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }
    var section = ["# Output (\(lines.count) \(lines.count == 1 ? "line" : "lines"))"]
    let shown = isWhole ? lines.count : shownOutput
    section += lines.prefix(shown).map { $0.isEmpty ? "#" : "# \($0)" }
    if lines.count > shown {
      section.append("# The code action \"Show the output\" shows all of it.")
    }
    return section
  }

  /// What became of a check, and of a test that failed the place.
  static func check(_ test: TestResult, of exchange: Exchange) -> String {
    let text = "\(test.passed ? "✓" : "✗") \(test.name)"
      + (test.message.isEmpty ? "" : ": \(test.message)")
    guard !test.passed, test.line > 0 else { return text }
    return "\(text) (\(Analysis.name(of: exchange.file)):\(test.line))"
  }
}

extension OutputLine {
  /// The text as a person reads it: a warning and an error say that they are one.
  package var shown: String { (["warn": "warning: ", "error": "error: "][level] ?? "") + text }
}
