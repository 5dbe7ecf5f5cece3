// Looking again at what was wrong with the store: what was told is taken back when its reason goes.

import PostKitStore
import PostKitSupport
import Synchronization

/// When the store is looked at again while something is wrong with it.
final class StoreReview: Sendable {
  private struct State {
    var isScheduled = false
    var milliseconds = StoreReview.first
  }

  private let state = Mutex(State())

  /// Looks again after a while, which grows with each time, unless that is to happen already.
  func later(_ look: @escaping @Sendable () async -> Void) {
    let pause: Int? = state.withLock { state in
      if state.isScheduled { return nil }
      state.isScheduled = true
      defer { state.milliseconds = min(state.milliseconds * 2, StoreReview.last) }
      return state.milliseconds
    }
    guard let pause else { return }
    Alarm.shared.schedule(afterMicroseconds: Int64(pause) * 1_000) { [weak self] in
      guard let self else { return }
      self.state.withLock { $0.isScheduled = false }
      Task(executorPreference: WorkerPool.acting) { await look() }
    }
  }

  /// Begins with short pauses again: all is well.
  func rest() { state.withLock { $0.milliseconds = StoreReview.first } }

  private static let first = 500
  private static let last = 60_000
}

extension StoreAccess {
  /// Looks again at what was wrong with the store, and takes back what is well by now; waits for
  /// no other process. Nothing is looked at while nothing was wrong.
  nonisolated func review() async {
    guard isTroubled else { return reviews.rest() }
    if let store = opened {
      let told = health.notices
      let standing = await store.standing(told)
      health.takeBack(told.filter { !standing.contains($0) })
      if health.problem(of: .store) != nil, await !isWriting, await proves(store) { recovered() }
    } else {
      // Opening it says what is wrong now, or that all is well.
      _ = await store()
    }
    reviewLater()
  }

  /// Sees to it that what is wrong is looked at again.
  nonisolated func reviewLater() {
    guard isTroubled else { return reviews.rest() }
    reviews.later { [weak self] in await self?.review() }
  }

  private nonisolated var isTroubled: Bool {
    health.problem(of: .store) != nil || !health.notices.isEmpty
  }

  private nonisolated func proves(_ store: Store) async -> Bool {
    do throws(StoreFailure) {
      try await store.proveWritable()
      return true
    } catch {
      // What is wrong was told already.
      Log.info("The store still has a problem: \(error.message)")
      return false
    }
  }
}
