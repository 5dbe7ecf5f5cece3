// The first of many names, for whoever looks for one that resembles another.

import Synchronization

/// Picks the first of a set of names that never changes, once somebody asks. A file may define a
/// hundred thousand names and misspell as many.
package final class FirstNames: Sendable {
  private let kept = AtomicLazyReference<PickedNames>()

  /// Picks nothing yet.
  package init() {}

  /// The first names of the set in their order, each once.
  package func names(of all: some Sequence<String>) -> [String] {
    // Two callers at once may pick the same.
    (kept.load() ?? kept.storeIfNil(PickedNames(FirstNames.pick(all)))).names
  }

  /// The first of some names in their order, each once.
  package static func pick(_ all: some Sequence<String>) -> [String] {
    var names: [String] = []
    names.reserveCapacity(limit + 1)
    for name in all {
      if names.count == limit, let last = names.last, name >= last { continue }
      var (low, high) = (0, names.count)
      while low < high {
        let middle = (low + high) / 2
        if names[middle] < name { low = middle + 1 } else { high = middle }
      }
      if low < names.count, names[low] == name { continue }
      names.insert(name, at: low)
      if names.count > limit { names.removeLast() }
    }
    return names
  }

  private static let limit = 250
}

private final class PickedNames: Sendable {
  let names: [String]

  init(_ names: [String]) { self.names = names }
}
