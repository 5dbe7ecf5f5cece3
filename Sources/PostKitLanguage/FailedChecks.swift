// What became of checks at the last run, at their lines: `??` lines and the tag that
// expects a status.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A line of a block that checks the response.
struct CheckLine {
  /// The bytes of the line in the block.
  let line: Range<Int>
  /// What the result of the check is called.
  let name: String
}

extension ParsedBlock {
  /// The lines that check the response, in the order of the results.
  var checkLines: [CheckLine] {
    let tags = metadata.filter {
      $0.kind == .expectStatusCode && $0.region != .body
    }.map { CheckLine(line: $0.line, name: "\(text($0.key)) \(text($0.value))") }
    return tags + assertions.map { CheckLine(line: $0.line, name: text($0.text)) }
  }
}

extension Analysis {
  /// A diagnostic for each check that failed when its request was sent last, as far as the line
  /// still says the same. `results` are the newest of the file's requests.
  package func failedChecks(_ results: [LastResult]) -> [Diagnostic] {
    guard results.contains(where: { $0.checks.contains { !$0.passed } }) else { return [] }
    let index = ResultIndex(results, document)
    return document.blocks.having(.checks).flatMap { block -> [Diagnostic] in
      guard block.syntax.request != nil else { return [] }
      let line = document.line(at: block.requestLine.lowerBound) + 1
      guard let result = index.result(of: block, line: line) else { return [] }
      return failures(of: result, in: block)
    }
  }

  private func failures(of result: LastResult, in block: ParsedBlock) -> [Diagnostic] {
    var open = result.checks.filter { !$0.passed }
    let own = Set(knownSecrets)
    return block.checkLines.compactMap { check in
      guard let place = open.firstIndex(where: { $0.name == check.name }) else { return nil }
      let failed = open.remove(at: place)
      let message = failed.message.isEmpty ? "" : " " + failed.message
      var diagnostic = Diagnostic(
        .assertionFailed, block.absolute(check.line),
        SecretText.masking("This check failed at the last run.\(message)", own))
      diagnostic.exchange = result.id
      return diagnostic
    }
  }

  /// What became of a `??` line at the last run, and the value that it is about in the last
  /// response, which `lastAnswer` gives.
  func checkHover(
    _ block: ParsedBlock, _ place: Int, _ lastAnswer: (LastResult) -> AnsweredRequest?
  ) -> Hover? {
    guard
      let assertion = block.assertions.first(where: {
        $0.line.touches(place)
      }), let result = result(of: block)
    else { return nil }
    let outcome = outcome(of: block.text(assertion.text), result) ?? "Not checked yet."
    var sentences = [Markdown.sentence(outcome)]
    // The sentence of a failure says what was found.
    if !sentences[0].hasPrefix("Failed"), let answer = lastAnswer(result),
      let value = value(of: assertion, block, answer)
    {
      sentences.append("The value in the last response is \(value).")
    }
    return Hover(range: block.absolute(assertion.line), markdown: sentences.joined(separator: " "))
  }

  /// What became of the status that a tag expects.
  func outcome(of tag: MetadataSyntax, _ block: ParsedBlock) -> String? {
    guard let check = block.checkLines.first(where: { $0.line == tag.line }) else { return nil }
    return result(of: block).flatMap { outcome(of: check.name, $0) }
  }

  private func outcome(of name: String, _ result: LastResult) -> String? {
    guard let check = result.checks.first(where: { $0.name == name }) else { return nil }
    let sentence = check.passed ? "Passed at the last run." : "Failed at the last run."
    return check.message.isEmpty ? sentence : sentence + " " + check.message
  }

  /// The left side of a check in a response, as code; `nil` where there is no such value.
  private func value(
    of assertion: AssertionSyntax, _ block: ParsedBlock, _ answer: AnsweredRequest
  ) -> String? {
    var evaluator = displayEvaluator
    guard let result = evaluator.result(of: assertion, in: block, answer),
      let actual = result.actual
    else { return nil }
    let mask = SecretMask(secrets: knownSecrets + evaluator.secrets)
    let format = SecretMask.format(ofType: result.actualType)
    return Analysis.code(mask.mask(actual, as: format).text)
  }
}
