// Everything the server says unasked goes through here, and only what the client declared.

package import JSONRPC
package import LanguageServerProtocol
import PostKitJSON
import PostKitSupport

/// The client as tasks see it.
package struct ClientProxy: Sendable {
  package let profile: ClientProfile
  private let transport: any MessageTransport
  private let events: NoticeSink

  /// Makes one that sends by a transport; what is asked of the client goes by the loop.
  package init(profile: ClientProfile, transport: any MessageTransport, events: NoticeSink) {
    self.profile = profile
    self.transport = transport
    self.events = events
  }

  /// Sends a notification.
  package func notify<Message: NotificationMessage>(
    _ type: Message.Type, _ params: Message.Params,
    importance: OutgoingFrame.Importance = .required
  ) {
    let bytes = OutgoingMessage.notification(method: Message.method) { writer in
      Message.params.write(&writer, params)
    }
    transport.send(OutgoingFrame(bytes, importance))
  }

  /// Sends a request and goes on; its answer, or what kept it away, is told once.
  package func ask<Message: RequestMessage>(
    _ type: Message.Type, _ params: Message.Params,
    _ completion: @escaping OutgoingRequests.Completion
  ) {
    let codec = Message.params
    let write: @Sendable (inout JSONWriter) -> Void = { writer in codec.write(&writer, params) }
    let call = ClientCall(
      method: Message.method, params: codec.isNothing ? nil : write,
      timeoutMilliseconds: Limits.clientAnswerMilliseconds, completion: completion)
    events.post(.call(call))
  }

  /// Sends a request and waits for its answer, at most ten seconds unless a person answers it.
  ///
  /// Later messages don't wait for that, but for what is made of the answer.
  ///
  /// Throws the client's error, or `requestCancelled` when the task is cancelled meanwhile.
  package func request<Message: RequestMessage>(
    _ type: Message.Type, _ params: Message.Params,
    timeoutMilliseconds: Int? = Limits.clientAnswerMilliseconds
  ) async throws(RPCError) -> Message.Result {
    // Whoever comes first: the answer, the time limit or a cancellation.
    let first = First<Result<JSONView?, RPCError>>()
    let codec = Message.params
    let write: @Sendable (inout JSONWriter) -> Void = { writer in codec.write(&writer, params) }
    let call = ClientCall(
      method: Message.method, params: codec.isNothing ? nil : write,
      timeoutMilliseconds: timeoutMilliseconds,
      completion: { [turn = Turn.current] in
        turn?.comeBack()
        first.give($0)
      })
    let events = events
    Turn.current?.stepAside()
    let answer = await withTaskCancellationHandler {
      events.post(.call(call))
      return await first.value
    } onCancel: {
      first.give(.failure(.cancelled))
    }
    if Task.isCancelled { Turn.current?.pass() }
    _ = await Turn.current?.wait()
    let view = try answer.get()
    do throws(DecodingFailure) {
      return try Message.result.decode(view)
    } catch {
      throw RPCError(.internalError, "The client answered \(Message.method) with \(error).")
    }
  }

  /// Shows a message that the user should act on.
  package func showMessage(_ type: LSP.MessageType, _ message: String) {
    notify(LSP.ShowMessageNotification.self, LSP.ShowMessageParams(type: type, message: message))
  }

  /// Writes a line into the client's log.
  package func logMessage(_ type: LSP.MessageType, _ message: String) {
    notify(
      LSP.LogMessageNotification.self, LSP.LogMessageParams(type: type, message: message),
      importance: .droppable)
  }
}

extension RPCError {
  /// What the client answered as a failure of ours: its code would mean something else as the
  /// answer to its own request. A cancellation stays one.
  package func asFailure(_ what: String, _ remedy: String) -> RPCError {
    self == .cancelled ? self : RPCError(.requestFailed, "\(what) (\(message)). \(remedy)")
  }
}
