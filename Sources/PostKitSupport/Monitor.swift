// A lock one can wait at.

import Libc

/// A value behind a mutex, with a condition for threads that wait until it changes.
///
/// `@unchecked Sendable`: `state` is only touched while `mutex` is held, and the pointers never
/// change between `init` and `deinit`.
package final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// Makes a monitor that owns a value.
  package init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Changes the value and wakes every thread that waits for a change.
  package func update<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlockAndWake() }
    return try body(&state)
  }

  /// Changes the value, and wakes those that wait only where `isNews` says so of the result.
  package func update<Result>(
    _ body: (inout State) -> Result, waking isNews: (Result) -> Bool
  ) -> Result {
    pthread_mutex_lock(mutex)
    let result = body(&state)
    pthread_mutex_unlock(mutex)
    if isNews(result) { pthread_cond_broadcast(condition) }
    return result
  }

  /// Blocks this thread until `body` gives a result; it is asked again after each change, and at
  /// the moment that `time` gives, in microseconds of the monotonic clock, if it gives any.
  package func wait<Result>(
    until time: (State) -> Int64?, _ body: (inout State) -> Result?
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlockAndWake() }
    while true {
      if let result = body(&state) { return result }
      if let time = time(state) {
        sleep(until: time)
      } else {
        pthread_cond_wait(condition, mutex)
      }
    }
  }

  private func sleep(until time: Int64) {
    #if canImport(Darwin)
      let left = max(0, time - Clock.monotonicMicroseconds)
      var span = Monitor.span(left)
      pthread_cond_timedwait_relative_np(condition, mutex, &span)
    #else
      var moment = Monitor.span(time)
      pthread_cond_timedwait(condition, mutex, &moment)
    #endif
  }

  private static func span(_ microseconds: Int64) -> timespec {
    timespec(
      tv_sec: time_t(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
  }

  /// Blocks this thread until `body` gives a result; it is asked again after each change.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlockAndWake() }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// The other way round, those who wake would only go to sleep at the mutex.
  private func unlockAndWake() {
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(condition)
  }
}
