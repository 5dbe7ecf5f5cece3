// Open lists of what is stored follow it.

import LanguageServerProtocol
import PostKitSession
import PostKitStore

extension ServerState {
  /// Brings the open lists of what has changed up to date.
  mutating func refreshLists(_ scopes: Set<StoreScope>) {
    let snapshot = snapshot
    for document in documents.all {
      let isMeant =
        switch snapshot.shown(document.uri) {
        // What was sent last changes with each send.
        case .collections:
          scopes.contains(.collections) || scopes.contains(.history) && document.isSortedByUse
        case .cookies: scopes.contains(.cookies)
        case .session: scopes.contains(.session)
        case .history, .statistics, .searches: scopes.contains(.history)
        default: false
        }
      guard isMeant else { continue }
      if document.uri.path == nil {
        let params = LSP.TextDocumentContentRefreshParams(uri: document.uri.spelling)
        ask(LSP.TextDocumentContentRefreshRequest.method) { params.encode(to: &$0) }
      } else {
        inFlight.start(nil) {
          await snapshot.rewriteList(document)
          return nil
        }
      }
    }
  }
}

extension OpenDocument {
  /// Whether a list of stored requests shows when they were sent.
  fileprivate var isSortedByUse: Bool {
    uri.queryItems.contains { $0 == ("sort", RequestQuery.Sort.recent.rawValue) }
  }
}
