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

  /// The bodies of the newest exchanges with a path, of those to a host, as far as they are kept in
  /// the database.
  package func seenBodies(
    host: String, path: String, limit: Int = SeenLimits.bodies
  ) throws(StoreFailure) -> [(method: String, request: String, response: String)] {
    try fetch(Store.seen(path: path, limit: limit)) {
      ($0.host, $0.method, $0.requestBody, $0.responseBody)
    }
    .filter { $0.0 == host }
    .map { (method: $0.1, request: $0.2 ?? "", response: $0.3 ?? "") }
  }

  /// The newest exchanges with a host, or of all.
  static func seen(host: String?, limit: Int) -> FetchDescriptor<Model.HistoryEntry> {
    guard let host else {
      return FetchDescriptor(sortBy: { [$0.startedAt.descending] }, fetchLimit: limit)
    }
    return FetchDescriptor(
      where: { $0.host == host }, sortBy: { [$0.startedAt.descending] }, fetchLimit: limit)
  }

  /// The newest exchanges with a path, whatever the host.
  static func seen(path: String, limit: Int) -> FetchDescriptor<Model.HistoryEntry> {
    FetchDescriptor(
      where: { $0.path == path }, sortBy: { [$0.startedAt.descending] }, fetchLimit: limit)
  }
}
