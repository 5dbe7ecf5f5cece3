// Sending a text by itself: what is selected in a document, or a snippet that is in none.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitSyntax
import PostKitText

/// One road for `postkit/send` and the command `postkit.sendAll`.
enum SendText {
  /// Sends the requests of a text in order; the result of the last one tells of all.
  static func last(
    _ snapshot: Snapshot, _ order: SendOrder
  ) async throws(RPCError) -> LSP.PostkitSendResult {
    let (context, blocks, order) = try await prepare(snapshot, order)
    var results: [LSP.PostkitSendResult] = []
    if order.isDryRun {
      for block in blocks {
        results.append(
          try await RequestPreview.preview(
            snapshot, context, context.document.parsed.blocks[block], order))
      }
    } else if blocks.count == 1 {
      // What keeps a single request from being built is an error, as it is for one in a document.
      let block = context.document.parsed.blocks[blocks[0]]
      results = [try await SendRequests.one(snapshot, context, block, order)]
    } else {
      results = try await SendRequests.all(snapshot, context, blocks, order)
    }
    guard var last = results.last else {
      throw RPCError(.requestFailed, "Nothing was sent: all requests of the text are turned off.")
    }
    last.results = results
    return last
  }

  /// Sends the requests of a text in order.
  static func all(
    _ snapshot: Snapshot, _ order: SendOrder
  ) async throws(RPCError) -> [LSP.PostkitSendResult] {
    let (context, blocks, order) = try await prepare(snapshot, order)
    return try await SendRequests.all(snapshot, context, blocks, order)
  }

  /// The document with the text behind it, and the requests of the text.
  private static func prepare(
    _ snapshot: Snapshot, _ order: SendOrder
  ) async throws(RPCError) -> (DocumentContext, blocks: [Int], SendOrder) {
    let document = order.uri.isEmpty ? nil : try await snapshot.sendable(order.uri)
    var parsed: ParsedDocument?
    // As the project has its lines read.
    if let document { parsed = await snapshot.context(of: document).document.parsed }
    let sent = SentText(Array((order.text ?? "").utf8), behind: parsed)
    let uri = document?.uri ?? DocumentURI("untitled:selection.http")
    let context = try await snapshot.sendingContext(
      of: OpenDocument(
        uri: uri, languageID: document?.languageID ?? "http",
        text: TextSnapshot(uri: uri.spelling, version: nil, bytes: sent.bytes), previous: nil),
      order)
    let whole = context.document.parsed
    let blocks = whole.batch(sharesBlocks: context.dialect.sharesBlocks)
      .filter { $0.range.upperBound > sent.start && $0.requestLine.lowerBound >= sent.start }
      .map(\.index)
    guard !blocks.isEmpty else {
      throw RPCError(
        .invalidParams, "params.text: the text has no request.",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    var order = order
    order.movedLines = MovedLines(
      first: whole.line(at: sent.start),
      shown: order.range?.start.line ?? order.position?.line ?? 0)
    return (context, blocks, order)
  }
}
