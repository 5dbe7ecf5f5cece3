// The names in the texts of stored requests, for who looks for the uses of a variable.

import PostKitEvaluate
import PostKitHTTP
package import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSyntax
import PostKitText

/// The names in stored requests.
package enum StoredNames {
  /// The names of one stored request; their path is the URI by which it is named.
  package struct Item: Sendable {
    package let names: FileNames
    package let collection: String
    /// Where the request counts as lying; `nil` where it has no home of its own.
    package let place: String?
    /// The variables of its stored environments.
    package let defined: Set<String>
  }

  /// Those of a store; `nil` where the question was given up meanwhile.
  static func items(of store: Store) async throws(StoreFailure) -> [Item]? {
    var items: [Item] = []
    for id in requests(try await store.collectionTree()) {
      if Task.isCancelled { return nil }
      if let stored = try await StoredRequestFile.read(id: id, from: store) {
        items.append(Item(stored))
      }
    }
    return items
  }

  private static func requests(_ nodes: [CollectionNode]) -> [String] {
    nodes.flatMap { node -> [String] in
      guard case .request(let row) = node.item else { return requests(node.children) }
      return [row.id]
    }
  }
}

extension StoredNames.Item {
  /// Reads the names of a stored request.
  fileprivate init(_ stored: StoredRequestFile) {
    let reading = stored.reading(FileReading())
    let document = reading.document(stored.text, format: .http)
    names = FileNames(
      path: StoredRequestFile.historyName(of: stored.request.id), document: document,
      dialect: reading.dialect(of: document), resolve: { _ in nil })
    collection = stored.collection.id
    let path = stored.path(otherwise: "")
    place = path.hasPrefix("/") ? path : nil
    defined = Set(stored.environments.flatMap { $0.variables.map(\.key) })
  }
}

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
