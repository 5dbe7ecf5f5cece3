// Sending many in their order: the requests of a document, and of a collection or folder.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSyntax

extension Sending {
  /// Sends all requests of a document in order; those that could not be built count as failed.
  static func all(
    _ snapshot: Snapshot, _ order: SendOrder
  ) async throws(RPCError) -> [LSP.PostkitSendResult] {
    if let collection = order.collection {
      return try await SendingCollections.all(snapshot, order, in: collection)
    }
    if order.text != nil { return try await SendingText.all(snapshot, order) }
    let context = try await snapshot.sendingContext(
      of: try await snapshot.sendable(order.uri), order)
    let document = context.document
    let meant = order.range.map { context.converter(snapshot).offsets($0) }
    let blocks = document.parsed.batch(sharesBlocks: context.dialect.sharesBlocks).filter { block in
      guard let meant else { return true }
      return block.range.lowerBound <= meant.upperBound
        && meant.lowerBound < block.range.upperBound
    }.map(\.index)
    guard !blocks.isEmpty else {
      let place =
        order.range.map { " at the lines \($0.start.line + 1) to \($0.end.line + 1)" } ?? ""
      throw RPCError(
        .invalidParams, "\(order.uri) has no request\(place).",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    var asked = order
    let chosen = try await MissingEnvironment.chosen(snapshot, context, blocks, &asked)
    return try await all(snapshot, chosen, blocks, asked)
  }

  /// Sends requests of a document in order.
  static func all(
    _ snapshot: Snapshot, _ context: DocumentContext, _ blocks: [Int], _ order: SendOrder
  ) async throws(RPCError) -> [LSP.PostkitSendResult] {
    try await sent(snapshot, context, blocks, order).results
  }

  /// Sends requests of a document in order, and answers also whether all ended well: with the exit
  /// code 0, as the command line counts it.
  static func sent(
    _ snapshot: Snapshot, _ context: DocumentContext, _ blocks: [Int], _ order: SendOrder
  ) async throws(RPCError) -> (results: [LSP.PostkitSendResult], isWell: Bool) {
    let result = await run(snapshot, context, blocks, order)
    if let failure = result.failure {
      let block = context.document.parsed.blocks[blocks[0]]
      throw NotBuilt(
        context: context, snapshot: snapshot, block: block, movedLines: order.movedLines
      ).error(failure, [])
    }
    let place = SendPlace(context, snapshot, order)
    var results: [LSP.PostkitSendResult] = []
    // What needs another was sent after it, but clients know the requests by their places.
    for outcome in result.outcomes.sorted(by: { $0.place < $1.place }) {
      if let told = result.told[outcome.id] {
        results.append(told)
      } else {
        results.append(await Showing.result(snapshot, outcome, place))
      }
    }
    return (results, result.outcomes.allSatisfy { $0.exitCode == 0 })
  }
}

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
    // All of them can be sent before the first is. Each is read again in its turn, as those before
    // it may have set what it needs.
    for id in ids { _ = try await part(snapshot, order, of: id) }
    var results: [LSP.PostkitSendResult] = []
    for id in ids {
      let part = try await part(snapshot, order, of: id)
      let made = try await Sending.sent(snapshot, part.context, [part.block], part.order)
      results += made.results
      let isCancelled = made.results.contains { $0.state == .cancelled }
      if isCancelled || order.stopsAtFirstFailure && !made.isWell { break }
    }
    return results
  }

  private static func part(
    _ snapshot: Snapshot, _ order: SendOrder, of id: String
  ) async throws(RPCError) -> (context: DocumentContext, block: Int, order: SendOrder) {
    var order = order
    order.uri = StoredRequestFile.historyName(of: id)
    let context = try await snapshot.sendingContext(
      of: try await snapshot.sendable(order.uri), order)
    return (context, try Sending.block(snapshot, context, order).index, order)
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
