// What an editor shows of the store while somebody types: it is not read again while nothing has
// changed but the history of what was sent here.

import PostKitHTTP
import PostKitJSON
package import PostKitStore
import Synchronization

/// What those who only read found in an open store last.
struct StoreReading: Sendable {
  /// A value of a folder.
  struct Place: Hashable {
    let key: SessionKey
    let folder: String
  }

  private var changes: Int64?
  private var values: [Place: String?] = [:]
  private var globals: [WorkspaceEnvironment: [JSONMember]] = [:]

  /// More folders and environments than anybody works in at once.
  private static let limit = 256

  /// A value that was found at so many changes.
  func value(_ place: Place, at changes: Int64) -> String?? {
    self.changes == changes ? values[place] : nil
  }

  /// The globals that were found at so many changes.
  func globals(of owner: WorkspaceEnvironment, at changes: Int64) -> [JSONMember]? {
    self.changes == changes ? globals[owner] : nil
  }

  /// Keeps a value. The changes were counted before what they are of was read, so that they are
  /// never newer.
  mutating func keep(_ value: String?, of place: Place, at changes: Int64) {
    begin(at: changes)
    values[place] = .some(value)
  }

  /// Keeps globals.
  mutating func keep(_ found: [JSONMember], of owner: WorkspaceEnvironment, at changes: Int64) {
    begin(at: changes)
    globals[owner] = found
  }

  private mutating func begin(at changes: Int64) {
    if self.changes != changes || values.count + globals.count >= StoreReading.limit {
      self = StoreReading(changes: changes)
    }
  }

  private init(changes: Int64) { self.changes = changes }

  /// Nothing was read yet.
  init() {}
}

extension StoreAccess {
  /// A value of a folder that doesn't depend on an environment, for what an editor shows; `nil`
  /// where there is none, or no store.
  package nonisolated func value(
    _ key: SessionKey, folder: String
  ) async throws(StoreFailure) -> String? {
    guard let store = await atHand() else { return nil }
    let place = StoreReading.Place(key: key, folder: folder)
    let changes = try await StoreGlance.marks(of: store).changes
    if let known = shared.withLock({ $0.reading.value(place, at: changes) }) { return known }
    let value = try await store.sessionValue(key.text, folder: folder)
    shared.withLock { $0.reading.keep(value, of: place, at: changes) }
    return value
  }

  /// The globals of a folder and an environment, for what an editor shows; `nil` without a store.
  nonisolated func globals(
    of owner: WorkspaceEnvironment
  ) async throws(StoreFailure) -> [JSONMember]? {
    guard let store = await atHand() else { return nil }
    let changes = try await StoreGlance.marks(of: store).changes
    if let known = shared.withLock({ $0.reading.globals(of: owner, at: changes) }) { return known }
    let globals = try await store.globals(of: owner)
    shared.withLock { $0.reading.keep(globals, of: owner, at: changes) }
    return globals
  }
}

/// The look at the store of a task that answers one question. While requests are being recorded
/// nothing tells whether the store is as it was but the store's own thread, and somebody who types
/// would wait for that thread again and again.
package final class StoreGlance: Sendable {
  @TaskLocal private static var current: StoreGlance?

  private final class Seen: Sendable {
    let marks: StoreMarks
    init(_ marks: StoreMarks) { self.marks = marks }
  }

  private let seen = AtomicLazyReference<Seen>()

  /// Does what asks for the marks of the store perhaps several times, and must not change it.
  package static func once<Result>(_ work: () async -> Result) async -> Result {
    await $current.withValue(StoreGlance(), operation: work)
  }

  /// What the store is like; for a question that looks once, what it was like at its first look.
  static func marks(of store: Store) async throws(StoreFailure) -> StoreMarks {
    let glance = current
    if let seen = glance?.seen.load() { return seen.marks }
    let marks: StoreMarks
    if let known = store.marksAtRest { marks = known } else { marks = try await store.marks() }
    return glance?.seen.storeIfNil(Seen(marks)).marks ?? marks
  }
}
