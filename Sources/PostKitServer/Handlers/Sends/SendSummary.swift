// What came of sends in words, for clients that draw no results and open no documents.

import LanguageServerProtocol
import PostKitLanguage
import PostKitSupport

/// Results of sends as sentences.
enum SendSummary {
  /// What a request came to, and where the response is.
  static func sentence(_ result: LSP.PostkitSendResult) -> String {
    var text = summary(result) + "."
    if let uri = result.uri { text += " The response is in \(DocumentURI(uri).path ?? uri)." }
    return text
  }

  /// What the requests of a document came to.
  static func sentence(all results: [LSP.PostkitSendResult]) -> String {
    guard results.count != 1 else { return sentence(results[0]) }
    let bad = results.filter { ($0.status ?? 400) >= 400 || $0.tests.failed > 0 }
    let text = "\(results.count) requests: \(results.count - bad.count) went well"
    guard let first = bad.first else { return text + "." }
    return "\(text), \(bad.count) did not. The first of these: \(sentence(first))"
  }

  private static func summary(_ result: LSP.PostkitSendResult) -> String {
    guard let status = result.status else {
      return result.error?.message.trimmedStop ?? "There was no response"
    }
    let reason = result.reason.map { $0.isEmpty ? "" : " \($0)" } ?? ""
    var text = "\(status)\(reason), \(Int(result.ms)) ms, \(SizeText.text(Int(result.size)))"
    let (passed, failed) = (Int(result.tests.passed), Int(result.tests.failed))
    if passed + failed > 0 { text += ", \(TestsText.text(passed: passed, failed: failed))" }
    return text
  }
}

extension String {
  /// The sentence without its full stop.
  fileprivate var trimmedStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
