// The environments that all editors share: who else has chosen another one.

/// What the store had chosen for folders when it was last looked at or written here.
package struct SharedChoices: Sendable {
  /// A look at the store that may take a while, in which more is chosen.
  package struct Look: Sendable {
    fileprivate let number: UInt64
  }

  private var known: [String: String] = [:]
  /// Counts looks and choices of ours, so that what a slow look saw is told from news.
  private var count: UInt64 = 0
  /// The newest look whose sight of a folder counted, or the newest choice of ours there.
  private var newest: [String: UInt64] = [:]
  /// How many choices of ours are being written, by folder.
  private var writing: [String: Int] = [:]

  /// Begins a look at the store.
  package mutating func look() -> Look {
    count += 1
    return Look(number: count)
  }

  /// Notes what a look has seen of a folder; whether it is another choice than the one that was
  /// known. What an older look saw, or one beside a choice of ours, is no news.
  package mutating func see(_ name: String, folder: String, in look: Look) -> Bool {
    guard writing[folder, default: 0] == 0, newest[folder, default: 0] < look.number else {
      return false
    }
    newest[folder] = look.number
    let before = known.updateValue(name, forKey: folder)
    return before.map { $0 != name } ?? false
  }

  /// Notes that a choice of ours is being written.
  package mutating func begin(folder: String) { writing[folder, default: 0] += 1 }

  /// Notes that a choice of ours was written.
  package mutating func end(_ name: String, folder: String) {
    writing[folder, default: 0] -= 1
    count += 1
    newest[folder] = count
    known[folder] = name
  }
}
