// Keeping what came of a send: committed while somebody waits for the answer, else put into a file
// that the next PostKit takes into the store.

package import PostKitHTTP
package import PostKitStore
import PostKitSupport
import Synchronization

/// Where an exchange is.
package enum RecordedPlace: Sendable, Hashable {
  case history
  /// A file at this path, which is gone once the history has the exchange.
  case file(String)
}

/// Where something is kept.
package enum KeptPlace: Sendable, Hashable {
  case store
  /// A file, until a process can write the store.
  case file
}

/// Something that is to be kept, in the store or in a file.
private struct Keeping: Sendable {
  let commit: @Sendable (isolated Store) throws(StoreFailure) -> Void
  /// Puts it into a file; it is on the disk when this returns.
  let putIntoFile: @Sendable () throws(StoreFailure) -> Void
  /// Begins what is told where it can't be kept.
  let missing: String
}

/// Who may keep something: the store's thread, or whoever waits no longer for it.
private final class RecordClaim: Sendable {
  private static let (free, taken, over) = (0, 1, 2)
  private let state = Atomic(free)

  /// Whether the store's thread need not try any more.
  var isOver: Bool { state.load(ordering: .acquiring) == Self.over }

  /// Takes it to commit it; not once it is over.
  func take() -> Bool { change(from: Self.free, to: Self.taken) }

  /// Gives it back where it could not be committed.
  func giveBack() { _ = change(from: Self.taken, to: Self.free) }

  /// Ends the attempts; answers whether nobody is at it.
  func end() -> Bool { state.exchange(Self.over, ordering: .acquiringAndReleasing) != Self.taken }

  private func change(from old: Int, to new: Int) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// What came of the attempts to commit an exchange.
private enum RecordOutcome: Sendable {
  case committed
  /// Another process holds the store, or it is slow.
  case held
  case failed
}

extension StoreAccess {
  /// Puts an exchange into the history, which grows to what is retained, and answers whether it is
  /// kept; `noted` gets where. What can't be committed while a person waits for the answer is
  /// written into a file. Where neither can be, that is told; the request is shown all the same.
  package func record(
    _ exchange: Exchange, retaining retention: Retention, bodyByteLimit: Int,
    noted: @escaping @Sendable (RecordedPlace) -> Void
  ) async -> Bool {
    let location = location
    let keeping = Keeping(
      commit: { store throws(StoreFailure) in
        try store.record(exchange, bodyByteLimit: bodyByteLimit)
      },
      putIntoFile: { () throws(StoreFailure) in
        try location.keepWaiting(exchange, bodyByteLimit: bodyByteLimit)
      }, missing: "The exchange is not in the history")
    let place = await keep(keeping) { place in
      switch place {
      case .store: noted(.history)
      case .file: noted(.file(location.waitingPath(id: exchange.id)))
      }
    }
    if place != nil, let store = opened { await retain(retention, store) }
    return place != nil
  }

  /// Keeps a change of cookies or session values behind what was to be kept before, and answers
  /// where; `nil` where it could not be kept, which is told with `missing` before the reason.
  package func keep(_ change: SessionChange, _ missing: String) async -> KeptPlace? {
    let location = location
    let keeping = Keeping(
      commit: { store throws(StoreFailure) in try store.keep(change) },
      putIntoFile: { () throws(StoreFailure) in try location.keepWaiting(change) },
      missing: missing)
    return await keep(keeping) { _ in }
  }

  private func keep(
    _ keeping: Keeping, _ noted: @escaping @Sendable (KeptPlace) -> Void
  ) async -> KeptPlace? {
    let before = lastKept
    let kept = Task(executorPreference: WorkerPool.acting) {
      _ = await before?.value
      let place = await self.place(keeping)
      if let place { noted(place) }
      return place
    }
    lastKept = kept
    let place = await Waiting.value(within: patience.answer + patience.filing) {
      await kept.value
    }
    if place == nil {
      complain(
        "The disk of \(location.directory) is slow, and it is not known whether what was sent is "
          + "kept. It is in the history as soon as it is written.")
    }
    return place ?? nil
  }

  private nonisolated func place(_ keeping: Keeping) async -> KeptPlace? {
    let claim = RecordClaim()
    let start = Clock.monotonicMicroseconds
    // Unstructured on purpose: a cancelled send was answered all the same.
    let attempts = Task(executorPreference: WorkerPool.acting) { await self.commit(keeping, claim) }
    let turn = isClosing.load(ordering: .relaxed) ? 0 : patience.answer
    var outcome = await Waiting.value(within: turn) { await attempts.value }
    if outcome == nil { outcome = claim.end() ? .held : await attempts.value }
    switch outcome ?? .held {
    case .committed:
      recovered()
      return .store
    case .failed: return nil
    case .held:
      let waited = Int((Clock.monotonicMicroseconds - start) / 1_000)
      let reason = StoreFailure.busy(
        path: location.lockPath, milliseconds: waited < 500 ? nil : waited)
      return putIntoFile(keeping, reason)
    }
  }

  /// Commits as soon as no other process writes, until the claim is over.
  private nonisolated func commit(_ keeping: Keeping, _ claim: RecordClaim) async -> RecordOutcome {
    guard let store = await store() else {
      return await isHeldByOthers ? .held : .failed
    }
    // Whoever waited for another process in vain just now does not wait for it again.
    let isHeld = health.notices.contains { $0.kind == .exchangesWait }
    let turn = isHeld ? Limits.storePollMilliseconds : Limits.storeTurnMilliseconds
    while !claim.isOver, isHeld || !isClosing.load(ordering: .relaxed) {
      // What is found here decides nothing: the lock does. Waiting on the store's thread would
      // hold up those who only read.
      if await store.isFree || isHeld {
        do throws(StoreFailure) {
          let isOurs = try await store.waiting(atMost: turn) { store throws(StoreFailure) in
            guard claim.take() else { return false }
            try keeping.commit(store)
            return true
          }
          guard isOurs else { return .held }
          await tellNotices(of: store)
          if isHeld { await review() }
          return .committed
        } catch {
          claim.giveBack()
          guard case .busy = error else {
            complain("\(keeping.missing): \(error.message)")
            return .failed
          }
          if isHeld { return .held }
        }
      }
      // Cancelled by nobody.
      try? await Alarm.sleep(milliseconds: Limits.storePollMilliseconds)
    }
    return .held
  }

  /// Puts something into a file, and tells why.
  private nonisolated func putIntoFile(_ keeping: Keeping, _ reason: StoreFailure) -> KeptPlace? {
    do throws(StoreFailure) { try keeping.putIntoFile() } catch {
      complain("\(keeping.missing): \(error.message)")
      return nil
    }
    if let notice = reason.waitingNotice { tellNew([notice]) }
    return .file
  }
}
