// Where the collections and folders lie: their order and their paths, read in two queries.

/// All containers of requests at one moment.
struct CollectionPlaces {
  private struct Place {
    var name: String
    var parent: String?
    /// The folders in it, in their order.
    var folders: [String] = []
    /// Its place in a list of all requests; those of its folders come first.
    var rank: Int64 = 0
  }

  private var places: [String: Place] = [:]

  /// Reads the containers.
  init(_ connection: Connection) throws(SQLiteError) {
    let collections = try connection.rows(
      "SELECT id, name FROM collection ORDER BY sort_order, id") { ($0.text(0), $0.text(1)) }
    for (id, name) in collections { places[id] = Place(name: name) }
    let folders = try connection.rows(
      """
      SELECT id, name, ifnull(parent_id, collection_id) FROM folder ORDER BY sort_order, id
      """
    ) { ($0.text(0), $0.text(1), $0.text(2)) }
    for (id, name, parent) in folders { places[id] = Place(name: name, parent: parent) }
    for (id, _, parent) in folders { places[parent]?.folders.append(id) }
    var rank: Int64 = 0
    for (id, _) in collections { count(id, &rank) }
  }

  private mutating func count(_ id: String, _ rank: inout Int64) {
    for folder in places[id]?.folders ?? [] { count(folder, &rank) }
    places[id]?.rank = rank
    rank += 1
  }

  /// The names above what lies in a container, with slashes between and at the end.
  func path(of container: String) -> String {
    var path = ""
    var next: String? = container
    while let id = next, let place = places[id] {
      path = "\(place.name)/\(path)"
      next = place.parent
    }
    return path
  }

  /// The places of all containers, or of one with all below it, by their ids.
  func ranks(below container: String?) -> [String: Int64] {
    guard let container else { return places.mapValues(\.rank) }
    var ranks: [String: Int64] = [:]
    var waiting = [container]
    while let id = waiting.popLast() {
      guard let place = places[id] else { continue }
      ranks[id] = place.rank
      waiting += place.folders
    }
    return ranks
  }

  /// Adds what is counted of each container to all above it.
  func totals(_ counts: [String: Int]) -> [String: Int] {
    var totals = counts
    for (container, count) in counts {
      var next = places[container]?.parent
      while let id = next {
        totals[id, default: 0] += count
        next = places[id]?.parent
      }
    }
    return totals
  }
}

extension CollectionReader {
  /// Nodes of the tree with their paths, their tags and how many requests are in them.
  package func completed(_ nodes: [CollectionNode]) throws(StoreFailure) -> [CollectionNode] {
    let (places, counts, tags) = try read { connection throws(SQLiteError) in
      let counted = try connection.fetch(FetchDescriptor<Model.HTTPRequest>()) {
        ($0.collectionID, $0.folderID, $0.id.count)
      }
      let ids = nodes.flatMap(\.requestIDs)
      let tags = try connection.fetch(
        FetchDescriptor<Model.RequestTag>(
          where: { $0.requestID.isIn(ids) }, sortBy: { [$0.sortOrder.ascending] }))
      return (
        try CollectionPlaces(connection),
        Dictionary(counted.map { ($0.1 ?? $0.0, $0.2) }, uniquingKeysWith: +),
        Dictionary(grouping: tags, by: \.requestID)
      )
    }
    let totals = places.totals(counts)
    func complete(_ node: CollectionNode, _ above: String) -> CollectionNode {
      var node = node
      node.path = above + node.item.name
      node.requestCount = totals[node.item.id] ?? 0
      node.tags = (tags[node.item.id] ?? []).map(\.tag)
      node.children = node.children.map { complete($0, node.path + "/") }
      return node
    }
    return nodes.map { node in
      complete(node, node.item.containerID.map(places.path) ?? "")
    }
  }
}

extension CollectionNode {
  /// The ids of the requests among it and what is in it.
  package var requestIDs: [String] { requestRows.map(\.id) }

  /// The requests among it and what is in it.
  package var requestRows: [Model.HTTPRequest] {
    if case .request(let row) = item { return [row] }
    return children.flatMap(\.requestRows)
  }
}
