// Sending all stored requests of a collection or folder, in their order.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax

/// One road for all clients that send a collection.
enum SendCollections {
  /// Sends the requests of a collection or folder, which a path or an id names; a cancelled one
  /// ends it.
  static func all(
    _ snapshot: Snapshot, _ order: SendOrder, in collection: String
  ) async throws(RPCError) -> [LSP.PostkitSendResult] {
    let rows = try await requests(snapshot, in: collection)
    guard !rows.isEmpty else {
      let what = Identifier.isValid(collection) ? "This folder" : "`\(collection)`"
      throw RPCError(
        .invalidParams, "\(what) has no requests. Save some into it, then send it.",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    // All of them can be sent before the first is. Each is read again in its turn, as those before
    // it may have set what it needs.
    for row in rows {
      let part = try await part(snapshot, order, of: row.id)
      if let failure = SendRequests.input(snapshot, part.context, [part.block], part.order).circle {
        throw RPCError(
          .requestFailed, "\(failure.message) Nothing was sent.",
          data: ["code": .string(failure.code.rawValue)])
      }
    }
    let teller = Teller(snapshot, order.partialResultToken, rows)
    var results: [LSP.PostkitSendResult] = []
    defer { teller.tellEnd(results) }
    for (number, row) in rows.enumerated() {
      var order = order
      // What is told is about all of them, and not about each as if it were alone.
      order.partialResultToken = nil
      let part = try await part(snapshot, order, of: row.id)
      let made = try await SendRequests.sent(snapshot, part.context, [part.block], part.order)
      results += made.results
      if let last = made.results.last { teller.tell(last, of: number) }
      let isCancelled = made.results.contains { $0.state == .cancelled }
      if isCancelled || order.stopsAtFirstFailure && !made.isWell { break }
    }
    return results
  }

  /// Tells a client that wants to know of each request how far they are, as of those of a file.
  private struct Teller {
    private let client: ClientProxy
    private let token: LSP.ProgressToken?
    private let requests: [LSP.PostkitPlannedRequest]

    init(_ snapshot: Snapshot, _ token: LSP.ProgressToken?, _ rows: [Model.HTTPRequest]) {
      client = snapshot.client
      self.token = client.profile.postkit?.each == true ? token : nil
      requests = rows.map { row in
        LSP.PostkitPlannedRequest(
          title: row.displayName.shown, file: StoredRequestFile.historyName(of: row.id), line: 0)
      }
      if let token = self.token {
        client.progress(token, LSP.PostkitSendQueue(requests: requests), importance: .required)
      }
    }

    func tell(_ result: LSP.PostkitSendResult, of number: Int) {
      guard let token else { return }
      client.progress(
        token,
        LSP.PostkitSendOutcome(
          request: requests[number], result: result, done: number + 1, total: requests.count),
        importance: .required)
    }

    func tellEnd(_ results: [LSP.PostkitSendResult]) {
      guard let token, !Task.isCancelled else { return }
      let tally = RunTally(results.map(SendSummary.ending))
      client.progress(token, LSP.PostkitSendOver(summary: tally.text), importance: .required)
    }
  }

  private static func part(
    _ snapshot: Snapshot, _ order: SendOrder, of id: String
  ) async throws(RPCError) -> (context: DocumentContext, block: Int, order: SendOrder) {
    var order = order
    order.uri = StoredRequestFile.historyName(of: id)
    let context = try await snapshot.sendingContext(
      of: try await snapshot.sendable(order.uri), order)
    return (context, try SendRequests.block(snapshot, context, order).index, order)
  }

  private static func requests(
    _ snapshot: Snapshot, in collection: String
  ) async throws(RPCError) -> [Model.HTTPRequest] {
    guard let store = await snapshot.store.existing() else { return [] }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      try await store.look { reader throws(StoreFailure) in
        try reader.tree(in: try reader.container(collection)).flatMap(\.requestRows)
      }
    }
  }
}
