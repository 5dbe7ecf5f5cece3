// Changes of what sends mean that notifications ask for.

import LanguageServerProtocol
import PostKitSession

extension ServerState {
  /// Starts what a notification changes of the meaning of sends, in its turn.
  mutating func startChange(_ name: String, _ work: @escaping @Sendable () async -> Void) {
    inFlight.start(nil, turn: turns.enter(.changes, name)) {
      // At the end of the session, too: what was saved is not to be lost.
      _ = await Turn.current?.wait()
      await work()
      return nil
    }
  }
}
