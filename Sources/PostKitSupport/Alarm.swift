// Wakes others at a time, from one thread: Dispatch would wake once a second for as long as the
// program runs.

import Synchronization

/// A thread that does small things later. It starts with the first of them, and while nothing is
/// due it is never woken.
package final class Alarm: Sendable {
  /// The one of this process.
  package static let shared = Alarm()

  /// Something that is to be done later, so that it can be called off.
  package struct Appointment: Sendable {
    fileprivate let time: Int64
    fileprivate let number: Int
  }

  private struct Entry {
    let time: Int64
    let number: Int
    let act: @Sendable () -> Void

    func isAfter(_ other: Appointment) -> Bool {
      (time, number) > (other.time, other.number)
    }
  }

  private struct State {
    /// What is due first is at the end.
    var entries: [Entry] = []
    var next = 0
    var hasThread = false
    /// When the thread looks again by itself; what was called off may have been due then.
    var looksAt = Int64.max

    /// The place of an appointment, or where it belongs.
    func place(of appointment: Appointment) -> Int {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].isAfter(appointment) { low = middle + 1 } else { high = middle }
      }
      return low
    }

    mutating func takeDue() -> [Entry]? {
      let now = Clock.monotonicMicroseconds
      let kept = entries.lastIndex { $0.time > now }.map { $0 + 1 } ?? 0
      looksAt = kept > 0 ? entries[kept - 1].time : .max
      guard kept < entries.count else { return nil }
      defer { entries.removeSubrange(kept...) }
      return entries[kept...].reversed()
    }
  }

  private enum News { case nothing, sooner, first }

  private let monitor = Monitor(State())

  private init() {}

  /// Does something after some time, on a thread where it must not take long.
  @discardableResult
  package func schedule(
    afterMicroseconds span: Int64, _ act: @escaping @Sendable () -> Void
  ) -> Appointment {
    let time = Clock.monotonicMicroseconds + max(0, span)
    let (appointment, news) = monitor.update { state -> (Appointment, News) in
      let appointment = Appointment(time: time, number: state.next)
      state.next += 1
      let entry = Entry(time: time, number: appointment.number, act: act)
      state.entries.insert(entry, at: state.place(of: appointment))
      if !state.hasThread {
        state.hasThread = true
        return (appointment, .first)
      }
      return (appointment, time < state.looksAt ? .sooner : .nothing)
    } waking: { $0.1 == .sooner }
    if news == .first { start() }
    return appointment
  }

  /// Calls something off; does nothing where it is done or being done.
  package func cancel(_ appointment: Appointment) {
    // The thread is left to find out: the next appointment may be another's for the same time.
    monitor.update { state in
      let place = state.place(of: appointment)
      guard place < state.entries.count, state.entries[place].number == appointment.number else {
        return
      }
      state.entries.remove(at: place)
    } waking: { _ in false }
  }

  private func start() {
    if SystemThread.start({ self.run() }) { return }
    Log.error("no thread could be started; what should be done later is done now")
    let due = monitor.update { state in
      state.hasThread = false
      defer { state.entries = [] }
      return state.entries.reversed()
    }
    for entry in due { entry.act() }
  }

  private func run() -> Never {
    while true {
      let due = monitor.wait(until: { $0.looksAt == .max ? nil : $0.looksAt }) { $0.takeDue() }
      for entry in due { entry.act() }
    }
  }
}

extension Alarm {
  /// Waits for some time without a thread; throws as soon as the task is cancelled.
  package static func sleep(microseconds span: Int64) async throws(CancellationError) {
    let end = First<Void>()
    await withTaskCancellationHandler {
      let appointment = shared.schedule(afterMicroseconds: span) { end.give(()) }
      await end.value
      shared.cancel(appointment)
    } onCancel: {
      end.give(())
    }
    if Task.isCancelled { throw CancellationError() }
  }

  /// Waits for some time without a thread; throws as soon as the task is cancelled.
  package static func sleep(milliseconds span: Int) async throws(CancellationError) {
    try await sleep(microseconds: Int64(span) * 1_000)
  }
}
