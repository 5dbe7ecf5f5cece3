// The globals of a workspace folder and environment: in the store where they outlive the session,
// in its memory where they are secrets, or are not to be kept (PK-59).

package import PostKitEvaluate
package import PostKitHTTP
import PostKitJSON
import PostKitStore
import PostKitSupport

extension Snapshot {
  /// Whether a response was saved to a file before, which has one of these paths: in this session,
  /// or by what the history has.
  package func wasSaved(_ paths: [String]) async -> Bool {
    if session.memory.hasSaved(paths) { return true }
    guard let store = await store.existing() else { return false }
    do throws(StoreFailure) { return try await store.hasSaved(to: paths) } catch {
      Log.warning("Whether a response was saved to \(paths[0]) can't be read: \(error.message)")
      return false
    }
  }

  /// What requests have set. An editor keeps globals unless its project says otherwise.
  package func globals(
    of owner: WorkspaceEnvironment, _ dialect: Dialect
  ) async -> [String: GlobalValue] {
    let own = session.memory.globals(of: owner)
    guard dialect.persistsGlobals ?? true else { return own }
    do throws(StoreFailure) {
      guard let kept = try await store.globals(of: owner) else { return own }
      let removed = session.memory.removedGlobals(of: owner)
      return GlobalValue.kept(kept).filter { !removed.contains($0.key) }
        .merging(own) { _, own in own }
    } catch {
      Log.warning("The globals can't be read: \(error.message)")
      return own
    }
  }

  /// Keeps what a run has set, and forgets what it has removed.
  package func keep(
    _ changes: GlobalChanges, of owner: WorkspaceEnvironment, _ dialect: Dialect
  ) async {
    session.update { $0.memory.keep(changes, of: owner) }
    guard dialect.persistsGlobals ?? true else { return }
    let (kept, secret) = changes.set.parted
    let change = SessionChange.globals(kept, forgetting: secret + changes.removed, of: owner)
    guard !change.isEmpty else { return }
    let place = await store.keep(change, "Globals are kept for this session only")
    // What waits in a file is known here meanwhile.
    if place == .store {
      session.update {
        $0.memory.leave(globals: kept.map(\.key) + changes.removed, of: owner)
      }
    }
  }
}
