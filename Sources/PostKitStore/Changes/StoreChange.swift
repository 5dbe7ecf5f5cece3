// What listeners are told of a commit, and how often.

/// A part of the store that changes apart from others; raw values stand in the files.
package enum StoreScope: String, Sendable, Hashable, CaseIterable {
  case history
  /// Session values, such as the active environment.
  case session
  case cookies
  case collections
  /// What is known of tokens of OAuth 2.
  case tokens
}

/// Commits of this process or of another.
package struct StoreChange: Sendable, Hashable {
  /// The store's revision after them; see `Store.revision()`.
  package var revision: Int64
  /// What they changed.
  package var scopes: Set<StoreScope>
}

/// Lets the first change through at once and later ones at most four times a second, joined.
struct ChangeThrottle {
  static let intervalMicroseconds: Int64 = 250_000

  private var waiting: StoreChange?
  private var lastDelivery: Int64?

  /// Adds a change to what waits.
  mutating func add(_ change: StoreChange) {
    guard let known = waiting else {
      waiting = change
      return
    }
    waiting = StoreChange(
      revision: max(known.revision, change.revision), scopes: known.scopes.union(change.scopes))
  }

  /// When something is to be delivered, in microseconds of the monotonic clock; `nil` for never.
  var deadline: Int64? {
    guard waiting != nil else { return nil }
    return lastDelivery.map { $0 + ChangeThrottle.intervalMicroseconds } ?? 0
  }

  /// What is to be delivered now; it is no longer waiting then.
  mutating func takeDue(at now: Int64) -> StoreChange? {
    guard let deadline, deadline <= now else { return nil }
    defer {
      waiting = nil
      lastDelivery = now
    }
    return waiting
  }
}

/// What the store was like at a moment, for who wants to know later whether it still is.
package struct StoreMarks: Sendable, Hashable {
  /// A number that rises with each commit to the store, whichever process makes it.
  package let revision: Int64
  /// The same without the commits by which this process recorded what it had sent. While it stays,
  /// who remembers what was sent here needs to read nothing again.
  package let changes: Int64
}
