// The threads of all tasks that have none of their own.

package import PostKitSupport

extension WorkerPool {
  /// The threads of sends and of what else acts, or takes long by its nature.
  package static let acting = WorkerPool(limit: Limits.actingThreads)
  /// The threads of what is answered at once.
  package static let answering = WorkerPool(limit: max(2, SystemThread.coreCount), isUrgent: true)
}
