// What an editor shows of the store while somebody types: read beside the commits and the upkeep,
// and not at all while nothing has changed.

import PostKitHTTP
import PostKitJSON
import PostKitStore
import Synchronization

/// The way into an open store for those who only read, and what they found there last.
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

  private let reader = Mutex<Store?>(nil)
  private let found = Mutex(Found())

  /// The store for reading; `nil` while it is not open.
  var store: Store? { reader.withLock { $0 } }

  /// Opens the way into a store, and answers it. Where that fails, reading takes the way of all.
  func open(_ store: Store) async -> Store? {
    // What is wrong with the files is told by who writes to them.
    guard let opened = try? await Store.reader(of: store) else { return nil }
    reader.withLock { $0 = opened }
    return opened
  }

  /// Closes the way.
  func close() async {
    let store = reader.withLock { store in
      defer { store = nil }
      return store
    }
    await store?.close()
  }

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
