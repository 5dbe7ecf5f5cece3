// Open lists of what is stored show it as it is, whoever changes it.

import JSONRPC
import LanguageServerProtocol
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

extension Snapshot {
  /// Writes a list anew, unless somebody has edited it. The store may be busy for a while, and
  /// nothing else would bring the list up to date.
  func rewriteList(_ document: OpenDocument) async {
    for attempt in 1...Snapshot.attempts {
      do throws(RPCError) {
        return try await rewriteOnce(document)
      } catch {
        guard attempt == Snapshot.attempts else { continue }
        Log.warning("A list can't be brought up to date: \(error.message)")
      }
    }
  }

  /// How often the store, which answers within a second, is asked for a list.
  fileprivate static let attempts = 10

  private func rewriteOnce(_ document: OpenDocument) async throws(RPCError) {
    guard let path = document.uri.path,
      session.lists.content(document.uri, document.text.bytes) != nil,
      // What isn't there any more is not brought back.
      let old = try? FileSystem.read(path: path, limit: Limits.sourceFileBytes),
      let content = session.lists.content(document.uri, old)
    else { return }
    let text = try await content.text(self)
    guard Array(text.utf8) != old else { return }
    try StoredRequests.write(Array(text.utf8), to: path)
    session.update { $0.lists.note(document.uri, content, text) }
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

extension ListDocument {
  /// Where a client can open the list; `text` is asked for where it must be a file.
  func uri(
    _ snapshot: Snapshot, text: () async throws(RPCError) -> String
  ) async throws(RPCError) -> String {
    if snapshot.client.profile.readsContentDocuments { return "postkit:/\(rawValue)" }
    let text = try await text()
    let uri = try Self.write(snapshot, text, as: fileName)
    snapshot.session.update { $0.lists.note(uri, .list(self), text) }
    return uri.spelling
  }

  /// Writes a list as a file among the views.
  static func write(
    _ snapshot: Snapshot, _ text: String, as fileName: String
  ) throws(RPCError) -> DocumentURI {
    let path = FilePath.join(snapshot.store.location.viewDirectory, fileName)
    try StoredRequests.write(Array(text.utf8), to: path)
    return DocumentURI(path: path)
  }
}
