// What came of sends in words, for clients that draw no results and open no documents.

import LanguageServerProtocol
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport

/// Results of sends as sentences.
enum SendSummary {
  /// What a request came to, and where the response is.
  static func sentence(_ result: LSP.PostkitSendResult) -> String {
    var text = summary(result) + "."
    if let uri = result.uri { text += " The response is in \(DocumentURI(uri).path ?? uri)." }
    return text
  }

  /// What the requests of a document came to, and the first that did not go well.
  static func sentence(all results: [LSP.PostkitSendResult]) -> String {
    guard results.count != 1 else { return sentence(results[0]) }
    let endings = results.map(ending)
    let text = "\(results.count) requests: \(RunTally(endings).text)."
    guard let first = endings.firstIndex(where: { $0 != .ok }) else { return text }
    let name = results[first].name.map { "`\($0)`: " } ?? ""
    return "\(text) First problem: \(name)\(sentence(results[first]))"
  }

  private static func ending(_ result: LSP.PostkitSendResult) -> RunTally.Ending {
    RunTally.Ending(
      ExchangeState(rawValue: result.state.rawValue) ?? .failed, status: result.status,
      failedChecks: Int(result.tests.failed))
  }

  private static func summary(_ result: LSP.PostkitSendResult) -> String {
    guard let status = result.status else {
      return result.error?.message.trimmedStop ?? "No response"
    }
    let reason = result.reason.map { $0.isEmpty ? "" : " \($0)" } ?? ""
    let time = DurationText.text(Int(result.ms))
    var text = "\(status)\(reason), \(time), \(SizeText.text(Int(result.size)))"
    let (passed, failed) = (Int(result.tests.passed), Int(result.tests.failed))
    if passed + failed > 0 { text += ", \(TestsText.text(passed: passed, failed: failed))" }
    return text
  }
}

extension String {
  /// The sentence without its full stop.
  fileprivate var trimmedStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
