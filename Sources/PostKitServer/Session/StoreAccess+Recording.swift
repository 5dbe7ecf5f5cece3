// Recording what was answered: committed while somebody waits for the answer, else kept in a file
// that the next PostKit takes into the history.

import PostKitHTTP
import PostKitStore
import PostKitSupport
import Synchronization

/// Where an exchange is.
enum RecordedPlace: Sendable, Hashable {
  case history
  /// A file at this path, which is gone once the history has the exchange.
  case file(String)
}

/// Who may keep an exchange: the store's thread, or whoever waits no longer for it.
private final class RecordClaim: Sendable {
  private struct State {
    var isTaken = false
    var isOver = false
  }

  private let state = Mutex(State())

  /// Whether the store's thread need not try any more.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Takes it to commit it; not once it is over.
  func take() -> Bool {
    state.withLock { state in
      if !state.isOver { state.isTaken = true }
      return state.isTaken
    }
  }

  /// Gives it back where it could not be committed.
  func giveBack() { state.withLock { $0.isTaken = false } }

  /// Ends the attempts; answers whether nobody is at it.
  func end() -> Bool {
    state.withLock { state in
      state.isOver = true
      return !state.isTaken
    }
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
  func record(
    _ exchange: Exchange, retaining retention: Retention, bodyByteLimit: Int,
    noted: @escaping @Sendable (RecordedPlace) -> Void
  ) async -> Bool {
    let before = lastRecord
    let record = Task(executorPreference: Lanes.acting) {
      _ = await before?.value
      return await self.keep(exchange, bodyByteLimit: bodyByteLimit, noted)
    }
    lastRecord = record
    let patience = Limits.storeAnswerMilliseconds + Limits.storeFilingMilliseconds
    let isKept = await Waiting.value(within: patience) { await record.value }
    if isKept == nil {
      complain(
        "The disk of \(location.directory) is slow, and it is not known whether what was sent is "
          + "kept. It is in the history as soon as it is written.")
    } else if let store = opened {
      await retain(retention, store)
    }
    return isKept ?? false
  }

  private nonisolated func keep(
    _ exchange: Exchange, bodyByteLimit: Int, _ noted: @escaping @Sendable (RecordedPlace) -> Void
  ) async -> Bool {
    let claim = RecordClaim()
    let start = Clock.monotonicMicroseconds
    // Unstructured on purpose: a cancelled send was answered all the same.
    let attempts = Task(executorPreference: Lanes.acting) {
      await self.commit(exchange, bodyByteLimit: bodyByteLimit, claim)
    }
    let patience = isClosing.load(ordering: .relaxed) ? 0 : Limits.storeAnswerMilliseconds
    var outcome = await Waiting.value(within: patience) { await attempts.value }
    if outcome == nil { outcome = claim.end() ? .held : await attempts.value }
    switch outcome ?? .held {
    case .committed:
      noted(.history)
      recovered()
      return true
    case .failed: return false
    case .held:
      let waited = Int((Clock.monotonicMicroseconds - start) / 1_000)
      let reason = StoreFailure.busy(
        path: location.lockPath, milliseconds: waited < 500 ? nil : waited)
      return keepWaiting(exchange, bodyByteLimit: bodyByteLimit, reason, noted)
    }
  }

  /// Commits as soon as no other process writes, until the claim is over.
  private nonisolated func commit(
    _ exchange: Exchange, bodyByteLimit: Int, _ claim: RecordClaim
  ) async -> RecordOutcome {
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
            try store.record(exchange, bodyByteLimit: bodyByteLimit)
            return true
          }
          guard isOurs else { return .held }
          await tellNotices(of: store)
          if isHeld { await review() }
          return .committed
        } catch {
          claim.giveBack()
          guard case .busy = error else {
            complain("The exchange is not in the history: \(error.message)")
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

  /// Keeps an exchange in a file, and tells why.
  private nonisolated func keepWaiting(
    _ exchange: Exchange, bodyByteLimit: Int, _ reason: StoreFailure,
    _ noted: @Sendable (RecordedPlace) -> Void
  ) -> Bool {
    do throws(StoreFailure) {
      try location.keepWaiting(exchange, bodyByteLimit: bodyByteLimit)
    } catch {
      complain("The exchange is not in the history: \(error.message)")
      return false
    }
    noted(.file(location.waitingPath(id: exchange.id)))
    if let notice = reason.waitingNotice { tellNew([notice]) }
    return true
  }
}
