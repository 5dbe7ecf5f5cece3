// Reading the collections: one query a level, never one a row.

import PostKitSupport

extension Store {
  /// What lies in a container, or all collections for `nil`, `depth` levels of it.
  package func collectionTree(
    in container: RequestContainer? = nil, depth: Int = .max
  ) throws(StoreFailure) -> [CollectionNode] {
    try openCollections().read("read the collections") { connection throws(SQLiteError) in
      guard let container else { return try connection.collections(depth: depth) }
      return try connection.children(of: container, depth: depth)
    }
  }

  /// The environments of all collections in their order, then the global ones, each with its
  /// variables and the collection that it belongs to.
  package func environmentsWithOwners() throws(StoreFailure) -> [
    (item: EnvironmentContents, collection: Model.Collection?)
  ] {
    let found = try fetch(
      FetchDescriptor<Model.Environment>(sortBy: { [$0.sortOrder.ascending] }),
      prefetching: { $0.variables.prefetch().and($0.collection.prefetch()) })
    let result = found.map { environment, more in
      (
        item: EnvironmentContents(environment: environment, variables: more.0),
        collection: more.1
      )
    }
    func place(_ collection: Model.Collection?) -> (Int64, String) {
      (collection?.sortOrder ?? .max, collection?.id ?? "~")
    }
    return result.sorted { place($0.collection) < place($1.collection) }
  }
}

extension Connection {
  /// What a path means. Names may hold slashes, so that what stands before each of them may be one;
  /// each is looked up in an index, however many siblings it has.
  func items(path: String) throws(SQLiteError) -> [CollectionItem] {
    let names = path.beginnings
    let collections = try fetch(
      FetchDescriptor<Model.Collection>(
        where: { $0.name.isIn(names) }, sortBy: { [$0.sortOrder.ascending] }))
    var found: [CollectionItem] = []
    var waiting: [(CollectionItem, Substring)] = collections.map {
      (.collection($0), path.dropFirst($0.name.count))
    }
    while let (item, rest) = waiting.popLast() {
      if rest.isEmpty || rest == "/" { found.append(item) }
      guard rest.count > 1, let container = item.container else { continue }
      let rest = rest.dropFirst()
      for child in try children(of: container, named: String(rest)) {
        waiting.append((child, rest.dropFirst(child.name.count)))
      }
    }
    return found
  }

  /// What lies in a container and has a name that a path begins with; of requests, the whole path.
  private func children(
    of container: RequestContainer, named path: String
  ) throws(SQLiteError) -> [CollectionItem] {
    var folders = FetchDescriptor<Model.Folder>(sortBy: { [$0.sortOrder.ascending] })
    var requests = FetchDescriptor<Model.HTTPRequest>(sortBy: { [$0.sortOrder.ascending] })
    switch container {
    case .collection(let id):
      folders.predicate = Predicate { $0.collectionID == id && $0.parentID == nil }
      requests.predicate = Predicate { $0.collectionID == id && $0.folderID == nil }
    case .folder(let id), .either(let id):
      guard case .folder(let folder) = try item(id: id) else { return [] }
      folders.predicate = Predicate {
        $0.collectionID == folder.collectionID && $0.parentID == id
      }
      requests.predicate = Predicate {
        $0.collectionID == folder.collectionID && $0.folderID == id
      }
    }
    let whole = [path] + (path.hasSuffix("/") ? [String(path.dropLast())] : [])
    folders.predicate = folders.predicate && Model.Folder.columns.name.isIn(path.beginnings)
    requests.predicate = requests.predicate && Model.HTTPRequest.columns.caption.isIn(whole)
    return try fetch(folders).map(CollectionItem.folder)
      + fetch(requests).map(CollectionItem.request)
  }

  /// The environments that meet a condition, in their order, with their variables.
  func environments(
    where condition: (Model.Environment.Columns) -> Predicate<Model.Environment>
  ) throws(SQLiteError) -> [EnvironmentContents] {
    let environments = try fetch(
      FetchDescriptor<Model.Environment>(
        where: condition, sortBy: { [$0.sortOrder.ascending] }))
    let variables = try fetch(
      FetchDescriptor<Model.Variable>(
        where: { $0.environmentID.isIn(environments.map(\.id)) },
        sortBy: { [$0.sortOrder.ascending] }))
    let byOwner = Dictionary(grouping: variables, by: \.environmentID)
    return environments.map {
      EnvironmentContents(environment: $0, variables: byOwner[$0.id] ?? [])
    }
  }

  /// The collection, folder or request with an id.
  func item(id: String) throws(SQLiteError) -> CollectionItem? {
    if let row = try fetch(FetchDescriptor<Model.HTTPRequest>(where: { $0.id == id })).first {
      return .request(row)
    }
    if let row = try fetch(FetchDescriptor<Model.Folder>(where: { $0.id == id })).first {
      return .folder(row)
    }
    return try fetch(FetchDescriptor<Model.Collection>(where: { $0.id == id })).first
      .map(CollectionItem.collection)
  }

