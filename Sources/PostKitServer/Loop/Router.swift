// How a message finds its handler: typed registration, untyped lookup.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitSession

/// The threads on which a task answers a request, and which other requests it waits for.
enum Schedule: Sendable, Hashable {
  /// About a place in a document, or about all of it but seldom: must not take long (PROMISES.md
  /// R5).
  case position
  /// About all of a document: as above, and of many that ask the same only the newest matters
  /// (PROMISES.md Q10).
  case wholeDocument
  /// About all of a document, and somebody who types waits for it.
  case diagnostics
  /// About no document in particular: on the threads that all share, and without a limit of time.
  case shared
  /// Asks for something to be done, or may be answered only when there is news: does not wait
  /// until the client has read what it was told before.
  case action(MeaningRole)
  /// The same, with the role of the command that is named.
  case command

  /// Whether only the newest of many requests for a document matters.
  var isOfWhole: Bool { self == .wholeDocument || self == .diagnostics }

  /// Whether it asks what a document is like.
  var isAboutDocument: Bool { self == .position || isOfWhole }

  /// Whether it asks for something to be done.
  var acts: Bool {
    switch self {
    case .action, .command: true
    case .position, .wholeDocument, .diagnostics, .shared: false
    }
  }

  /// What a request has to do with the meaning of sends, and so who waits for whom.
  func role(
    _ params: JSONView?, _ initialization: LSP.PostkitInitializationOptions
  ) -> MeaningRole {
    switch self {
    case .position, .wholeDocument, .diagnostics, .shared: return .shows
    case .action(let role): return role
    case .command:
      // An unknown command is refused by the handler.
      let command = params?["command"]?.string.flatMap { CommandID(name: $0, initialization) }
      return command?.role ?? .none
    }
  }
}

/// A line of the route table.
struct Route: Sendable {
  /// Where a handler runs.
  enum Work: Sendable {
    /// On the loop, with the state; it may change it and must be quick.
    case mutate(@Sendable (inout ServerState, RequestID, JSONView?) throws(RPCError) -> [UInt8]?)
    /// In a task, on an immutable snapshot.
    case read(
      Schedule, @Sendable (Snapshot, RequestID, JSONView?) async throws(RPCError) -> [UInt8])
    /// On the loop; nobody waits for an answer.
    case note(@Sendable (inout ServerState, JSONView?) throws(RPCError) -> Void)
  }

  let method: String
  let work: Work

  /// Whether the message is answered.
  var isRequest: Bool {
    if case .note = work { false } else { true }
  }

  /// A request that is answered in a task.
  static func read<Message: RequestMessage>(
    _ type: Message.Type, on schedule: Schedule,
    _ handler:
      @escaping @Sendable (Snapshot, Message.Params) async throws(RPCError)
      -> Message.Result
  ) -> Route {
    Route(
      method: Message.method,
      work: .read(schedule) { snapshot, id, view throws(RPCError) in
        let params = try decode(Message.params, view)
        let result = try await handler(snapshot, params)
        // Nobody reads it, and it may be the beginning of an answer.
        try Abandonment.check()
        return OutgoingMessage.response(id: id) { Message.result.write(&$0, result) }
      })
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
