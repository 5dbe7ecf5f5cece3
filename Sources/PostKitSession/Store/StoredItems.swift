// What is derived from all stored requests, for who looks for anything with a name: somebody types.

import PostKitStore
import PostKitSupport
import Synchronization

/// What was derived from the collections last, kept while these do not change.
struct StoredItems<Item: Sendable>: Sendable {
  /// The changes of the store when these were known to be all.
  var changes: Int64
  let revision: Int64
  let items: [Item]
}

extension StoreAccess {
  /// The stored requests as symbols.
  package nonisolated func storedSymbols() async -> [StoredSymbols.Item] {
    await items(\.symbols, "The stored requests", StoredSymbols.items)
  }

  /// The names in stored requests.
  package nonisolated func storedNames() async -> [StoredNames.Item] {
    await items(\.names, "The names in stored requests", StoredNames.items)
  }

  /// The items of all stored requests, which are `what`; `derive` answers `nil` where it was broken
  /// off.
  private nonisolated func items<Item>(
    _ kept: any WritableKeyPath<Shared, StoredItems<Item>?> & Sendable, _ what: String,
    _ derive: (Store) async throws(StoreFailure) -> [Item]?
  ) async -> [Item] {
    guard let store = await atHand() else { return [] }
    do throws(StoreFailure) {
      let changes = try await StoreGlance.marks(of: store).changes
      var known = shared.withLock { $0[keyPath: kept] }
      if let known, known.changes == changes { return known.items }
      let revision = try await store.collectionsRevision()
      if known?.revision == revision {
        known?.changes = changes
      } else {
        guard let items = try await derive(store) else { return [] }
        known = StoredItems(changes: changes, revision: revision, items: items)
      }
      shared.withLock { [known] in $0[keyPath: kept] = known }
      return known?.items ?? []
    } catch {
      Log.warning("\(what) can't be read: \(error.message)")
      return []
    }
  }
}
