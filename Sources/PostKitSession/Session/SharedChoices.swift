// The environments that all editors share: who else has chosen another one.

import Synchronization

/// What the store had chosen for folders when it was last looked at or written here.
package final class SharedChoices: Sendable {
  /// A look at the store that may take a while, in which more is chosen.
  package struct Look: Sendable {
    fileprivate let number: UInt64
  }

  private struct State {
    var known: [String: String] = [:]
    /// Counts looks and choices of ours, so that what a slow look saw is told from news.
    var count: UInt64 = 0
    /// The newest look whose sight of a folder counted, or the newest choice of ours there.
    var newest: [String: UInt64] = [:]
    /// How many choices of ours are being written, by folder.
    var writing: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Begins a look at the store.
  package func look() -> Look {
    state.withLock { state in
      state.count += 1
      return Look(number: state.count)
    }
  }

  /// Notes what a look has seen of a folder; whether it is another choice than the one that was
  /// known. What an older look saw, or one beside a choice of ours, is no news.
  package func see(_ name: String, folder: String, in look: Look) -> Bool {
    state.withLock { state in
      guard state.writing[folder, default: 0] == 0, state.newest[folder, default: 0] < look.number
      else { return false }
      state.newest[folder] = look.number
      let before = state.known.updateValue(name, forKey: folder)
      return before.map { $0 != name } ?? false
    }
  }

  /// Writes a choice of ours.
  package func choose(_ name: String, folder: String, write: () async -> Void) async {
    state.withLock { $0.writing[folder, default: 0] += 1 }
    await write()
    state.withLock { state in
      state.writing[folder, default: 0] -= 1
      state.count += 1
      state.newest[folder] = state.count
      state.known[folder] = name
    }
  }
}
