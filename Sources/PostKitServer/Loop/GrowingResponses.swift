// The documents of responses that go on for long: shown when they begin, refreshed while they grow.

import LanguageServerProtocol
import PostKitSession
import PostKitSupport

extension ServerState {
  /// Opens the document of a stream.
  mutating func showStream(_ id: String) {
    guard mayTell else { return }
    SendResults.open(snapshot, ResponseView.uri(ofWhole: id), takesFocus: false)
  }

  /// More of a response has come.
  mutating func responseGrew(_ id: String) {
    guard mayTell else { return }
    grownResponses.insert(id)
    switch refreshingResponses.want(at: Clock.monotonicMicroseconds) {
    case .now: showGrown()
    case .later(let time): inFlight.schedule(.responsesDue, afterMilliseconds: time)
    case .nothing: break
    }
  }

  /// The scheduled look at the documents that grow.
  mutating func responsesDue() {
    refreshingResponses.isDue(at: Clock.monotonicMicroseconds)
    showGrown()
  }

  private mutating func showGrown() {
    let ids = grownResponses
    grownResponses = []
    guard client.profile.readsContentDocuments else { return }
    let snapshot = snapshot
    for document in documents.all {
      guard case .response(let id, _) = snapshot.shown(document.uri), ids.contains(id),
        document.uri.path == nil
      else { continue }
      let params = LSP.TextDocumentContentRefreshParams(uri: document.uri.spelling)
      ask(LSP.TextDocumentContentRefreshRequest.method) { params.encode(to: &$0) }
    }
  }
}
