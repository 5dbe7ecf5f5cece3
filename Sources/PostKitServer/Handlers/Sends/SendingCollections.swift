// Sending all stored requests of a collection or folder, in their order.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSyntax

/// One road for all clients that send a collection.
enum SendingCollections {
  /// Sends the requests of a collection or folder, which a path or an id names; a cancelled one
  /// ends it.
  static func all(
    _ snapshot: Snapshot, _ order: SendOrder, in collection: String
  ) async throws(RPCError) -> [LSP.PostkitSendResult] {
    let ids = try await requests(snapshot, in: collection)
    guard !ids.isEmpty else {
      throw RPCError(
        .invalidParams, "`\(collection)` has no requests. Save some into it, then send it.",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    var results: [LSP.PostkitSendResult] = []
    for id in ids {
      var order = order
      order.uri = StoredRequestFile.historyName(of: id)
      let context = try await snapshot.sendingContext(
        of: try await snapshot.sendable(order.uri), order)
      let block = try Sending.block(snapshot, context, order)
      let made = try await Sending.all(snapshot, context, [block.index], order)
      results += made
      if made.contains(where: { $0.state == .cancelled }) { break }
      if order.stopsAtFirstFailure, made.contains(where: { $0.error != nil }) { break }
    }
    return results
  }

  private static func requests(
    _ snapshot: Snapshot, in collection: String
  ) async throws(RPCError) -> [String] {
    guard let store = await snapshot.services.store.existing() else { return [] }
    do throws(StoreFailure) {
      return try await store.look { reader throws(StoreFailure) in
        try reader.tree(in: try reader.container(collection)).flatMap(\.requestIDs)
      }
    } catch {
      throw RPCError(error)
    }
  }
}
