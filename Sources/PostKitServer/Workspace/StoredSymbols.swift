// The names of stored requests, for who looks for anything with a name.

import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitText
import Synchronization

/// The stored requests as symbols, kept while the collections do not change: somebody types.
final class StoredSymbols: Sendable {
  /// A request with the text in which letters are looked for.
  typealias Item = (symbol: ProjectSymbol, text: String)

  private struct Kept: Sendable {
    let revision: Int64
    let items: [Item]
  }

  private let kept = Mutex<Kept?>(nil)

  /// All stored requests; none for a client that could not open their documents.
  static func all(_ snapshot: Snapshot) async -> [Item] {
    guard snapshot.client.profile.readsContentDocuments,
      let store = await snapshot.services.store.atHand()
    else { return [] }
    return await snapshot.services.storedSymbols.all(store)
  }

  private func all(_ store: Store) async -> [Item] {
    do throws(StoreFailure) {
      let revision = try await store.collectionsRevision()
      if let kept = kept.withLock({ $0 }), kept.revision == revision { return kept.items }
      let items = StoredSymbols.items(try await store.collectionTree(), in: "")
      kept.withLock { $0 = Kept(revision: revision, items: items) }
      return items
    } catch {
      Log.warning("The stored requests can't be read: \(error.message)")
      return []
    }
  }

  /// The requests of a part of the tree; `container` are the names above it.
  private static func items(_ nodes: [CollectionNode], in container: String) -> [Item] {
    nodes.flatMap { node -> [Item] in
      let name = node.item.name.shown.oneLine
      guard case .request(let row) = node.item else {
        return items(node.children, in: container.isEmpty ? name : "\(container)/\(name)")
      }
      let uri = StoredRequestFile.historyName(of: row.id)
      let symbol = ProjectSymbol(request: name, container: container, uri: uri)
      return [(symbol, NameMatch.withoutReferences("\(name) \(row.method) \(row.url.shown)"))]
    }
  }
}
