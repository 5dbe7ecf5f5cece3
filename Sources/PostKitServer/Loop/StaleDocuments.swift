// Which open documents have to be looked at again when something has changed: a send concerns those
// that read its response, and of a thousand open documents hardly any does.

import PostKitEvaluate
import PostKitSession
import PostKitSyntax

/// The documents that changes concern whose diagnostics were not made again yet.
struct StaleDocuments: Sendable {
  private var isEverything = false
  private var isHistory = false
  /// The names of the requests that were sent, by file.
  private var sent: [String: Set<String>] = [:]

  /// Notes a change.
  mutating func add(_ change: Change) {
    switch change {
    case .everything: isEverything = true
    case .history: isHistory = true
    case .sent(let names): sent.merge(names) { $0.union($1) }
    case .lines: break
    }
  }

  /// Whether the diagnostics of a document may be others now.
  func concerns(_ uri: DocumentURI, _ parsed: @autoclosure () -> ParsedDocument) -> Bool {
    if isEverything || sent[uri.historyName] != nil { return true }
    if !isHistory && sent.isEmpty { return false }
    let parsed = parsed()
    if isHistory, parsed.readsHistory { return true }
    // References find the requests of their own file and of those that it imports.
    guard !sent.isEmpty, parsed.namesRequestFiles else { return false }
    let read = Set(parsed.exchangeNames.names.flatMap(Evaluator.requestNames))
    return sent.values.contains { !$0.isDisjoint(with: read) }
  }
}
