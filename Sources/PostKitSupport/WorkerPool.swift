// Threads of our own for tasks, instead of Dispatch's: that wakes once a second to look whether its
// threads are busy, for as long as the program runs.

/// A few threads for tasks that prefer them, all of one urgency.
///
/// A thread is started when there is work and all others are busy, so that one that hangs in a
/// file system holds up nobody; it stays until the pool is gone. The threads hold the queue, never
/// the pool; each queued job holds the pool, so that it lives until its last job is done.
package final class WorkerPool: TaskExecutor {
  private let monitor = Monitor(Queue())
  private let limit: Int
  private let isUrgent: Bool

  private struct Queue {
    /// The jobs for which no thread was idle.
    var entries: [Entry] = []
    /// The first of `entries` that nobody has taken.
    var next = 0
    var threads = 0
    /// Those that wait for a job, the last one to begin waiting at the end.
    var idle: [Worker] = []
    var isStopping = false

    mutating func take() -> Entry? {
      guard next < entries.count else { return nil }
      let entry = entries[next]
      next += 1
      if next == entries.count { (entries, next) = ([], 0) }
      return entry
    }
  }

  private struct Entry {
    let pool: WorkerPool
    let job: UnownedJob
  }

  /// What an idle thread waits for; each has its own, so that a job wakes one thread alone.
  private final class Worker: Sendable {
    enum Order {
      case work(Entry)
      case end
    }

    let order = Monitor<Order?>(nil)
  }

  /// Makes a pool of at most so many threads; none is started yet. Those of an urgent pool go
  /// before others, those of any other pool never take the processor from a thread that has just
  /// been woken.
  package init(limit: Int, isUrgent: Bool = false) {
    self.limit = limit
    self.isUrgent = isUrgent
  }

  deinit {
    // Every queued job held this pool, so the queue is empty and the threads end at once.
    let idle = monitor.update { queue in
      queue.isStopping = true
      defer { queue.idle = [] }
      return queue.idle
    }
    for worker in idle { worker.order.update { $0 = .end } }
  }

  /// Adds a job of a task to the queue.
  package func enqueue(_ job: consuming ExecutorJob) {
    let entry = Entry(pool: self, job: UnownedJob(job))
    let (idle, needsThread) = monitor.update { queue -> (Worker?, Bool) in
      if let worker = queue.idle.popLast() { return (worker, false) }
      queue.entries.append(entry)
      guard queue.threads < limit else { return (nil, false) }
      queue.threads += 1
      return (nil, true)
    }
    if let idle { return idle.order.update { $0 = .work(entry) } }
    guard needsThread else { return }
    let (monitor, isUrgent) = (monitor, isUrgent)
    let isStarted = SystemThread.start {
      if isUrgent { SystemThread.becomeUrgent() } else { SystemThread.becomeUnurgent() }
      WorkerPool.run(monitor)
    }
    if isStarted { return }
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
    let worker = Worker()
    while true {
      let order = monitor.update { queue -> Worker.Order? in
        if let entry = queue.take() { return .work(entry) }
        if queue.isStopping { return .end }
        queue.idle.append(worker)
        return nil
      }
      let next = order ?? worker.order.wait { order in
        defer { order = nil }
        return order
      }
      guard case .work(let entry) = next else { return }
      run(entry)
    }
  }

  private static func run(_ entry: Entry) {
    entry.job.runSynchronously(on: entry.pool.asUnownedTaskExecutor())
  }
}
