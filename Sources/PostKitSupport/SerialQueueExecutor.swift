// Runs the jobs of one actor on a thread of its own: disk work would block the cooperative pool.

import Libc

/// A serial executor whose thread starts with the first job and ends with the executor.
///
/// Jobs run in the order in which they were enqueued. The thread holds the queue, never the
/// executor; each queued job holds the executor, so that it lives until its last job is done. A
/// task that prefers the executor does on its thread what it does between two actors.
package final class SerialQueueExecutor: SerialExecutor, TaskExecutor {
  private let monitor = Monitor(Queue())

  private struct Queue {
    var entries: [Entry] = []
    var hasThread = false
    var isStopping = false
    var thread: pthread_t?
  }

  private struct Entry {
    let executor: SerialQueueExecutor
    let work: Work
  }

  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private let isUrgent: Bool

  /// Makes an executor; no thread is started yet. Somebody who types waits for an urgent one.
  package init(isUrgent: Bool = false) { self.isUrgent = isUrgent }

  deinit {
    // Every queued job held this executor, so the queue is empty and the thread ends at once.
    monitor.update { $0.isStopping = true }
  }

  /// Adds a job of an actor to the queue.
  package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// The reference that an actor gives the concurrency runtime.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Traps unless the caller is on the executor's thread.
  package func checkIsolated() {
    precondition(isCurrent, "this code must run on the thread of its actor")
  }

  /// Whether the caller is on the executor's thread, as the runtime asks.
  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Whether the calling thread is the executor's.
  package var isCurrent: Bool {
    let caller = pthread_self()
    return monitor.update { queue in
      queue.thread.map { pthread_equal($0, caller) != 0 } ?? false
    }
  }

  /// Runs blocking work on the thread, after all that was enqueued before, and awaits its result.
  package func perform<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      add(
        .closure {
          do throws(Failure) {
            continuation.resume(returning: .success(try work()))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        })
    }
    return try result.get()
  }

  /// Runs work on the thread, after all that was enqueued before, and doesn't wait for it.
  package func schedule(_ work: @escaping @Sendable () -> Void) { add(.closure(work)) }

  /// Blocks until every job enqueued so far is done and the thread has let go of the queue. A later
  /// job starts a new thread. Must not be called on the executor's own thread.
  package func drain() {
    guard !isCurrent else { return bug("an executor was drained on its own thread") }
    monitor.update { $0.isStopping = true }
    monitor.wait { $0.hasThread ? nil : () }
  }

  private func add(_ work: Work) {
    let needsThread = monitor.update { queue in
      queue.entries.append(Entry(executor: self, work: work))
      defer { queue.hasThread = true }
      if !queue.hasThread { queue.isStopping = false }
      return !queue.hasThread
    }
    guard needsThread else { return }
    let (monitor, isUrgent) = (monitor, isUrgent)
    let isStarted = SystemThread.start {
      if isUrgent { SystemThread.becomeUrgent() }
      SerialQueueExecutor.runLoop(monitor)
    }
    if !isStarted {
      // Without a thread the jobs would never run; running them here keeps their order.
      Log.error("no thread could be started; work is done on the calling thread")
      monitor.update { $0.isStopping = true }
      SerialQueueExecutor.runLoop(monitor)
    }
  }

  private static func runLoop(_ monitor: Monitor<Queue>) {
    let thread = pthread_self()
    monitor.update { $0.thread = thread }
    while true {
      let batch: [Entry] = monitor.wait { queue in
        if queue.entries.isEmpty {
          guard queue.isStopping else { return nil }
          queue.hasThread = false
          queue.thread = nil
          return []
        }
        defer { queue.entries.removeAll() }
        return queue.entries
      }
      if batch.isEmpty { return }
      for entry in batch {
        switch entry.work {
        case .job(let job):
          job.runSynchronously(
            isolatedTo: entry.executor.asUnownedSerialExecutor(),
            taskExecutor: entry.executor.asUnownedTaskExecutor())
        case .closure(let closure): closure()
        }
      }
    }
  }
}
