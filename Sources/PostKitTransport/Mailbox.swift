// Commands for the thread that owns libcurl's multi handle.

import CCurl
import Libc
import PostKitHTTP
import PostKitSupport
import Synchronization

/// What the loop is asked to do.
enum LoopCommand: Sendable {
  /// Runs a transfer, which is told its outcome exactly once.
  case start(Transfer)
  /// Ends a transfer; one that isn't running is left alone.
  case cancel(Transfer)
  /// Ends a transfer well, whose reader has seen enough; one that isn't running is left alone.
  case close(Transfer)
  /// Goes on with a transfer whose body had to wait.
  case resume(Transfer)
  /// Puts cookies into a jar.
  case fill(jar: Int, [CookieLine])
  /// Resumes the continuation with the cookies of a jar.
  case list(jar: Int, CheckedContinuation<[CookieLine], Never>)
  /// Frees the cookies of a jar that nobody holds any more.
  case forget(jar: Int)
  /// Runs a piece of a task that prefers this thread.
  case run(UnownedJob)
  /// Ends all transfers and the thread.
  case stop

  /// Whether this needs a running loop.
  var needsLoop: Bool {
    switch self {
    case .start, .run, .fill: true
    case .cancel, .close, .resume, .list, .forget, .stop: false
    }
  }

  /// Whether nobody waits for what comes of it.
  var isOnlyForLoop: Bool { if case .list = self { false } else { true } }
}

/// Commands for the loop, and the way to wake it.
final class Mailbox: Sendable {
  private struct State {
    var commands: [LoopCommand] = []
    var multi: WakeupTarget?
    var hasThread = false
    /// Whether libcurl is there, or known not to be.
    var isLibraryOpened = false
    /// Whether nothing can wake the loop, so that it looks for commands by itself.
    var isWithoutWakeup = false
    /// Whether the loop sleeps, or is about to, and must be woken.
    var isAsleep = false
    var isStopped = false
  }

  /// A multi handle for waking alone.
  ///
  /// `@unchecked Sendable`: `curl_multi_wakeup` may be called from any thread while the handle
  /// lives. Before the loop frees it, it takes it out of the mailbox and waits for those who had
  /// taken it before, whom `waking` counts; see `close`.
  struct WakeupTarget: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer
  }

  private let state = Monitor(State())
  private let waking = Atomic(0)

  /// Adds a command. `false` after the end of the loop, or where no thread could be had: nothing
  /// will be done about it then.
  func post(_ command: LoopCommand) -> Bool {
    let (isTaken, needsThread, target) = state.update { state -> (Bool, Bool, WakeupTarget?) in
      if state.isStopped { return (false, false, nil) }
      if case .stop = command { state.isStopped = true }
      // Where nothing was ever started, there is nothing to end or to forget.
      guard state.hasThread || command.needsLoop else { return (command.isOnlyForLoop, false, nil) }
      // A loop that is awake looks before it sleeps.
      let target = state.isAsleep ? state.multi : nil
      state.isAsleep = false
      if target != nil { waking.add(1, ordering: .acquiringAndReleasing) }
      state.commands.append(command)
      defer { state.hasThread = true }
      return (true, !state.hasThread, target)
    }
    if let target {
      // Outside the lock, which the loop takes as soon as it is awake.
      if postkit_curl_multi_wakeup(target.multi) != CURLM_OK { noteLackOfWakeup() }
      waking.subtract(1, ordering: .acquiringAndReleasing)
    }
    if needsThread, !SystemThread.start({ [self] in CurlLoop.run(self) }) {
      Log.error("no thread could be started, so that nothing can be sent")
      for command in close() { CurlLoop.refuse(command, CurlLoop.noThread) }
    }
    return isTaken
  }

  /// Takes the commands that came before libcurl was opened, and waits for them; `nil` from then
  /// on.
  func takeBeforeOpening() -> [LoopCommand]? {
    state.wait { state -> [LoopCommand]?? in
      if state.isLibraryOpened { return .some(nil) }
      if state.commands.isEmpty { return nil }
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  /// Ends the time of `takeBeforeOpening`.
  func libraryWasOpened() { state.update { $0.isLibraryOpened = true } }

  /// Takes all commands.
  func take() -> [LoopCommand] {
    state.update { state in
      // The common case takes no memory.
      if state.commands.isEmpty { return [] }
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  /// Whether the loop may sleep; from then on a command wakes it.
  func mayLoopSleep() -> Bool {
    state.update { state in
      state.isAsleep = state.commands.isEmpty
      return state.isAsleep
    }
  }

  /// The loop has slept enough; commands need not wake it.
  func loopIsAwake() { state.update { $0.isAsleep = false } }

  /// From now on posts wake this handle.
  func open(_ target: WakeupTarget) { state.update { $0.multi = target } }

  /// Notes that the loop can't be woken, and tells it once.
  func noteLackOfWakeup() {
    let isNew = state.update { state in
      defer { state.isWithoutWakeup = true }
      return !state.isWithoutWakeup
    }
    guard isNew else { return }
    Log.warning(
      "The system gives PostKit no more open files, so it looks for news of requests every "
        + "\(Limits.sendPollMilliseconds) ms. Close files or raise the limit (`ulimit -n`).")
  }

  /// Whether a command ends the sleep of the loop.
  var canBeWoken: Bool { state.update { !$0.isWithoutWakeup } }

  /// Waits for a command.
  func waitForCommands() { state.wait { $0.commands.isEmpty ? nil : () } }

  /// Takes no more commands, and answers those that were left. After this nobody wakes the handle.
  func close() -> [LoopCommand] {
    let left = state.update { state in
      state.isStopped = true
      state.multi = nil
      defer { state.commands.removeAll() }
      return state.commands
    }
    // At most the time of one system call of another thread, once in the life of the loop.
    while waking.load(ordering: .acquiring) > 0 { sched_yield() }
    return left
  }
}

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
  static func runElsewhere(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
}
