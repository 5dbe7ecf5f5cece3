// What became of a request in a few words, and how it is drawn: made here once, for every editor.

package import PostKitHTTP

/// How a result is drawn: what waits for its turn, what is on its way, what went well, what was
/// ended or left out, and all else.
package enum ResultMood: String, Sendable, Hashable {
  case waiting, sending, done, failed, cancelled
}

/// The words of what has no whole response: it is on its way, or never was.
package enum ResultText {
  /// How many characters of a reason are shown.
  private static let reasonLength = 80
  /// Of a request whose turn never came, or that a person did not want.
  package static let notSent = "not sent"

  /// What of a response has come: `receiving… 200  4.1 kB`.
  package static func receiving(_ status: Int, bytes: Int? = nil) -> String {
    "receiving… \(status)" + (bytes.map { "  \(SizeText.text($0))" } ?? "")
  }

  /// Why a request was not sent.
  package static func notSent(because sentence: String) -> String {
    "\(notSent): \(short(sentence))"
  }

  /// What a request came to of which there is no exchange.
  package static func unsent(
    _ state: ExchangeState, _ failure: Failure?
  ) -> (text: String, mood: ResultMood) {
    if failure?.wasDeclined == true { return (notSent, .cancelled) }
    if state == .cancelled { return (LastResult.cancelled, .cancelled) }
    return (failure.map { notSent(because: $0.message) } ?? notSent, .failed)
  }

  /// The beginning of a sentence: what happened, without the details in brackets and the advice,
  /// which are where the whole of it is shown.
  package static func short(_ sentence: String) -> String {
    let line = sentence.prefix { !$0.isNewline }
    let ends = [" (", ". ", "; "].compactMap { line.firstRange(of: $0)?.lowerBound }
    var words = line[..<(ends.min() ?? line.endIndex)]
    if words.hasSuffix(".") { words = words.dropLast() }
    return words.count > reasonLength ? words.prefix(reasonLength - 1) + "…" : String(words)
  }
}

/// What the checks of a request came to, for people.
package enum TestsText {
  /// Such as `1 of 2 tests failed` or `2 tests passed`.
  package static func text(passed: Int, failed: Int) -> String {
    if failed > 0 { return "\(failed) of \(passed + failed) tests failed" }
    return passed == 1 ? "1 test passed" : "\(passed) tests passed"
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
