// Changes of what sends mean that notifications ask for.

import LanguageServerProtocol
import PostKitSession
import PostKitStore

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

extension FileRenames {
  /// `workspace/didRenameFiles`: the index looks again, and the history follows.
  static func didRename(_ state: inout ServerState, _ params: LSP.RenameFilesParams) {
    state.index.changed(nil)
    let (moves, snapshot) = (moves(params), state.snapshot)
    state.session.update { $0.memory.follow(moves) }
    state.filesChanged()
    state.startChange(LSP.DidRenameFilesNotification.method) {
      guard await snapshot.store.existing() != nil else { return }
      await snapshot.store.write("The history goes on under the old names of files") {
        store throws(StoreFailure) in
        try store.follow(moves)
      }
      snapshot.events.post(.refresh(.everything))
    }
  }
}
