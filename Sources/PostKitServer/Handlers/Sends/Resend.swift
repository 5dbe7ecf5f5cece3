// Requests of the history are sent anew: as they were written then, with the secrets of now.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// One road for the command and for `postkit/send`.
enum Resend {
  /// `postkit.resend`; without an argument the last exchange is meant.
  static func resend(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    let meant = try ExecuteCommand.decode(argument, or: LSP.PostkitResendArguments())
    let exchange = try await ExecuteCommand.exchange(snapshot, meant.id, nil, nil)
    var order = SendOrder(
      uri: "", environment: meant.environment, variables: meant.variables ?? [:])
    order.workDoneToken = token
    let result = try await send(snapshot, exchange, order)
    ExecuteCommand.present(snapshot, result)
    return JSONValue(result)
  }

  /// Sends the request of an exchange.
  static func send(
    _ snapshot: Snapshot, _ id: String, _ order: SendOrder
  ) async throws(RPCError) -> LSP.PostkitSendResult {
    try await send(snapshot, try await SendResults.exchange(snapshot, id: id), order)
  }

  private static func send(
    _ snapshot: Snapshot, _ exchange: Exchange, _ order: SendOrder
  ) async throws(RPCError) -> LSP.PostkitSendResult {
    await snapshot.waitForStore()
    let uri = exchange.file.hasPrefix("/")
      ? DocumentURI(path: exchange.file) : DocumentURI(exchange.file)
    var order = order
    var current = try await document(snapshot, uri)
    if current == nil, let id = snapshot.storedRequestID(of: uri),
      let deleted = await StoredRequests.readDeleted(snapshot, id: id)
    {
      order.deleted = deleted
      current = OpenDocument(deleted, uri: uri)
      snapshot.client.showMessage(.info, Self.sentence(deleted.deletedRemark))
    }
    var context: DocumentContext?
    if let current { context = try await snapshot.sendingContext(of: current, order) }
    let request: KeptRequest
    switch KeptRequest.find(exchange, in: context?.document.parsed) {
    case .success(let found): request = found
    case .failure(let failure):
      throw RPCError(
        .requestFailed, failure.message, data: ["code": .string(failure.code.rawValue)])
    }
    if let remark = request.remark { snapshot.client.showMessage(.info, remark) }
    var place = try await snapshot.sendingContext(
      of: OpenDocument(
        uri: uri, languageID: current?.languageID ?? "http",
        text: TextSnapshot(uri: uri.spelling, version: nil, bytes: request.bytes), previous: nil),
      order)
    // Which collection it was in nobody knows by then; the environments of another one could have
    // secrets that its server must not get.
    let isGone = current == nil && StoredRequestFile.isHistoryName(exchange.file)
    if isGone, let name = exchange.environment, order.environment == nil {
      snapshot.client.showMessage(
        .info,
        "It was sent with the environment `\(name)` of a collection. Save it there again to send "
          + "it so.")
    }
    place.environment = order.environment ?? (isGone ? nil : exchange.environment)
    guard let block = place.document.parsed.block(at: request.offset), block.isRunnable else {
      throw RPCError(
        .requestFailed, "The history has too little of \(exchange.id) to send it again.",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    return try await SendRequests.one(snapshot, place, block, order)
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The document of an exchange as it is now, or its stored request; `nil` where that is gone.
  private static func document(
    _ snapshot: Snapshot, _ uri: DocumentURI
  ) async throws(RPCError) -> OpenDocument? {
    if let open = snapshot.documents[uri] { return open }
    if let shown = snapshot.shown(uri) {
      guard case .storedRequest(let id) = shown else { throw shown.refusal(uri.spelling) }
      return await snapshot.storedRequest(id: id).map { OpenDocument($0, uri: uri) }
    }
    guard let path = uri.path, FileSystem.isRegularFile(path) else { return nil }
    return try await snapshot.readableDocument(uri.spelling)
  }
}
