// What came of sends in words, for clients that draw no results and open no documents.

import LanguageServerProtocol
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession

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

  /// How a result counts among those of a run.
  static func ending(_ result: LSP.PostkitSendResult) -> RunTally.Ending {
    RunTally.Ending(
      ExchangeState(rawValue: result.state.rawValue) ?? .failed, status: result.status,
      failedChecks: Int(result.tests.failed), hasFailed: result.error != nil)
  }

  private static func summary(_ result: LSP.PostkitSendResult) -> String {
    if result.status == nil, let error = result.error { return error.message.trimmedStop }
    return result.summary ?? "No response"
  }
}

extension String {
  /// The sentence without its full stop.
  fileprivate var trimmedStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
