// What was sent before, for whoever writes the next request: a bounded number of the newest
// exchanges, found by an index.

package import PostKitHTTP

/// How many exchanges are looked at for one answer to somebody who types.
package enum SeenLimits {
  package static let targets = 1_000
  package static let fields = 50
  package static let bodies = 4
}

extension Store {
  /// The methods and URLs of the newest requests to a host, or of the newest of all.
  package func seenTargets(
    host: String?, limit: Int = SeenLimits.targets
  ) throws(StoreFailure) -> [(method: String, url: String)] {
    try fetch(Store.seen(host: host, limit: limit)) { ($0.method, $0.url) }
      .map { (method: $0.0, url: $0.1) }
  }

  /// The header fields of the newest requests to a host, or of the newest of all.
  package func seenFields(
    host: String?, limit: Int = SeenLimits.fields
  ) throws(StoreFailure) -> [HeaderField] {
    try fetch(Store.seen(host: host, limit: limit)) { ($0.requestHeaders, $0.id) }
      .flatMap { StoredJSON.headers($0.0).fields }
  }

  /// The bodies of exchanges with a host, or with any, as far as they are kept in the database:
  /// those whose paths are nearest, the newest of them first. `distance` says how near a path is;
  /// `nil` for one that does not count.
  package func seenBodies(
    host: String?, limit: Int = SeenLimits.bodies, distance: (String) -> Int?
  ) throws(StoreFailure) -> [(method: String, request: String, response: String)] {
    var known: [String: Int?] = [:]
    var chosen: [(distance: Int, place: Int, id: String)] = []
    let seen = try fetch(Store.seen(host: host, limit: SeenLimits.targets)) { ($0.path, $0.id) }
    for (place, entry) in seen.enumerated() {
      guard let path = entry.0 else { continue }
      let near = known[path] ?? distance(path)
      known[path] = .some(near)
      if let near { chosen.append((near, place, entry.1)) }
    }
    chosen.sort { ($0.distance, $0.place) < ($1.distance, $1.place) }
    var bodies: [(method: String, request: String, response: String)] = []
    for (_, _, id) in chosen.prefix(limit) {
      bodies += try fetch(Store.seen(id: id)) { ($0.method, $0.requestBody, $0.responseBody) }
        .map { (method: $0.0, request: $0.1 ?? "", response: $0.2 ?? "") }
    }
    return bodies
  }

  /// Whether the response of an exchange was saved to a file, which has one of these paths.
  package func hasSaved(to paths: [String]) throws(StoreFailure) -> Bool {
    let file = try history()
    return try file.read("look for where responses were saved") { connection throws(SQLiteError) in
      let sql = """
        SELECT count(*) FROM exchange, json_each(exchange.saved_to) AS place
        WHERE exchange.saved_to IS NOT NULL AND place.value = ? LIMIT 1
        """
      for path in paths where try connection.integer(sql, [.text(path)]) > 0 { return true }
      return false
    }
  }

  /// The newest exchanges with a host, or of all.
  static func seen(host: String?, limit: Int) -> FetchDescriptor<Model.HistoryEntry> {
    guard let host else {
      return FetchDescriptor(sortBy: { [$0.startedAt.descending] }, fetchLimit: limit)
    }
    return FetchDescriptor(
      where: { $0.host == host }, sortBy: { [$0.startedAt.descending] }, fetchLimit: limit)
  }

  /// One exchange.
  static func seen(id: String) -> FetchDescriptor<Model.HistoryEntry> {
    FetchDescriptor(where: { $0.id == id }, fetchLimit: 1)
  }
}
