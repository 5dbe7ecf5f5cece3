// What an editor shows of the store while somebody types: it is not read again while nothing has
// changed.

import PostKitHTTP
import PostKitJSON
import PostKitStore
import Synchronization

/// What those who only read found in an open store last.
final class StoreReading: Sendable {
  private struct Found {
    var revision: Int64?
    var values: [Place: String?] = [:]
    var globals: [WorkspaceEnvironment: [JSONMember]] = [:]
  }

  private struct Place: Hashable {
    let key: SessionKey
    let folder: String
  }

  /// More folders and environments than anybody works in at once.
  private static let limit = 256

  private let found = Mutex(Found())

  /// A value of a folder that doesn't depend on an environment.
  func value(
    _ key: SessionKey, folder: String, in store: Store
  ) async throws(StoreFailure) -> String? {
    let place = Place(key: key, folder: folder)
    let revision = store.revisionAtRest
    if let known = known(at: revision, { $0.values[place] }) { return known }
    let value = try await store.sessionValue(key.text, folder: folder)
    keep(at: revision) { $0.values[place] = .some(value) }
    return value
  }

  /// The globals of a folder and an environment.
  func globals(
    of owner: WorkspaceEnvironment, in store: Store
  ) async throws(StoreFailure) -> [JSONMember] {
    let revision = store.revisionAtRest
    if let known = known(at: revision, { $0.globals[owner] }) { return known }
    let globals = try await store.globals(of: owner)
    keep(at: revision) { $0.globals[owner] = globals }
    return globals
  }

  private func known<Value>(at revision: Int64?, _ value: (Found) -> Value?) -> Value? {
    guard let revision else { return nil }
    return found.withLock { $0.revision == revision ? value($0) : nil }
  }

  /// The revision was known before what it is of was read, so that it is never newer than that.
  private func keep(at revision: Int64?, _ note: (inout Found) -> Void) {
    guard let revision else { return }
    found.withLock { found in
      let isFull = found.values.count + found.globals.count >= StoreReading.limit
      if found.revision != revision || isFull { found = Found(revision: revision) }
      note(&found)
    }
  }
}
