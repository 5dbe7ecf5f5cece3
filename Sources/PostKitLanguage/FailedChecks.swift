// The checks that failed at the last run, at their lines (lsp.md 1.12).

import PostKitHTTP
import PostKitSyntax

extension Analysis {
  /// A diagnostic for each check that failed when its request was sent last, as far as the line
  /// still says the same. `results` are the newest of the session; those that are not known there
  /// say nothing of checks.
  package func failedChecks(_ results: [LastResult]) -> [Diagnostic] {
    guard results.contains(where: { $0.checks.contains { !$0.passed } }) else { return [] }
    let index = ResultIndex(results, document)
    return document.requests.flatMap { block -> [Diagnostic] in
      guard !block.syntax.assertions.isEmpty || !block.syntax.metadata.isEmpty else { return [] }
      let line = document.line(at: block.requestLine.lowerBound) + 1
      guard let result = index.result(of: block, line: line) else { return [] }
      return failures(of: result, in: block)
    }
  }

  private func failures(of result: LastResult, in block: ParsedBlock) -> [Diagnostic] {
    var open = result.checks.filter { !$0.passed }
    let own = knownSecrets
    return block.syntax.assertions.compactMap { assertion in
      let text = block.text(assertion.text)
      guard let place = open.firstIndex(where: { $0.name == text }) else { return nil }
      let check = open.remove(at: place)
      let message = check.message.isEmpty ? "" : " " + check.message
      var diagnostic = Diagnostic(
        .assertionFailed, block.absolute(assertion.line),
        SecretText.masking("This did not hold at the last run.\(message)", Set(own)))
      diagnostic.exchange = result.id
      return diagnostic
    }
  }
}
