// Stored requests that are looked for, as a document. All are comments, as in the list of all.

import JSONRPC
import PostKitHTTP
import PostKitRunner
import PostKitSession
import PostKitStore

/// The document `postkit:/collections?QUERY`: a line for each request, with its path.
enum FoundRequests {
  /// The list as it is now.
  static func text(
    _ snapshot: Snapshot, _ listing: RequestListing
  ) async throws(RPCError) -> String {
    guard let store = await snapshot.store.existing() else { return nothing }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      var query = listing.query
      if let place = listing.place {
        query.container = try await store.look { reader throws(StoreFailure) in
          try reader.container(place)
        }
      }
      return text(
        try await store.findRequests(query, deriving: RequestText.deriving), by: query.sort)
    }
  }

  /// The list of a page.
  static func text(_ page: RequestPage, by sort: RequestQuery.Sort) -> String {
    if page.requests.isEmpty { return nothing }
    let shown = page.requests.count
    let count =
      shown == page.total ? "\(shown)" : "The first \(shown) of \(page.total)"
    let order = sort.told.map { ", \($0)" } ?? ""
    let heading = "\(count) stored request\(page.total == 1 ? "" : "s")\(order)."
    let lines = page.requests.map { found in
      "# " + Collections.line(found.request, called: found.path.shown)
    }
    return (["# \(heading)", Collections.keys, "#"] + lines).joined(separator: "\n") + "\n"
  }

  private static let nothing = "# No stored request matches.\n"

  /// Opens the list of a query, as a file where the client reads no documents of ours; its URI.
  static func open(_ snapshot: Snapshot, query: String) async throws(RPCError) -> String {
    let uri = DocumentURI("postkit:/\(ListDocument.collections.rawValue)?\(query)")
    guard let listing = try RequestListing(uri) else {
      throw RPCError(
        .invalidParams, "params.arguments[0].query: expected a query such as `search=users`.")
    }
    // A mistake in it is told now, and not by what is opened.
    let text = try await text(snapshot, listing)
    if snapshot.client.profile.readsContentDocuments { return uri.spelling }
    let file = try ListDocument.write(snapshot, text, as: ListDocument.collections.fileName)
    snapshot.session.update { $0.lists.note(file, .found(listing), text) }
    return file.spelling
  }
}

extension RequestQuery.Sort {
  /// The order in words; `nil` for that of the tree.
  fileprivate var told: String? {
    switch self {
    case .order: nil
    case .name: "by name"
    case .updated: "the one changed last first"
    case .created: "newest first"
    case .recent: "the one sent last first"
    }
  }
}
