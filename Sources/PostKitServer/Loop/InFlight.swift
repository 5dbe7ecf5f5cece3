// Requests that are being worked on: the only place that starts tasks and answers them, so that
// every request is answered exactly once (PROMISES.md F10).

import JSONRPC
import PostKitSession
import PostKitSupport

/// The tasks of the server, owned by its loop.
struct InFlight: Sendable {
  private struct Entry {
    let task: Task<Void, Never>
    /// The request that it answers; `nil` once that was answered otherwise.
    var id: RequestID?
    /// What newer requests that ask the same have in common with it.
    var question: String?
    /// When it is given up, on the monotonic clock in microseconds; `nil` for never.
    var deadline: Int64?
    /// Whether it has to wait until the client has read enough.
    var waitsForRoom = false
    var room: Admission.Room
  }

  /// A request that is answered when others are done.
  private struct Barrier {
    let id: RequestID
    var awaited: Set<Int>
  }

  private let events: EventSink
  private var next = 0
  private var running: [Int: Entry] = [:]
  private var tasks: [RequestID: Int] = [:]
  /// The tasks that answer the same question, oldest first.
  private var questions: [String: [Int]] = [:]
  private var barriers: [Barrier] = []
  private var background: [Task<Void, Never>] = []
  /// Whether an event is on its way that looks after those whose time is over.
  private var isDeadlineScheduled = false

  private let admission: Admission

  init(events: EventSink, admission: Admission) {
    self.events = events
    self.admission = admission
  }

  /// Whether no task runs.
  var isEmpty: Bool { running.isEmpty }

  /// Whether a request with that id has no answer yet (PROMISES.md F11).
  func contains(_ id: RequestID) -> Bool {
    tasks[id] != nil || barriers.contains { $0.id == id }
  }

  /// Starts work, on the threads of a lane where there is one; `work` gives the frame that answers
  /// `id`.
  mutating func start(
    _ id: RequestID?, on lane: (any TaskExecutor)? = nil, turn: Turn? = nil,
    waitsForRoom: Bool = false, _ work: @escaping @Sendable () async -> [UInt8]?
  ) {
    start(id, on: lane, turn: turn, question: nil, waitsForRoom: waitsForRoom, work)
  }

  /// Starts work about a document, which is given up after some time (R5). Newer requests
  /// for the same make it useless where it has a question: where many of them wait the oldest is
  /// given up; its id is returned, and the caller answers it (PROMISES.md Q10).
  mutating func start(
    _ id: RequestID, on lane: SerialQueueExecutor?, turn: Turn? = nil,
    replacing question: String?, within milliseconds: Int = Limits.answerMilliseconds,
    _ work: @escaping @Sendable () async -> [UInt8]?
  ) -> RequestID? {
    let number = start(
      id, on: lane, turn: turn, question: question, waitsForRoom: true, work)
    limit(number, milliseconds)
    guard let question, let others = questions[question], others.count > Limits.equalQuestions,
      let oldest = others.compactMap({ running[$0]?.id }).first, cancel(oldest)
    else { return nil }
    return oldest
  }

  /// Gives a task so much time.
  private mutating func limit(_ number: Int, _ time: Int) {
    running[number]?.deadline = Clock.monotonicMicroseconds + Int64(time) * 1_000
    if isDeadlineScheduled { return }
    isDeadlineScheduled = true
    schedule(.answersDue, afterMilliseconds: time)
  }

  /// The requests whose time is over, which are cancelled; the caller answers them.
  mutating func takeOverdue() -> [RequestID] {
    isDeadlineScheduled = false
    if admission.takeCrowded() { putOff() }
    let now = Clock.monotonicMicroseconds
    let limited = running.values.filter { $0.deadline != nil && $0.id != nil }
    let overdue = limited.filter { $0.deadline ?? now <= now }.compactMap(\.id)
    if let next = limited.compactMap(\.deadline).filter({ $0 > now }).min() {
      isDeadlineScheduled = true
      schedule(.answersDue, afterMilliseconds: Int((next - now) / 1_000) + 1)
    }
    return overdue.filter { cancel($0) }
  }

