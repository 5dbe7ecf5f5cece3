// Threads for work that somebody waits for, but nobody types against: they never take the processor
// from a thread that has just been woken to answer a keystroke.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A few threads of low urgency for tasks that prefer them.
///
/// A thread is started when there is work and all others are busy, so that one that hangs in a
/// file system holds up nobody; it stays until the pool is gone. The threads hold the queue, never
/// the pool; each queued job holds the pool, so that it lives until its last job is done.
package final class WorkerPool: TaskExecutor {
  private let monitor = Monitor(Queue())
  private let limit: Int

  private struct Queue {
    var entries: [Entry] = []
    /// The first of `entries` that nobody has taken.
    var next = 0
    var threads = 0
    var idle = 0
    var isStopping = false

    mutating func take() -> Entry? {
      guard next < entries.count else { return nil }
      let entry = entries[next]
      next += 1
      if next == entries.count { (entries, next) = ([], 0) }
      return entry
    }

    var waiting: Int { entries.count - next }
  }

  private struct Entry {
    let pool: WorkerPool
    let job: UnownedJob
  }

  /// Makes a pool of at most so many threads; none is started yet.
  package init(limit: Int) { self.limit = limit }

  deinit {
    // Every queued job held this pool, so the queue is empty and the threads end at once.
    monitor.update { $0.isStopping = true }
  }

  /// Adds a job of a task to the queue.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = monitor.update { queue in
      queue.entries.append(Entry(pool: self, job: job))
      guard queue.waiting > queue.idle, queue.threads < limit else { return false }
      queue.threads += 1
      return true
    }
    guard needsThread else { return }
    let monitor = monitor
    if SystemThread.start({ WorkerPool.run(monitor) }) { return }
    let isLeftAlone = monitor.update { queue in
      queue.threads -= 1
      return queue.threads == 0
    }
    guard isLeftAlone else { return }
    // Without a thread the jobs would never run.
    Log.error("no thread could be started; work is done on the calling thread")
    while let entry = monitor.update({ $0.take() }) { WorkerPool.run(entry) }
  }

  private static func run(_ monitor: Monitor<Queue>) {
    SystemThread.becomeUnurgent()
    monitor.update { $0.idle += 1 }
    while true {
      let entry: Entry?? = monitor.wait { queue in
        guard let entry = queue.take() else { return queue.isStopping ? .some(nil) : nil }
        queue.idle -= 1
        return entry
      }
      guard let entry, let entry else { return }
      run(entry)
      monitor.update { $0.idle += 1 }
    }
  }

  private static func run(_ entry: Entry) {
    entry.job.runSynchronously(on: entry.pool.asUnownedTaskExecutor())
  }
}

extension SystemThread {
  /// Lets threads that are woken go before the calling one, which keeps its share of the time.
  package static func becomeUnurgent() {
    #if canImport(Darwin)
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
      var parameters = sched_param()
      // `SCHED_BATCH`, which not every C library shows; 0 means this thread. Where the system
      // refuses, the thread is as any other.
      _ = sched_setscheduler(0, 3, &parameters)
    #endif
  }
}
