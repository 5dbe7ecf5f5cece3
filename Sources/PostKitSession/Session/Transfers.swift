// Imports and exports that are going on, so that a user can end one where its progress is shown.

package import JSONRPC
package import LanguageServerProtocol
import PostKitSupport
import Synchronization

/// The imports and exports of this session that are shown.
package final class Transfers: Sendable {
  private let shown = Mutex<[String: StopSignal]>([:])

  /// Ends what is shown under a token.
  package func cancel(progressToken: String) { shown.withLock { $0[progressToken] }?.stop() }

  /// Does work with its progress shown, which ends early where its user stops that.
  package func run<Result: Sendable>(
    _ client: ClientProxy, token: LSP.ProgressToken?, title: String,
    _ work: @escaping @Sendable (@escaping @Sendable (String) -> Void) async
      -> Swift.Result<Result, RPCError>
  ) async throws(RPCError) -> Result {
    let stop = StopSignal()
    let names = Mutex<[String]>([])
    let result = await ProgressScope.around(
      client, clientToken: token, title: title,
      onShown: { name in
        names.withLock { $0.append(name) }
        self.shown.withLock { $0[name] = stop }
      }
    ) { report in await stop.ending { await work(report) } }
    for name in names.withLock({ $0 }) { shown.withLock { $0[name] = nil } }
    guard let result else { throw RPCError(.internalError, "The transfer ended without a result.") }
    return try result.get()
  }
}