  /// Gives all as much time as at first: who waits for the client to read takes no time of its own.
  private mutating func putOff() {
    let end = Clock.monotonicMicroseconds + Int64(Limits.answerMilliseconds) * 1_000
    for number in Array(running.keys) where running[number]?.deadline != nil {
      running[number]?.deadline = end
    }
  }

  @discardableResult
  private mutating func start(
    _ id: RequestID?, on lane: (any TaskExecutor)?, turn: Turn?, question: String?,
    waitsForRoom: Bool, _ work: @escaping @Sendable () async -> [UInt8]?
  ) -> Int {
    let number = next
    next += 1
    let (events, admission) = (events, admission)
    let room = lane.map { ObjectIdentifier($0) }
    // Unstructured on purpose: a request lives until it is answered, not until a scope ends.
    let task = Task(executorPreference: lane ?? WorkerPool.answering) {
      if waitsForRoom { await admission.enter(room) }
      // What was given up while it waited for a thread has nothing to find out.
      let isGivenUp = (waitsForRoom || lane != nil) && Task.isCancelled
      let frame =
        isGivenUp ? nil : await Turn.$current.withValue(turn, operation: work)
      // Later messages never wait for one that is over.
      turn?.pass()
      events.post(.finished(task: number, frame: frame))
    }
    running[number] = Entry(
      task: task, id: id, question: question, waitsForRoom: waitsForRoom, room: room)
    if let id { tasks[id] = number }
    if let question { questions[question, default: []].append(number) }
    return number
  }

  /// Takes a task from those that answer the same question.
  private mutating func leave(_ number: Int) {
    guard let question = running[number]?.question else { return }
    running[number]?.question = nil
    questions[question]?.removeAll { $0 == number }
    if questions[question]?.isEmpty == true { questions[question] = nil }
  }

  /// Starts work that goes on until the session ends; nothing waits for it.
  mutating func startBackground(_ work: @escaping @Sendable () async -> Void) {
    // Unstructured on purpose: it lives as long as the session.
    background.append(Task(executorPreference: WorkerPool.answering) { await work() })
  }

  /// Posts an event after some time.
  func schedule(_ event: Event, afterMilliseconds time: Int) {
    let events = events
    // Never called off: a late event is harmless.
    Alarm.shared.schedule(afterMicroseconds: Int64(time) * 1_000) { events.post(event) }
  }

  /// Notes the end of a task and sends its frame where somebody waits for it; the barriers that
  /// fell.
  mutating func finish(_ number: Int, sending send: () -> Void) -> [RequestID] {
    leave(number)
    guard let entry = running.removeValue(forKey: number) else {
      bug("a task ended twice")
      return []
    }
    if entry.id != nil { send() }
    // What was sent counts before the next one begins.
    if entry.waitsForRoom { admission.leave(entry.room) }
    if let id = entry.id { tasks[id] = nil }
    for index in barriers.indices { barriers[index].awaited.remove(number) }
    let released = barriers.filter(\.awaited.isEmpty).map(\.id)
    barriers.removeAll(where: \.awaited.isEmpty)
    return released
  }

  /// Cancels a request; `false` for one that is unknown or answered. The caller answers it.
  mutating func cancel(_ id: RequestID) -> Bool {
    if let index = barriers.firstIndex(where: { $0.id == id }) {
      barriers.remove(at: index)
      return true
    }
    guard let number = tasks.removeValue(forKey: id) else { return false }
    leave(number)
    running[number]?.id = nil
    running[number]?.task.cancel()
    return true
  }

  /// Cancels every task; they still end one by one.
  func cancelAll() {
    for entry in running.values { entry.task.cancel() }
    for task in background { task.cancel() }
  }

  /// Keeps a request until all that runs now is done; `true` where that is so already.
  mutating func wait(_ id: RequestID) -> Bool {
    guard !running.isEmpty else { return true }
    barriers.append(Barrier(id: id, awaited: Set(running.keys)))
    return false
  }
}
