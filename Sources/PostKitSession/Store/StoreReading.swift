// What an editor shows of the store while somebody types: it is not read again while nothing has
// changed but the history of what was sent here.

import PostKitHTTP
import PostKitJSON
import PostKitStore
import Synchronization

/// What those who only read found in an open store last.
final class StoreReading: Sendable {
  private struct Found {
    var changes: Int64
    var values: [Place: String?] = [:]
    var globals: [WorkspaceEnvironment: [JSONMember]] = [:]
  }

  private struct Place: Hashable {
    let key: SessionKey
    let folder: String
  }

  /// More folders and environments than anybody works in at once.
  private static let limit = 256

  private let found = Mutex<Found?>(nil)

  /// A value of a folder that doesn't depend on an environment.
  func value(
    _ key: SessionKey, folder: String, in store: Store
  ) async throws(StoreFailure) -> String? {
    let place = Place(key: key, folder: folder)
    let changes = try await StoreGlance.marks(of: store).changes
    if let known = known(at: changes, { $0.values[place] }) { return known }
    let value = try await store.sessionValue(key.text, folder: folder)
    keep(at: changes) { $0.values[place] = .some(value) }
    return value
  }

  /// The globals of a folder and an environment.
  func globals(
    of owner: WorkspaceEnvironment, in store: Store
  ) async throws(StoreFailure) -> [JSONMember] {
    let changes = try await StoreGlance.marks(of: store).changes
    if let known = known(at: changes, { $0.globals[owner] }) { return known }
    let globals = try await store.globals(of: owner)
    keep(at: changes) { $0.globals[owner] = globals }
    return globals
  }

  private func known<Value>(at changes: Int64, _ value: (Found) -> Value?) -> Value? {
    guard let found = found.withLock({ $0 }), found.changes == changes else { return nil }
    return value(found)
  }

  /// The changes were counted before what they are of was read, so that they are never newer.
  private func keep(at changes: Int64, _ note: (inout Found) -> Void) {
    found.withLock { found in
      var next = Found(changes: changes)
      if let found, found.changes == changes,
        found.values.count + found.globals.count < StoreReading.limit
      {
        next = found
      }
      note(&next)
      found = next
    }
  }
}
