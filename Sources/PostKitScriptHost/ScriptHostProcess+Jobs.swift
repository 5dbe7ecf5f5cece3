// Running jobs: their turns, their time, their ends.

import CJavaScriptCore
import PostKitJSON
import PostKitScriptFrames
import PostKitSupport

/// A job that goes on.
final class HostJob {
  /// The number by which the program knows it.
  let id: Int
  /// The kind of the message that ends it.
  let answerKind: String
  let context: EngineContext
  /// The number of the context.
  let contextNumber: Int
  /// When it must have ended, in microseconds of the monotonic clock.
  var deadline: Int64
  let milliseconds: Int
  /// Bytes of memory that the process may use until it ends.
  let memoryLimit: Int
  var outputBytes = 0
  var isFinished = false
  let start = Clock.monotonicMicroseconds

  /// Makes a job that begins now.
  init(
    id: Int, answerKind: String, context: (number: Int, EngineContext), milliseconds: Int,
    memoryLimit: Int
  ) {
    self.id = id
    self.answerKind = answerKind
    (contextNumber, self.context) = context
    self.milliseconds = milliseconds
    self.memoryLimit = memoryLimit
    deadline = start + Int64(milliseconds) * 1_000
  }

  /// Whether a message calls this job off.
  func isCancelled(by message: Incoming) -> Bool {
    message.kind == "cancel" && message.int("id") == id
  }
}

extension ScriptHostProcess {
  /// Runs the job of a message to its end.
  func run(_ message: Incoming) {
    let id = message.int("id") ?? 0
    let isBatch = message.kind == "evaluate"
    let kind = isBatch ? "values" : "done"
    let number = message.int("ctx") ?? 0
    guard let context = context(number) else {
      return refuse(id, kind, "The script's context can't be made.")
    }
    let usual =
      isBatch
      ? limits.milliseconds / 5 + 10 * (message.tree.root["items"]?.count ?? 0)
      : limits.milliseconds
    let milliseconds = message.int("deadline") ?? usual
    let job = HostJob(
      id: id, answerKind: kind, context: (number, context), milliseconds: milliseconds,
      memoryLimit: watchDog.recentlyUsedBytes + limits.memoryBytes)
    jobs.append(job)
    defer { jobs.removeLast() }
    watchDog.arm()
    let realm = context.realm
    context.call("begin", [realm.value(message.json), realm.array(buffers: message.blobs)])
    while !job.isFinished { drive(job) }
    flushLines(job)
  }

  /// Does what is due in a job, or waits for what it waits for.
  private func drive(_ job: HostJob) {
    if let stopReason { return abort(job, stopReason) }
    let wait = job.context.call("turn")
    if job.isFinished { return }
    if let stopReason { return abort(job, stopReason) }
    if channel.has(where: { job.isCancelled(by: $0) }) { return abort(job, .cancelled) }
    let left = (job.deadline - Clock.monotonicMicroseconds + 999) / 1_000
    if wait.isNaN { return abort(job, .script) }
    if left <= 0, wait != -1 { return abort(job, .time) }
    if wait == 0 { return }
    flushLines(job)
    // The clock stands still while the program or its user thinks.
    let began = Clock.monotonicMicroseconds
    let span = wait < 0 ? -1 : Int(min(wait, Double(left)))
    let message = channel.next(within: span) { message in
      switch message.kind {
      case "cancel": job.isCancelled(by: message)
      case "answer": true
      // A job within the job, which waits for it.
      default: wait < 0 && message.int("after") == nil
      }
    }
    if wait < 0 { job.deadline += Clock.monotonicMicroseconds - began }
    guard let message else { return }
    switch message.kind {
    case "cancel": abort(job, .cancelled)
    case "answer": resume(job, message)
    default:
      let began = Clock.monotonicMicroseconds
      handle(message)
      job.deadline += Clock.monotonicMicroseconds - began
    }
  }

  private func resume(_ job: HostJob, _ message: Incoming) {
    guard let number = message.int("call") else { return }
    let realm = job.context.realm
    let error = message.tree.root["error"].map { realm.value(Array($0.source)) }
    let value = message.tree.root["value"].map { Array($0.source) } ?? Array("null".utf8)
    job.context.call(
      "resume",
      [
        realm.value(Double(number)), error == nil ? realm.value(value) : realm.null,
        error ?? realm.null, realm.array(buffers: message.blobs),
      ])
  }

  /// Ends a job that was stopped: with what it has done so far, as core.js tells it.
  private func abort(_ job: HostJob, _ reason: WatchDog.Reason) {
    stopReason = nil
    channel.drop { job.isCancelled(by: $0) }
    let realm = job.context.realm
    let (kind, message): (String, String?) =
      switch reason {
      case .time: ("time", "The script took longer than \(Self.shown(job.milliseconds)).")
      case .memory: ("memory", "The script used more than \(limits.memoryBytes >> 20) MB.")
      case .cancelled: ("cancelled", nil)
      case .script: ("script", nil)
      }
    // What core.js does now has little time: it may meet getters of the script.
    job.deadline = Clock.monotonicMicroseconds + 500_000
    watchDog.arm()
    job.context.call(
      "aborted", [realm.value(kind), message.map { realm.value($0) } ?? realm.null])
    stopReason = nil
    watchDog.arm()
    if !job.isFinished {
      job.isFinished = true
      if kind == "script" {
        let text = "The script has broken built-in objects that nothing can run without."
        refuse(job.id, job.answerKind, text, spoilt: job.contextNumber)
      } else {
        refuse(job.id, job.answerKind, message ?? "The script was stopped.", stopped: kind)
      }
    }
    if reason == .memory { library.functions.pointee.JSGarbageCollect(realm.context) }
  }

  private static func shown(_ milliseconds: Int) -> String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  /// Answers a job with nothing but a reason.
  private func refuse(
    _ id: Int, _ kind: String, _ message: String, stopped: String? = nil, spoilt: Int? = nil
  ) {
    var members = [
      JSONMember("kind", .string(kind)), JSONMember("id", .int(id)),
      JSONMember("error", ["name": "Error", "message": .string(message)]),
      JSONMember("effects", .object([])),
    ]
    if let stopped { members.append(JSONMember("stopped", .string(stopped))) }
    if let spoilt { members.append(JSONMember("spoilt", .int(spoilt))) }
    channel.send(.object(members))
  }

  /// Ends what runs, so that no code of the script sees it.
  func terminate(_ reason: WatchDog.Reason) {
    stopReason = reason
    watchDog.arm(seconds: 0)
    // The engine looks only now and then; nothing of the script runs until it does.
    guard library.canTerminate else { return }
    if let context = jobs.last?.context {
      _ = context.realm.evaluate(Array("for(;;);".utf8), url: [], line: 1)
    }
  }

  /// Asked by the engine: whether what runs must end.
  func sliceIsOver() -> Bool {
    if stopReason != nil {
      // Whatever would still run after this meets the same end.
      watchDog.arm(seconds: 0.001)
      return true
    }
    guard let job = jobs.last, !job.isFinished else {
      watchDog.arm()
      return false
    }
    // Who prints and goes on without end is heard meanwhile.
    flushLines(job)
    if Clock.monotonicMicroseconds > job.deadline {
      stopReason = .time
    } else if watchDog.usedBytes > job.memoryLimit {
      stopReason = .memory
    } else if channel.has(where: { job.isCancelled(by: $0) }) {
      stopReason = .cancelled
    }
    watchDog.arm(seconds: stopReason == nil ? 0.02 : 0.001)
    return stopReason != nil
  }
}
