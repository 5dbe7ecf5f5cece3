// What one question of an editor has seen of the store: it looks once, and goes by that.

import PostKitStore
import Synchronization

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
