// Work-done progress that appears only when something takes its time (PROMISES.md Q13).

package import JSONRPC
package import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import Synchronization

/// One progress display: create, begin, reports, end, each in its turn and end exactly once.
package final class ProgressScope: Sendable {
  private enum State {
    case waiting
    case shown
    case ended
  }

  private struct Shared {
    var state = State.waiting
    var latest: String?
    /// The seconds that were told last.
    var seconds = 0
  }

  private let client: ClientProxy
  private let token: LSP.ProgressToken
  private let title: String
  private let shared = Mutex(Shared())
  private let begin = Clock.monotonicMicroseconds

  private init(_ client: ClientProxy, token: LSP.ProgressToken, title: String) {
    self.client = client
    self.token = token
    self.title = title
  }

  /// Does work, and shows it where it takes longer than `Limits.progressDelayMilliseconds`. The
  /// client's token is used where it gave one, else one is made if the client can show it.
  package static func around<Result: Sendable>(
    _ client: ClientProxy, clientToken: LSP.ProgressToken?, title: String,
    onShown: @escaping @Sendable (String) -> Void, onSecond: @escaping @Sendable () -> Void = {},
    _ work: (@escaping @Sendable (String) -> Void) async -> Result
  ) async -> Result {
    guard clientToken != nil || client.profile.showsProgress else { return await work { _ in } }
    let token = clientToken ?? .string("postkit/\(Identifier.next())")
    let scope = ProgressScope(client, token: token, title: title)
    // Leaving this function cancels the wait for the delay or for the client's answer.
    async let _: Void = scope.show(isOurs: clientToken == nil, onShown, onSecond)
    // A request that its client cancels is answered at once, and by then its display has ended.
    let result = await withTaskCancellationHandler {
      await work { scope.report($0) }
    } onCancel: {
      scope.end()
    }
    scope.end()
    return result
  }

  private func show(
    isOurs: Bool, _ onShown: (String) -> Void, _ onSecond: () -> Void
  ) async {
    do {
      try await Alarm.sleep(milliseconds: Limits.progressDelayMilliseconds)
      if isOurs {
        _ = try await client.request(
          LSP.WorkDoneProgressCreateRequest.self, LSP.WorkDoneProgressCreateParams(token: token))
      }
    } catch {
      return
    }
    onShown("\(token)")
    shared.withLock { shared in
      guard case .waiting = shared.state else { return }
      shared.state = .shown
      send(
        LSP.WorkDoneProgressBegin(title: title, cancellable: true, message: message(shared)),
        .required)
    }
    await count(onSecond)
  }

  /// Says every second how long it has taken, until somebody cancels it.
  private func count(_ onSecond: () -> Void) async {
    while !Task.isCancelled {
      let elapsed = Clock.monotonicMicroseconds - begin
      let next = 1_000_000 - elapsed % 1_000_000
      // Cancelled, there is nothing left to say.
      try? await Alarm.sleep(microseconds: next)
      if Task.isCancelled { return }
      shared.withLock { shared in
        shared.seconds = Int((Clock.monotonicMicroseconds - begin) / 1_000_000)
        tell(shared)
      }
      onSecond()
    }
  }

  private func message(_ shared: Shared) -> String? {
    guard shared.seconds > 0 else { return shared.latest }
    return (shared.latest.map { $0 + ", " } ?? "") + DurationText.text(seconds: shared.seconds)
  }

  private func tell(_ shared: Shared) {
    guard case .shown = shared.state else { return }
    send(
      LSP.WorkDoneProgressReport(message: message(shared)),
      .replaceable(key: "progress \(token)"))
  }

  private func report(_ message: String) {
    shared.withLock { shared in
      shared.latest = message
      tell(shared)
    }
  }

  private func end() {
    shared.withLock { shared in
      if case .shown = shared.state { send(LSP.WorkDoneProgressEnd(), .required) }
      shared.state = .ended
    }
  }

  private func send(_ value: some ProtocolValue, _ importance: OutgoingFrame.Importance) {
    client.progress(token, value, importance: importance)
  }
}

extension ClientProxy {
  /// Sends a value under a token.
  package func progress(
    _ token: LSP.ProgressToken, _ value: some ProtocolValue,
    importance: OutgoingFrame.Importance = .required
  ) {
    var writer = JSONWriter()
    value.encode(to: &writer)
    guard let tree = orLog("reading back progress", { try JSONTree(parsing: writer.bytes) }) else {
      return
    }
    notify(
      LSP.ProgressNotification.self,
      LSP.ProgressParams(token: token, value: tree.root.value), importance: importance)
  }
}
