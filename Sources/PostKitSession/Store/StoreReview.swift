// Looking again at what was wrong with the store: what was told is taken back when its reason goes.

import PostKitStore
import PostKitSupport
import Synchronization

/// How long is waited until the store is looked at again while something is wrong with it, in
/// milliseconds.
enum StoreReview {
  /// At first.
  static let first = 500
  /// At most.
  static let last = 60_000
}

extension StoreAccess {
  /// Looks again at what was wrong with the store, and takes back what is well by now; waits for
  /// no other process. Nothing is looked at while nothing was wrong.
  nonisolated func review() async {
    guard isTroubled else { return rest() }
    if let store = opened {
      let told = health.notices
      let standing = await store.standing(told)
      change { $0.takeBack(told.filter { !standing.contains($0) }) }
      if health.problem(of: .store) != nil, await !isWriting, await proves(store) { recovered() }
    } else {
      // Opening it says what is wrong now, or that all is well.
      _ = await store()
    }
    reviewLater()
  }

  /// Sees to it that what is wrong is looked at again after a while, which grows with each time.
  nonisolated func reviewLater() {
    guard isTroubled else { return rest() }
    let pause: Int? = shared.withLock { shared in
      if shared.isReviewScheduled { return nil }
      shared.isReviewScheduled = true
      defer { shared.reviewPause = min(shared.reviewPause * 2, StoreReview.last) }
      return shared.reviewPause
    }
    guard let pause else { return }
    Alarm.shared.schedule(afterMicroseconds: Int64(pause) * 1_000) { [weak self] in
      guard let self else { return }
      self.shared.withLock { $0.isReviewScheduled = false }
      Task(executorPreference: WorkerPool.acting) { await self.review() }
    }
  }

  /// Begins with short pauses again: all is well.
  private nonisolated func rest() { shared.withLock { $0.reviewPause = StoreReview.first } }

  private nonisolated var isTroubled: Bool {
    let health = health
    return health.problem(of: .store) != nil || !health.notices.isEmpty
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
