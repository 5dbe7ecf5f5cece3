// What stands in the tree of collections, whatever its table.

/// A collection, folder or request.
package enum CollectionItem: Sendable, Hashable {
  case collection(Model.Collection)
  case folder(Model.Folder)
  case request(Model.HTTPRequest)

  package var id: String {
    switch self {
    case .collection(let row): row.id
    case .folder(let row): row.id
    case .request(let row): row.id
    }
  }

  /// What people call it.
  package var name: String {
    switch self {
    case .collection(let row): row.name
    case .folder(let row): row.name
    case .request(let row): row.displayName
    }
  }

  /// The word for its kind.
  package var kind: String {
    switch self {
    case .collection: "collection"
    case .folder: "folder"
    case .request: "request"
    }
  }

  /// What it holds requests as; `nil` for a request.
  package var container: RequestContainer? {
    switch self {
    case .collection(let row): .collection(row.id)
    case .folder(let row): .folder(row.id)
    case .request: nil
    }
  }

  /// The collection that it belongs to or is.
  package var collectionID: String {
    switch self {
    case .collection(let row): row.id
    case .folder(let row): row.collectionID
    case .request(let row): row.collectionID
    }
  }
}

/// An item with what is in it: folders before requests, each in their order.
package struct CollectionNode: Sendable, Hashable {
  package var item: CollectionItem
  /// What is in it, as far down as was asked for.
  package var children: [CollectionNode] = []
  /// How many folders and requests are in it, not counting those further down.
  package var childCount = 0

  /// Makes a node.
  package init(item: CollectionItem, children: [CollectionNode] = [], childCount: Int = 0) {
    self.item = item
    self.children = children
    self.childCount = childCount
  }
}

/// An environment with its variables.
package struct EnvironmentContents: Sendable, Hashable {
  package var environment: Model.Environment
  package var variables: [Model.Variable]
}
