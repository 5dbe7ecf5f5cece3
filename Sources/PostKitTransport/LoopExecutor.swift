// Runs a task on the loop's own thread, so that a batch of requests needs no change of threads.

/// The executor of tasks that do little but send: between two transfers nobody is woken.
///
/// Such a task must not block for long, because transfers of others wait meanwhile. There is one
/// executor for each loop, the mailbox itself: a task that is resumed by one and prefers another
/// would be handed from one to the other at each step.
extension Mailbox: TaskExecutor {
  /// Hands a job to the loop, or to other threads once the loop has ended.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !post(.run(job)) { Mailbox.runElsewhere(job) }
  }

  /// Runs a job that came after the end of the loop; a task must never be lost.
  static func runElsewhere(_ job: UnownedJob) {
    globalConcurrentExecutor.enqueue(ExecutorJob(job))
  }
}

extension Transport {
  /// Runs tasks on the thread that sends: for a run of many requests one after the other.
  package var executor: any TaskExecutor { mailbox }
}
