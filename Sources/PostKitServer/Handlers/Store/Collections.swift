// Stored requests as a tree for pickers, and as a document for clients of the standard alone.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitText

/// The handlers that show the collections.
enum Collections {
  /// `postkit/collections`: a part of the tree.
  static func list(
    _ snapshot: Snapshot, _ params: LSP.PostkitCollectionsParams
  ) async throws(RPCError) -> LSP.PostkitCollectionsResult {
    guard let store = await snapshot.store.existing() else {
      return LSP.PostkitCollectionsResult(nodes: [], revision: 0)
    }
    if params.deleted == true { return try await deletions(params, in: store) }
    if params.asksForList { return try await find(snapshot, params, in: store) }
    let depth = Int(max(params.depth ?? 1, 1))
    return try await RPCError.ofStore { () throws(StoreFailure) in
      try await store.deriveRequests(RequestText.deriving)
      let (nodes, revision) = try await store.look { reader throws(StoreFailure) in
        var container: RequestContainer?
        if let parent = params.parent {
          container = try reader.item(id: parent)?.container
          guard container != nil else { throw .collection(.notFound(parent)) }
        }
        let nodes = try reader.tree(in: container, depth: depth)
        return (try reader.completed(nodes), try reader.revision())
      }
      return LSP.PostkitCollectionsResult(
        nodes: nodes.map { node($0, depth: depth) }, revision: Double(revision))
    }
  }

  /// What can be taken back.
  private static func deletions(
    _ params: LSP.PostkitCollectionsParams, in store: Store
  ) async throws(RPCError) -> LSP.PostkitCollectionsResult {
    let given: [(String, Bool)] = [
      ("parent", params.parent != nil), ("depth", params.depth != nil),
      ("filter", params.filter != nil), ("sort", params.sort != nil),
      ("cursor", params.cursor != nil),
    ]
    if let (name, _) = given.first(where: \.1) {
      throw RPCError(
        .invalidParams, "params.\(name): a list of deletions has none. Leave it out.")
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let (deleted, revision) = try await store.look { reader throws(StoreFailure) in
        (try reader.deleted(), try reader.revision())
      }
      return LSP.PostkitCollectionsResult(
        nodes: [], revision: Double(revision), total: deleted.count,
        deletions: deleted.prefix(params.limit ?? .max).map(LSP.PostkitDeletion.init))
    }
  }

  /// A page of the requests that are looked for.
  private static func find(
    _ snapshot: Snapshot, _ params: LSP.PostkitCollectionsParams, in store: Store
  ) async throws(RPCError) -> LSP.PostkitCollectionsResult {
    for (name, isGiven) in [("parent", params.parent != nil), ("depth", params.depth != nil)]
    where isGiven {
      throw RPCError(
        .invalidParams,
        "params.\(name): a list of requests has none. Leave it out, or use `filter.in`.")
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      var query = RequestQuery(params)
      if let place = params.filter?.in {
        query.container = try await store.look { reader throws(StoreFailure) in
          try reader.container(place)
        }
      }
      let page = try await store.findRequests(query, deriving: RequestText.deriving)
      let nodes = page.requests.map { found in
        CollectionNode(item: .request(found.request), path: found.path, tags: found.tags)
      }
      return LSP.PostkitCollectionsResult(
        nodes: nodes.map { node($0, depth: 1) }, revision: Double(page.revision),
        cursor: page.cursor, total: page.total)
    }
  }

  private static func node(_ node: CollectionNode, depth: Int) -> LSP.PostkitCollectionNode {
    var result = LSP.PostkitCollectionNode(
      id: node.item.id,
      kind: LSP.PostkitCollectionKind(rawValue: node.item.kind) ?? .request,
      name: node.item.name.shown, childCount: node.childCount)
    result.path = node.path.shown
    result.createdAt = HistoryPages.time(node.item.createdAt)
    result.updatedAt = HistoryPages.time(node.item.updatedAt)
    switch node.item {
    case .collection(let row): result.environment = row.activeEnvironmentID
    case .folder: break
    case .request(let row):
      result.method = row.method
      result.url = row.url.shown
      result.uri = StoredRequestFile.historyName(of: row.id)
      result.isFavourite = row.isFavourite
      result.tags = node.tags.isEmpty ? nil : node.tags.map(\.shown)
    }
    if let defaults = node.item.defaults, !defaults.isEmpty {
      result.defaults = LSP.PostkitDefaults(defaults.masked)
    }
    if node.item.container != nil {
      result.requestCount = node.requestCount
      if depth > 1 { result.children = node.children.map { self.node($0, depth: depth - 1) } }
    }
    return result
  }

