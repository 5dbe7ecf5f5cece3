// Imports and exports that are going on, so that a user can end one where its progress is shown.

package import JSONRPC
package import LanguageServerProtocol
import PostKitSupport

/// The imports and exports of this session that are shown, by their tokens.
package struct Transfers: Sendable {
  private var next = 0
  private var shown: [String: (number: Int, stop: StopSignal)] = [:]

  fileprivate mutating func begin() -> Int {
    defer { next += 1 }
    return next
  }

  fileprivate mutating func show(_ number: Int, _ stop: StopSignal, as token: String) {
    shown[token] = (number, stop)
  }

  fileprivate mutating func end(_ number: Int) {
    shown = shown.filter { $0.value.number != number }
  }

  /// Ends what is shown under a token.
  package func cancel(progressToken: String) { shown[progressToken]?.stop.stop() }
}

extension SessionState {
  /// Does work with its progress shown, which ends early where its user stops that.
  package func transfer<Result: Sendable>(
    _ client: ClientProxy, token: LSP.ProgressToken?, title: String,
    _ work: @escaping @Sendable (@escaping @Sendable (String) -> Void) async
      -> Swift.Result<Result, RPCError>
  ) async throws(RPCError) -> Result {
    let stop = StopSignal()
    let number = update { $0.transfers.begin() }
    let result = await ProgressScope.around(
      client, clientToken: token, title: title,
      onShown: { name in self.update { $0.transfers.show(number, stop, as: name) } }
    ) { report in await stop.ending { await work(report) } }
    update { $0.transfers.end(number) }
    guard let result else { throw RPCError(.internalError, "The transfer ended without a result.") }
    return try result.get()
  }
}
