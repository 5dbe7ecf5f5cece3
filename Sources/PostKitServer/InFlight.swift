// Requests that are being worked on: the only place that starts tasks and answers them, so that
// every request is answered exactly once (lsp.md F10).

import JSONRPC
import PostKitSupport

/// The tasks of the server, owned by its loop.
struct InFlight: Sendable {
  private struct Entry {
    let task: Task<Void, Never>
    /// The request that it answers; `nil` once that was answered otherwise.
    var id: RequestID?
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
  private var barriers: [Barrier] = []
  private var background: [Task<Void, Never>] = []

  init(events: EventSink) { self.events = events }

  /// Whether no task runs.
  var isEmpty: Bool { running.isEmpty }

  /// Whether a request with that id has no answer yet (lsp.md F11).
  func contains(_ id: RequestID) -> Bool {
    tasks[id] != nil || barriers.contains { $0.id == id }
  }

  /// Starts work; `work` gives the frame that answers `id`.
  mutating func start(_ id: RequestID?, _ work: @escaping @Sendable () async -> [UInt8]?) {
    let number = next
    next += 1
    let events = events
    // Unstructured on purpose: a request lives until it is answered, not until a scope ends.
    let task = Task { events.post(.finished(task: number, frame: await work())) }
    running[number] = Entry(task: task, id: id)
    if let id { tasks[id] = number }
  }

  /// Starts work that goes on until the session ends; nothing waits for it.
  mutating func startBackground(_ work: @escaping @Sendable () async -> Void) {
    // Unstructured on purpose: it lives as long as the session.
    background.append(Task { await work() })
  }

  /// Posts an event after some time.
  func schedule(_ event: Event, afterMilliseconds time: Int) {
    let events = events
    // Unstructured on purpose: the timer belongs to the loop, and a late event is harmless.
    Task {
      // Nobody cancels the sleep, so it has nothing to throw.
      try? await Task.sleep(for: .milliseconds(time))
      events.post(event)
    }
  }

  /// Notes the end of a task; whether its frame is to be sent, and the barriers that fell.
  mutating func finish(_ number: Int) -> (isAwaited: Bool, released: [RequestID]) {
    guard let entry = running.removeValue(forKey: number) else {
      bug("a task ended twice")
      return (false, [])
    }
    if let id = entry.id { tasks[id] = nil }
    for index in barriers.indices { barriers[index].awaited.remove(number) }
    let released = barriers.filter(\.awaited.isEmpty).map(\.id)
    barriers.removeAll(where: \.awaited.isEmpty)
    return (entry.id != nil, released)
  }

  /// Cancels a request; `false` for one that is unknown or answered. The caller answers it.
  mutating func cancel(_ id: RequestID) -> Bool {
    if let index = barriers.firstIndex(where: { $0.id == id }) {
      barriers.remove(at: index)
      return true
    }
    guard let number = tasks.removeValue(forKey: id) else { return false }
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
