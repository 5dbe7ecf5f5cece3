// What is derived from all stored requests, for who looks for anything with a name: somebody types.

package import PostKitStore
import PostKitSupport
import Synchronization

/// What was derived from the collections last, kept while these do not change.
package final class StoredItems<Item: Sendable>: Sendable {
  private struct Kept: Sendable {
    /// The changes of the store when these were known to be all.
    var changes: Int64
    let revision: Int64
    let items: [Item]
  }

  private let kept = Mutex<Kept?>(nil)
  private let what: String
  private let derive: @Sendable (Store) async throws(StoreFailure) -> [Item]?

  /// Makes one that derives items, which are `what`, by `derive`; it answers `nil` where it was
  /// broken off.
  package init(
    _ what: String, _ derive: @escaping @Sendable (Store) async throws(StoreFailure) -> [Item]?
  ) {
    self.what = what
    self.derive = derive
  }

  /// The items of all stored requests; none for a client that could not open their documents.
  package func all(_ snapshot: Snapshot) async -> [Item] {
    guard snapshot.client.profile.readsContentDocuments,
      let store = await snapshot.services.store.atHand()
    else { return [] }
    do throws(StoreFailure) {
      let changes = try await StoreGlance.marks(of: store).changes
      let known = kept.withLock { $0 }
      if let known, known.changes == changes { return known.items }
      let revision = try await store.collectionsRevision()
      if var known, known.revision == revision {
        known.changes = changes
        kept.withLock { [known] in $0 = known }
        return known.items
      }
      guard let items = try await derive(store) else { return [] }
      kept.withLock { $0 = Kept(changes: changes, revision: revision, items: items) }
      return items
    } catch {
      Log.warning("\(what) can't be read: \(error.message)")
      return []
    }
  }
}
