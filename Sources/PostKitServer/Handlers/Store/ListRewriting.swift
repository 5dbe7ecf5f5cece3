// Open lists of what is stored show it as it is, whoever changes it.

import JSONRPC
import LanguageServerProtocol
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

extension ShownLists {
  /// Writes a list anew, unless somebody has edited it. The store may be busy for a while, and
  /// nothing else would bring the list up to date.
  func rewrite(_ snapshot: Snapshot, _ document: OpenDocument) async {
    for attempt in 1...ShownLists.attempts {
      do throws(RPCError) {
        return try await rewriteOnce(snapshot, document)
      } catch {
        guard attempt == ShownLists.attempts else { continue }
        Log.warning("A list can't be brought up to date: \(error.message)")
      }
    }
  }

  /// How often the store, which answers within a second, is asked for a list.
  private static let attempts = 10

  private func rewriteOnce(
    _ snapshot: Snapshot, _ document: OpenDocument
  ) async throws(RPCError) {
    guard let path = document.uri.path, content(document.uri, document.text.bytes) != nil,
      // What isn't there any more is not brought back.
      let old = try? FileSystem.read(path: path, limit: Limits.sourceFileBytes),
      let content = content(document.uri, old)
    else { return }
    let text = try await content.text(snapshot)
    guard Array(text.utf8) != old else { return }
    try StoredRequests.write(Array(text.utf8), to: path)
    note(document.uri, content, text)
  }
}

extension ShownLists.Content {
  /// The list as it is now.
  func text(_ snapshot: Snapshot) async throws(RPCError) -> String {
    switch self {
    case .list(.collections): try await Collections.text(snapshot)
    case .list(.cookies): try await Cookies.text(snapshot)
    case .list(.session): try await SessionValues.text(snapshot)
    case .timeline(let id): try await HistoryList.timeline(snapshot, id: id)
    case .list(.searches): try await SavedSearchList.text(snapshot)
    case .history(let address): try await HistoryList.text(snapshot, address)
    case .statistics(let address): try await StatisticsList.text(snapshot, address)
    case .found(let listing): try await FoundRequests.text(snapshot, listing)
    }
  }
}

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
          await snapshot.services.lists.rewrite(snapshot, document)
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

extension Snapshot {
  /// The links of a list to what it lists. Files of it are written when they are opened, so that
  /// only a client that reads our documents has something to follow a link to.
  func links(inList document: OpenDocument) -> [LSP.DocumentLink] {
    guard client.profile.readsContentDocuments, let shown = shown(document.uri) else { return [] }
    let converter = document.text.converter(client.profile.encoding)
    return document.lastWords.compactMap { word in
      let target: DocumentURI
      switch shown {
      case .collections: target = DocumentURI(word.text)
      case .statistics: target = DocumentURI(word.text)
      case .history where Identifier.isValid(word.text):
        target = DocumentURI(ResponseView.uri(ofWhole: word.text))
      default: return nil
      }
      // Another last word of a line is none of ours.
      guard target.scheme == "postkit" else { return nil }
      return LSP.DocumentLink(range: converter.lsp(word.range), target: target.spelling)
    }
  }
}