  /// All collections with some levels of what is in them.
  func collections(depth: Int) throws(SQLiteError) -> [CollectionNode] {
    let order = FetchDescriptor<Model.Collection>(sortBy: { [$0.sortOrder.ascending] })
    let rows = try fetch(order)
    let ids = rows.map(\.id)
    let inner = try depth > 1
      ? levels(
        folders: FetchDescriptor { $0.collectionID.isIn(ids) && $0.parentID == nil },
        requests: FetchDescriptor { $0.collectionID.isIn(ids) && $0.folderID == nil }, depth - 1)
      : [:]
    let counts = try fetch(order) { columns in
      (
        columns.id, columns.folders.count { $0.parentID == nil },
        columns.requests.count { $0.folderID == nil })
    }
    return zip(rows, counts).map { row, count in
      CollectionNode(
        item: .collection(row), children: inner[row.id] ?? [], childCount: count.1 + count.2)
    }
  }

  /// What lies in a container, some levels of it.
  func children(
    of container: RequestContainer, depth: Int
  ) throws(SQLiteError) -> [CollectionNode] {
    switch container {
    case .collection(let id):
      return try level(
        folders: FetchDescriptor { $0.collectionID == id && $0.parentID == nil },
        requests: FetchDescriptor { $0.collectionID == id && $0.folderID == nil }, depth)
    case .folder(let id):
      return try level(
        folders: FetchDescriptor { $0.parentID == id },
        requests: FetchDescriptor { $0.folderID == id }, depth)
    case .either(let id):
      guard let found = try item(id: id)?.container else { return [] }
      return try children(of: found, depth: depth)
    }
  }

  /// Folders and requests of one place with some levels of what is in them.
  private func level(
    folders: FetchDescriptor<Model.Folder>, requests: FetchDescriptor<Model.HTTPRequest>,
    _ depth: Int
  ) throws(SQLiteError) -> [CollectionNode] {
    try levels(folders: folders, requests: requests, depth).values.first ?? []
  }

  /// Folders and requests by the id of their container, with some levels of what is in them: two
  /// queries a level, however many containers there are, and one that counts at the last.
  private func levels(
    folders: FetchDescriptor<Model.Folder>, requests: FetchDescriptor<Model.HTTPRequest>,
    _ depth: Int
  ) throws(SQLiteError) -> [String: [CollectionNode]] {
    var (folders, requests) = (folders, requests)
    folders.sortBy = [Model.Folder.columns.sortOrder.ascending]
    requests.sortBy = [Model.HTTPRequest.columns.sortOrder.ascending]
    let rows = try fetch(folders)
    let ids = rows.map(\.id)
    var inner: [String: [CollectionNode]] = [:]
    var counts: [String: Int] = [:]
    if !ids.isEmpty, depth > 1 {
      inner = try levels(
        folders: FetchDescriptor { $0.parentID.isIn(ids) },
        requests: FetchDescriptor { $0.folderID.isIn(ids) }, depth - 1)
    } else if !ids.isEmpty {
      for (id, folders, requests) in try fetch(
        folders, { ($0.id, $0.folders.count, $0.requests.count) })
      { counts[id] = folders + requests }
    }
    var result: [String: [CollectionNode]] = [:]
    for row in rows {
      let children = inner[row.id] ?? []
      result[row.parentID ?? row.collectionID, default: []].append(
        CollectionNode(
          item: .folder(row), children: children, childCount: counts[row.id] ?? children.count))
    }
    for row in try fetch(requests) {
      result[row.folderID ?? row.collectionID, default: []].append(
        CollectionNode(item: .request(row)))
    }
    return result
  }
}

extension String {
  /// It, and what stands before each of its slashes.
  fileprivate var beginnings: [String] {
    indices.filter { self[$0] == "/" }.map { String(self[..<$0]) } + [self]
  }
}

extension Store {
  /// How much would go with something that is deleted, itself not counted. What is not there has
  /// nothing.
  package func contents(of id: String) throws(StoreFailure) -> CollectionContents {
    try openCollections().read("count what belongs to it") { connection throws(SQLiteError) in
      try connection.contents(of: id)
    }
  }

  /// Each count is that of a collection, of a folder or of an environment; the others are 0.
  static let contentsSQL = """
    WITH RECURSIVE below (id) AS (
      SELECT id FROM folder WHERE parent_id = ?1
      UNION SELECT folder.id FROM folder JOIN below ON folder.parent_id = below.id)
    SELECT
      (SELECT count(*) FROM folder WHERE collection_id = ?1) + (SELECT count(*) FROM below),
      (SELECT count(*) FROM http_request WHERE collection_id = ?1)
        + (SELECT count(*) FROM http_request WHERE folder_id = ?1)
        + (SELECT count(*) FROM below JOIN http_request ON http_request.folder_id = below.id),
      (SELECT count(*) FROM environment WHERE collection_id = ?1),
      (SELECT count(*) FROM variable WHERE environment_id = ?1)
        + (SELECT count(*) FROM environment
          JOIN variable ON variable.environment_id = environment.id
          WHERE environment.collection_id = ?1)
    """
}

extension Connection {
  /// How much would go with something that is deleted.
  func contents(of id: String) throws(SQLiteError) -> CollectionContents {
    try first(Store.contentsSQL, [.text(id)]) { row in
      CollectionContents(
        folders: row.int(0), requests: row.int(1), environments: row.int(2), variables: row.int(3))
    } ?? CollectionContents()
  }
}
