// The names of stored requests, for who looks for anything with a name.

import PostKitHTTP
package import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitText

/// The stored requests as symbols.
package enum StoredSymbols {
  /// A request with the text in which letters are looked for.
  package typealias Item = (symbol: ProjectSymbol, text: String)

  /// Those of a store.
  static func items(of store: Store) async throws(StoreFailure) -> [Item]? {
    items(try await store.collectionTree(), in: "")
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
