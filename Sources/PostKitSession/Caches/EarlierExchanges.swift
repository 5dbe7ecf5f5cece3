// The earlier responses that references read, kept while neither the references nor the history
// change: a file may read those of thousands of requests, and somebody types into it.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSyntax

/// What the references of a file find, by the name that they have there.
struct EarlierExchanges: Sendable {
  /// The exchanges with true values where they were sent in this session.
  var exchanges: [String: ReferencedExchange] = [:]
  /// The same as they are shown.
  var shown: [String: ReferencedExchange] = [:]
  /// What a display must not quote.
  var secrets: Set<String> = []
  /// Which exchanges they are, and whether they are whole.
  var ids: [String: String] = [:]

  init(_ entries: [String: SessionMemory.Entry] = [:]) {
    for (name, entry) in entries {
      exchanges[name] = ReferencedExchange(entry.exchange)
      shown[name] = ReferencedExchange(entry.shown)
      secrets.formUnion(entry.hiddenTexts)
      ids[name] = entry.exchange.id + (entry.exchange.isRedacted ? " masked" : "")
    }
  }
}

/// What a document's references were found to read, and what that was made of.
struct FoundExchanges: Sendable {
  private let file: String
  private let environment: String?
  private let revision: UInt64
  // Objects, so that no other can have their identity while they are held.
  private let names: NameIndex
  private let reads: ExchangeNames
  let exchanges: EarlierExchanges

  init(_ exchanges: EarlierExchanges, of context: DocumentContext, revision: UInt64) {
    (file, environment) = (context.file, context.environment)
    (names, reads) = (context.document.parsed.names, context.document.parsed.exchangeNames)
    (self.exchanges, self.revision) = (exchanges, revision)
  }

  /// Whether nothing has changed that they depend on.
  func holds(for context: DocumentContext, revision: UInt64) -> Bool {
    self.revision == revision && file == context.file && environment == context.environment
      && names === context.document.parsed.names && reads === context.document.parsed.exchangeNames
  }
}

/// What the history said of files at one revision: hovers, hints and lenses ask for the newest
/// results at each move, and there may be thousands.
struct LatestResults: Sendable {
  private var files: [String: (revision: UInt64, results: ResultTable)] = [:]

  /// How many files are kept; each may have a result for each of its requests.
  private static let fileLimit = 16

  /// The results of a file, newest first; `nil` where they are not known at that revision.
  func results(file: String, at revision: UInt64) -> ResultTable? {
    files[file].flatMap { $0.revision == revision ? $0.results : nil }
  }

  /// Keeps the results of a file.
  mutating func keep(_ results: ResultTable, of file: String, at revision: UInt64) {
    if files.count >= LatestResults.fileLimit, files[file] == nil { files = [:] }
    files[file] = (revision, results)
  }
}
