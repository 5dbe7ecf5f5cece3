// The mock of an editor's session (IO-42): one at a time, ended with the session.

package import PostKitMock
import Synchronization

/// Owns the mock that `{{$mock}}` names.
package final class SessionMock: Sendable {
  /// A mock that runs.
  package struct Running: Sendable {
    /// The base URL without a slash at its end.
    package let url: String
    /// The absolute path of the folder whose examples it serves.
    package let folder: String
    /// How many answers it has.
    package let answers: Int
  }

  private let state = Mutex<(server: MockServer, running: Running)?>(nil)

  /// Makes the owner; nothing is started yet.
  package init() {}

  /// The mock that runs now.
  package var running: Running? { state.withLock { $0?.running } }

  /// Takes a mock that was started; the one before it ends.
  package func take(_ server: MockServer, folder: String, answers: Int) {
    let old = state.withLock { state in
      let old = state?.server
      state = (server, Running(url: server.url, folder: folder, answers: answers))
      return old
    }
    old?.stop()
  }

  /// Ends the mock; answers whether there was one.
  @discardableResult package func stop() -> Bool {
    let old = state.withLock { state in
      let old = state?.server
      state = nil
      return old
    }
    old?.stop()
    return old != nil
  }
}
