// Tells listeners of commits, from a thread that exists only while somebody listens.

import Libc
import PostKitSupport

/// The listeners of one store and the thread that serves them.
///
/// The thread waits for file events in the store's directory, asks the store to compare revisions,
/// and delivers what the throttle lets through. Where file events fail it asks every 250 ms.
final class ChangeHub: Sendable {
  private let directory: String?
  private let state = Monitor(State())

  private struct State {
    var listeners: [Int: AsyncStream<StoreChange>.Continuation] = [:]
    var nextListener = 0
    var throttle = ChangeThrottle()
    /// The writing end of the pipe that wakes the thread; `nil` while there is no thread.
    var wakeDescriptor: Int32?
    var isFinished = false
  }

  /// Makes a hub for the store in a directory; `nil` for a store in memory.
  init(directory: String?) { self.directory = directory }

  /// A stream of changes; `check` asks the store to look for commits of others.
  func listen(check: @escaping @Sendable () -> Void) -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: StoreChange.self)
    let pipe: (reading: Int32, id: Int)? = state.update { state in
      guard !state.isFinished else {
        continuation.finish()
        return nil
      }
      let id = state.nextListener
      state.nextListener += 1
      state.listeners[id] = continuation
      continuation.onTermination = { [weak self] _ in self?.remove(id) }
      guard state.wakeDescriptor == nil else { return nil }
      guard let ends = ChangeHub.makePipe() else {
        // Nobody would ever be told; an ended stream says so.
        state.listeners[id] = nil
        continuation.onTermination = nil
        continuation.finish()
        return nil
      }
      state.wakeDescriptor = ends.writing
      return (ends.reading, id)
    }
    if let pipe {
      let isStarted = SystemThread.start { self.serve(wake: pipe.reading, check: check) }
      if !isStarted {
        // Nobody would ever be told; an ended stream says so.
        close(pipe.reading)
        finish()
      }
    }
    return stream
  }

  /// Whether anybody listens.
  var hasListeners: Bool { state.update { !$0.listeners.isEmpty } }

  /// Tells of a commit; it is delivered by the thread. The change is only made where somebody
  /// listens.
  func post(_ change: @autoclosure () -> StoreChange) {
    state.update { state in
      guard !state.listeners.isEmpty else { return }
      state.throttle.add(change())
      ChangeHub.wake(state.wakeDescriptor)
    }
  }

  /// Ends all streams.
  func finish() {
    let listeners = state.update { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      ChangeHub.wake(state.wakeDescriptor)
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }

  private func remove(_ id: Int) {
    state.update { state in
      state.listeners[id] = nil
      if state.listeners.isEmpty { ChangeHub.wake(state.wakeDescriptor) }
    }
  }

  /// The thread: ends when nobody listens any more.
  private func serve(wake: Int32, check: @Sendable () -> Void) {
    var watch = directory.flatMap { DirectoryWatch($0) }
    var rechecks = RecheckLadder()
    rechecks.repeats = watch == nil && directory != nil
    rechecks.start(at: Clock.monotonicMicroseconds)
    check()
    while deliver(closing: wake) {
      let now = Clock.monotonicMicroseconds
      let deadlines = [state.update { $0.throttle.deadline }, rechecks.next].compactMap { $0 }
      let wait = deadlines.min().map { Int32(clamping: (max($0 - now, 0) + 999) / 1_000) } ?? -1
      var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
      if let watch {
        descriptors.append(pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0))
      }
      _ = poll(&descriptors, nfds_t(descriptors.count), wait)
      if descriptors[0].revents != 0 { ChangeHub.drain(wake) }
      if let current = watch, descriptors[1].revents != 0 {
        let (hasFound, isOver) = current.changes()
        if isOver { watch = nil }
        if hasFound || isOver {
          check()
          rechecks.repeats = isOver
          rechecks.start(at: Clock.monotonicMicroseconds)
        }
      }
      if rechecks.takeDue(at: Clock.monotonicMicroseconds) {
        renew(&watch, with: &rechecks)
        check()
      }
    }
  }

  /// Watches the directory that has the name now. Who removed it may make it again; until then it
  /// is looked for.
  private func renew(_ watch: inout DirectoryWatch?, with rechecks: inout RecheckLadder) {
    guard let directory, watch?.isCurrent != true else { return }
    watch = DirectoryWatch(directory)
    guard rechecks.repeats != (watch == nil) else { return }
    rechecks.repeats = watch == nil
    rechecks.start(at: Clock.monotonicMicroseconds)
  }

  /// Delivers what is due; closes the pipe and answers `false` when nobody listens.
  private func deliver(closing wake: Int32) -> Bool {
    let (change, listeners, isOver) = state.update { state in
      let isOver = state.listeners.isEmpty
      if isOver {
        if let writing = state.wakeDescriptor { close(writing) }
        state.wakeDescriptor = nil
        state.throttle = ChangeThrottle()
      }
      let due = state.throttle.takeDue(at: Clock.monotonicMicroseconds)
      return (due, Array(state.listeners.values), isOver)
    }
    if isOver { close(wake) }
    if let change {
      for listener in listeners { listener.yield(change) }
    }
    return !isOver
  }

  private static func makePipe() -> (reading: Int32, writing: Int32)? {
    guard let (reading, writing) = Descriptors.pipe() else { return nil }
    for end in [reading, writing] { _ = Descriptors.setNonBlocking(end) }
    return (reading, writing)
  }

  private static func wake(_ descriptor: Int32?) {
    guard let descriptor else { return }
    var byte: UInt8 = 0
    // A full pipe wakes the thread as well.
    _ = write(descriptor, &byte, 1)
  }

  private static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}

/// When to look again after a file event: a log is written a moment before its commit can be seen,
/// and no event follows.
struct RecheckLadder {
  /// Whether the last step is repeated for ever, where there are no file events.
  var repeats = false
  /// The next moment in microseconds of the monotonic clock; `nil` for none.
  private(set) var next: Int64?
  private var step = 0

  private static let steps: [Int64] = [5_000, 50_000, 250_000]

  /// Begins anew after an event.
  mutating func start(at now: Int64) {
    step = repeats ? RecheckLadder.steps.count - 1 : 0
    next = now + RecheckLadder.steps[step]
  }

  /// Whether it is time to look; moves to the next step then.
  mutating func takeDue(at now: Int64) -> Bool {
    guard let moment = next, moment <= now else { return false }
    if step + 1 < RecheckLadder.steps.count {
      step += 1
    } else if !repeats {
      next = nil
      return true
    }
    next = now + RecheckLadder.steps[step]
    return true
  }
}