  /// `postkit.collections`: opens a stored request, the list of all, or what a query finds.
  static func show(
    _ snapshot: Snapshot, _ arguments: LSP.PostkitCollectionsArguments
  ) async throws(RPCError) -> String {
    let uri: String
    if let id = arguments.id {
      guard arguments.query == nil else {
        throw RPCError(
          .invalidParams, "params.arguments[0].query: expected either a query or a request.")
      }
      if let item = try await container(snapshot, id) {
        uri = try DefaultsDocument.write(snapshot, item)
      } else {
        uri = try await StoredRequests.write(snapshot, id: id)
      }
    } else if let query = arguments.query, !query.isEmpty {
      uri = try await FoundRequests.open(snapshot, query: query)
    } else {
      uri = try await ListDocument.collections.uri(snapshot) { () throws(RPCError) in
        try await text(snapshot)
      }
    }
    SendResults.open(snapshot, uri, takesFocus: true)
    return uri
  }

  /// The collection or folder with an id; `nil` for anything else.
  private static func container(
    _ snapshot: Snapshot, _ id: String
  ) async throws(RPCError) -> CollectionItem? {
    guard let store = await snapshot.store.existing() else { return nil }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let item = try await store.look { reader throws(StoreFailure) in try reader.item(id: id) }
      return item?.container == nil ? nil : item
    }
  }

  /// The document `postkit:/collections`: a line for each thing, which ends with what names it.
  /// All are comments, so that the list is a request file without a mistake.
  static func text(_ snapshot: Snapshot) async throws(RPCError) -> String {
    guard let store = await snapshot.store.existing() else { return empty }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let nodes = try await store.collectionTree()
      if nodes.isEmpty { return empty }
      return ([keys, "#"] + lines(nodes, "# ")).joined(separator: "\n") + "\n"
    }
  }

  /// What can be done with a line. Editors that know us say their keys in its place.
  static let keys = "# The code actions of a line send, open and delete what stands there."

  private static let empty =
    "# No collections yet. The code action \"Save to a collection\" creates one.\n"

  private static func lines(_ nodes: [CollectionNode], _ indent: String) -> [String] {
    nodes.flatMap { node -> [String] in
      let name = node.item.name.shown.oneLine
      guard case .request(let row) = node.item else {
        return ["\(indent)\(name)/  \(node.item.id)"] + lines(node.children, indent + "  ")
      }
      return ["\(indent)\(line(row, called: name))"]
    }
  }
}

extension Collections {
  /// What the line of a request says of it: its name or path, its address, whether it is a
  /// favourite, and what names it.
  static func line(_ row: Model.HTTPRequest, called name: String) -> String {
    let caption = row.name == nil ? "" : "  \(row.method) \(row.url.shown)"
    let mark = row.isFavourite ? "  ★" : ""
    return "\(name)\(caption)\(mark)  \(StoredRequestFile.historyName(of: row.id))".oneLine
  }
}

extension RPCError {
  /// What a client is told of a failure of the store.
  init(_ failure: StoreFailure) {
    switch failure {
    case .collection(.stale), .collection(.notFound), .changedMeanwhile, .markChanged:
      self.init(.contentModified, failure.message)
    case .collection: self.init(.invalidParams, failure.message)
    default: self.init(.requestFailed, failure.message)
    }
  }

  /// What comes of work with the store, whose failures become errors of the protocol.
  static func ofStore<Value>(
    _ work: () async throws(StoreFailure) -> Value
  ) async throws(RPCError) -> Value {
    do throws(StoreFailure) { return try await work() } catch { throw RPCError(error) }
  }
}

extension LSP.PostkitDeletion {
  /// Writes a deletion for a client.
  fileprivate init(_ item: DeletedItem) {
    self.init(
      id: item.id, item: item.itemID,
      kind: LSP.PostkitCollectionKind(rawValue: item.kind) ?? .request, name: item.name.shown,
      path: item.path.isEmpty ? nil : item.path.shown,
      deletedAt: HistoryPages.time(item.deletedAt), requestCount: item.requestCount)
  }
}

extension LSP.PostkitCollectionsParams {
  /// Whether a list of requests is asked for, not a part of the tree.
  fileprivate var asksForList: Bool {
    filter != nil || sort != nil || limit != nil || cursor != nil
  }
}

extension RequestQuery {
  /// The question of a message, without the place in which is looked.
  fileprivate init(_ params: LSP.PostkitCollectionsParams) {
    self.init(
      text: params.filter?.text,
      sort: params.sort.flatMap { Sort(rawValue: $0.rawValue) } ?? .order,
      limit: min(max(params.limit ?? 50, 1), 200))
    method = params.filter?.method
    header = Field(params.filter?.header, params.filter?.headerValue)
    parameter = Field(params.filter?.parameter, params.filter?.parameterValue)
    tag = params.filter?.tag
    isFavourite = params.filter?.favourite
    cursor = params.cursor
  }
}
