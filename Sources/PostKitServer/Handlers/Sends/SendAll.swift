// Sending all requests of a document in their order.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitSyntax

extension SendRequests {
  /// Sends all requests of a document in order; those that could not be built count as failed.
  static func all(
    _ snapshot: Snapshot, _ order: SendOrder
  ) async throws(RPCError) -> [LSP.PostkitSendResult] {
    if let collection = order.collection {
      return try await SendCollections.all(snapshot, order, in: collection)
    }
    if order.text != nil { return try await SendText.all(snapshot, order) }
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
    let place = SendPlace(context, snapshot, order.movedLines)
    var results: [LSP.PostkitSendResult] = []
    // What needs another was sent after it, but clients know the requests by their places.
    for outcome in result.outcomes.sorted(by: { $0.place < $1.place }) {
      if let told = result.told[outcome.id] {
        results.append(told)
      } else {
        results.append(await SendResults.result(snapshot, outcome, place))
      }
    }
    return (results, result.outcomes.allSatisfy { $0.exitCode == 0 })
  }
}
