// What tasks have to tell the main loop.

package import JSONRPC
import PostKitHTTP
package import PostKitJSON
package import PostKitRunner
package import PostKitStore
import PostKitSyntax

/// What a task tells the main loop; the loop takes it up when its turn has come.
package enum Notice: Sendable {
  /// A task wants something from the client.
  case call(ClientCall)
  /// Something that answers depend on changed; clients should ask again.
  case refresh(Change)
  /// What requests show at their lines while they are sent has changed.
  case resultsMoved
  /// More is known of the scripts of a document, or of the descriptions around it, than its
  /// diagnostics say.
  case scriptsChecked(DocumentURI)
  /// Something else is said of script files: their paths.
  case scriptFilesChanged(Set<String>)
  /// A response begins that goes on for long.
  case streamBegan(id: String)
  /// More of a response has come that a document may show, or it is whole.
  case responseGrew(id: String)
  /// A status line is to show something else: a send began or ended, another environment was
  /// chosen, or something went wrong.
  case statusChanged
}

/// Where tasks post their notices.
package struct NoticeSink: Sendable {
  /// Queues a notice; never blocks.
  package let post: @Sendable (Notice) -> Void

  /// Makes one that queues by a closure.
  package init(_ post: @escaping @Sendable (Notice) -> Void) { self.post = post }
}

/// What has changed that the diagnostics of documents may depend on.
package enum Change: Sendable, Hashable {
  /// Files, settings, environments or values: any document may be concerned.
  case everything
  /// The history, by another process or by deleting.
  case history
  /// Requests were sent: the names that references have for them, by file; "" for the latest.
  case sent([String: Set<String>])
  /// Only what is drawn at the lines of requests.
  case lines
}

extension Change {
  /// What a run of requests of a file has changed. What it saved may be named by any document.
  package init(_ result: RunResult, of file: String) {
    if result.outcomes.contains(where: { $0.exchange?.savedTo.isEmpty == false }) {
      self = .everything
    } else {
      let names = result.outcomes.map { ($0.path ?? file, Set([$0.name, ""].compactMap { $0 })) }
      self = .sent(Dictionary(names) { $0.union($1) })
    }
  }

  /// What a change of the store means; what this process recorded itself is told by the run.
  package init(_ scopes: Set<StoreScope>, isOwnRecording: Bool) {
    if !scopes.isSubset(of: [.history, .cookies, .tokens]) {
      self = .everything
    } else {
      self = isOwnRecording || !scopes.contains(.history) ? .lines : .history
    }
  }
}

extension ParsedDocument {
  /// Whether what is said of the document depends on what was sent before: its references read
  /// responses, its names have values by them, or its checks tell how they came out.
  package var readsHistory: Bool {
    !exchangeNames.names.isEmpty || !names.definedAfterResponse.isEmpty || blocks.hasAny(.checks)
  }
}

/// A request to the client that a task waits for.
package struct ClientCall: Sendable {
  package let method: String
  package let params: (@Sendable (inout JSONWriter) -> Void)?
  /// How long the answer may take, in milliseconds; `nil` where a person answers (PROMISES.md Q12).
  package let timeoutMilliseconds: Int?
  package let completion: OutgoingRequests.Completion
}
