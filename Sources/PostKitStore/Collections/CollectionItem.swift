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

  /// When it was made, in milliseconds since 1970-01-01T00:00:00Z.
  package var createdAt: Int64 {
    switch self {
    case .collection(let row): row.createdAt
    case .folder(let row): row.createdAt
    case .request(let row): row.createdAt
    }
  }

  /// When it was changed last, in milliseconds since 1970-01-01T00:00:00Z.
  package var updatedAt: Int64 {
    switch self {
    case .collection(let row): row.updatedAt
    case .folder(let row): row.updatedAt
    case .request(let row): row.updatedAt
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

  /// The id of what it lies in; `nil` for a collection.
  package var containerID: String? {
    switch self {
    case .collection: nil
    case .folder(let row): row.parentID ?? row.collectionID
    case .request(let row): row.folderID ?? row.collectionID
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
  /// The names from its collection to it, with slashes between; see `completed`.
  package var path = ""
  /// How many requests are in it, on all levels.
  package var requestCount = 0
  /// The words of the `# @tag` lines of a request.
  package var tags: [String] = []

  /// Makes a node.
  package init(
    item: CollectionItem, children: [CollectionNode] = [], childCount: Int = 0, path: String = "",
    tags: [String] = []
  ) {
    self.item = item
    self.children = children
    self.childCount = childCount
    self.path = path
    self.tags = tags
  }
}

/// An environment with its variables.
package struct EnvironmentContents: Sendable, Hashable {
  package var environment: Model.Environment
  package var variables: [Model.Variable]
}
