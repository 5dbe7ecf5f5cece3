// How a message finds its handler: typed registration, untyped lookup.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitSession

/// A line of the route table.
struct Route: Sendable {
  /// Where a handler runs.
  enum Work: Sendable {
    /// On the loop, with the state; it may change it and must be quick.
    case mutate(@Sendable (inout ServerState, RequestID, JSONView?) throws(RPCError) -> [UInt8]?)
    /// In a task, on an immutable snapshot.
    case read(@Sendable (Snapshot, RequestID, JSONView?) async throws(RPCError) -> [UInt8])
    /// On the loop; nobody waits for an answer.
    case note(@Sendable (inout ServerState, JSONView?) throws(RPCError) -> Void)
  }

  let method: String
  let work: Work
  /// Whether only the newest of many requests for a document matters (PROMISES.md Q10).
  var asksForNow = false
  /// Whether it asks for something to be done, which does not wait until the client has read what
  /// it was told before, or may be answered only when there is news.
  var acts = false
  /// What it has to do with the meaning of sends, and so who waits for whom; commands say it
  /// themselves.
  var role = MeaningRole.shows

  /// Whether it asks what a document is like, which must not take long (PROMISES.md R5).
  var isAboutDocument: Bool { method.hasPrefix("textDocument/") }

  /// What a message of this kind has to do with the meaning of sends.
  func role(
    _ params: JSONView?, _ initialization: LSP.PostkitInitializationOptions
  ) -> MeaningRole {
    guard method == LSP.ExecuteCommandRequest.method else { return role }
    // An unknown command is refused by the handler.
    let command = params?["command"]?.string.flatMap { CommandID(name: $0, initialization) }
    return command?.role ?? .none
  }

  /// Whether the message is answered.
  var isRequest: Bool {
    if case .note = work { false } else { true }
  }

  /// A request that is answered in a task.
  static func read<Message: RequestMessage>(
    _ type: Message.Type,
    _ handler:
      @escaping @Sendable (Snapshot, Message.Params) async throws(RPCError)
      -> Message.Result
  ) -> Route {
    Route(
      method: Message.method,
      work: .read { snapshot, id, view throws(RPCError) in
        let params = try decode(Message.params, view)
        let result = try await handler(snapshot, params)
        // Nobody reads it, and it may be the beginning of an answer.
        try Abandonment.check()
        return OutgoingMessage.response(id: id) { Message.result.write(&$0, result) }
      })
  }

  /// A request that is answered in a task, of which only the newest for a document matters.
  static func readNow<Message: RequestMessage>(
    _ type: Message.Type,
    _ handler:
      @escaping @Sendable (Snapshot, Message.Params) async throws(RPCError)
      -> Message.Result
  ) -> Route {
    var route = read(type, handler)
    route.asksForNow = true
    return route
  }

  /// A request for something to be done, which is answered in a task.
  static func act<Message: RequestMessage>(
    _ type: Message.Type, _ role: MeaningRole,
    _ handler:
      @escaping @Sendable (Snapshot, Message.Params) async throws(RPCError)
      -> Message.Result
  ) -> Route {
    var route = read(type, handler)
    (route.acts, route.role) = (true, role)
    return route
  }

  /// A request that is answered on the loop.
  static func mutate<Message: RequestMessage>(
    _ type: Message.Type,
    _ handler:
      @escaping @Sendable (inout ServerState, Message.Params) throws(RPCError)
      -> Message.Result
  ) -> Route {
    Route(
      method: Message.method,
      work: .mutate { state, id, view throws(RPCError) in
        let params = try decode(Message.params, view)
        let result = try handler(&state, params)
        return OutgoingMessage.response(id: id) { Message.result.write(&$0, result) }
      })
  }

  /// A request whose answer the loop sends later, when `handler` gives `false`.
  static func wait<Message: RequestMessage>(
    _ type: Message.Type, _ handler: @escaping @Sendable (inout ServerState, RequestID) -> Bool
  ) -> Route where Message.Result == LSP.Nothing {
    Route(
      method: Message.method,
      work: .mutate { state, id, _ throws(RPCError) in
        handler(&state, id) ? OutgoingMessage.response(id: id) { $0.null() } : nil
      })
  }

  /// A notification.
  static func note<Message: NotificationMessage>(
    _ type: Message.Type,
    _ handler: @escaping @Sendable (inout ServerState, Message.Params) -> Void
  ) -> Route {
    Route(
      method: Message.method,
      work: .note { state, view throws(RPCError) in
        handler(&state, try decode(Message.params, view))
      })
  }

  private static func decode<Value>(
    _ codec: Codec<Value>, _ view: JSONView?
  ) throws(RPCError) -> Value {
    do throws(DecodingFailure) {
      return try codec.decode(view)
    } catch {
      throw RPCError(.invalidParams, "\(error).")
    }
  }
}

/// The table by method.
struct Router: Sendable {
  private let routes: [String: Route]

  init(_ routes: [Route]) {
    self.routes = Dictionary(
      routes.map { ($0.method, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The route of a method.
  subscript(method: String) -> Route? { routes[method] }

  /// Whether a method has a route.
  func contains(_ method: String) -> Bool { routes[method] != nil }

  /// The routed methods that begin so, sorted.
  func methods(withPrefix prefix: String) -> [String] {
    routes.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }
}
