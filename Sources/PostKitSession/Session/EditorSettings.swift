// The settings that an editor was asked for: what is sent meanwhile waits for them, as they may
// name its environment.

import LanguageServerProtocol
package import PostKitJSON
import PostKitSupport
import Synchronization

/// Lets sends wait until the editor has said its settings.
package final class EditorSettings: Sendable {
  /// What an editor has said.
  package struct Values: Sendable {
    /// Its settings under `postkit`.
    package var editor: JSONValue
    /// Those that it has for a folder of several.
    package var folders: [DocumentURI: JSONValue]
  }

  /// What comes of waiting.
  enum Arrival: Sendable {
    /// Nothing was asked for.
    case nothing
    case values(Values)
    /// The editor takes its time.
    case late
  }

  private struct State {
    var isAwaited = false
    var values: Values?
    var answers = 0
  }

  private let state = Mutex(State())
  private let signal = ChangeSignal()

  /// How many answers there were.
  package var answers: Int { state.withLock { $0.answers } }

  /// Notes that the settings were asked for.
  package func asked() { state.withLock { $0.isAwaited = true } }

  /// Notes what came of that; nobody waits any longer.
  package func answered(editor: JSONValue, folders: [DocumentURI: JSONValue]) {
    let values = Values(editor: editor, folders: folders)
    state.withLock { $0 = State(isAwaited: false, values: values, answers: $0.answers + 1) }
    signal.raise()
  }

  /// The answer after so many others; it is waited for where there is one to come, but not for
  /// long, and only once.
  func arrival(after answers: Int) async -> Arrival {
    // Before the look, so that no answer is missed in between.
    let revision = signal.revision
    let now = state.withLock { $0 }
    if now.answers != answers { return now.values.map(Arrival.values) ?? .nothing }
    guard now.isAwaited else { return .nothing }
    let signal = signal
    _ = await Waiting.value(within: Limits.settingsMilliseconds) {
      await signal.wait(after: revision)
    }
    return state.withLock { state in
      if !state.isAwaited { return state.values.map(Arrival.values) ?? .nothing }
      state.isAwaited = false
      return .late
    }
  }
}
