// The earlier responses that references read, kept while neither the references nor the history
// change: a file may read those of thousands of requests, and somebody types into it.

import PostKitEvaluate
import PostKitHTTP
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
