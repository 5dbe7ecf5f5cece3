// Which open documents have to be looked at again when something has changed: a send concerns those
// that read its response, and of a thousand open documents hardly any does.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSyntax

/// What has changed that the diagnostics of documents may depend on.
enum Change: Sendable, Hashable {
  /// Files, settings, environments or values: any document may be concerned.
  case everything
  /// The history, by another process or by deleting.
  case history
  /// Requests were sent: the names that references have for them, by file; "" for the latest.
  case sent([String: Set<String>])
  /// Only what is drawn at the lines of requests.
  case lines
}

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

extension ParsedDocument {
  /// Whether what is said of the document depends on what was sent before: its references read
  /// responses, its names have values by them, or its checks tell how they came out.
  var readsHistory: Bool {
    !exchangeNames.names.isEmpty || !names.definedAfterResponse.isEmpty || blocks.hasAny(.checks)
  }
}

extension Change {
  /// What a run of requests of a file has changed. What it saved may be named by any document.
  init(_ result: RunResult, of file: String) {
    if result.outcomes.contains(where: { $0.exchange?.savedTo.isEmpty == false }) {
      self = .everything
    } else {
      let names = result.outcomes.map { ($0.path ?? file, Set([$0.name, ""].compactMap { $0 })) }
      self = .sent(Dictionary(names) { $0.union($1) })
    }
  }

  /// What a change of the store means; what this process recorded itself is told by the run.
  init(_ scopes: Set<StoreScope>, isOwnRecording: Bool) {
    if !scopes.isSubset(of: [.history, .cookies]) {
      self = .everything
    } else {
      self = isOwnRecording || !scopes.contains(.history) ? .lines : .history
    }
  }
}

extension Snapshot {
  /// The URL of the example server; any document may name it once it runs.
  var exampleServerURL: String? {
    let isNew = services.exampleServer.runningURL == nil
    let url = services.exampleServer.url
    if isNew { events.post(.refresh(.everything)) }
    return url
  }
}
