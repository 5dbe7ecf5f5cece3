// Answers are worked out only as fast as the client reads them.

import PostKitSupport

/// Lets work begin while there is room for what comes of it (PROMISES.md F13).
///
/// A client that asks faster than it reads would otherwise be given up although it means well. Work
/// that waits holds no answer yet, and a request that waits can be cancelled.
package final class Admission: Sendable {
  /// Where work is done: on a thread of its own, or on those that all share, which have `nil`.
  package typealias Room = ObjectIdentifier?

  private struct Waiter {
    let number: Int
    let room: Room
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var isCrowded = false
    /// Whether it was crowded since somebody asked.
    var wasCrowded = false
    /// How many are inside of each room.
    var admitted: [Room: Int] = [:]
    var next = 0
    /// Those who wait, in order.
    var waiting: [Waiter] = []
    /// Those who were cancelled before they waited.
    var cancelled: Set<Int> = []

    func hasSpace(_ room: Room) -> Bool {
      let limit = room == nil ? Limits.answersAtOnce : 1
      return !isCrowded && admitted[room, default: 0] < limit
    }

    /// Takes those who may enter now.
    mutating func takeNext() -> [CheckedContinuation<Void, Never>] {
      var taken: [CheckedContinuation<Void, Never>] = []
      if isCrowded { return taken }
      while let index = waiting.firstIndex(where: { hasSpace($0.room) }) {
        let waiter = waiting.remove(at: index)
        admitted[waiter.room, default: 0] += 1
        taken.append(waiter.continuation)
      }
      return taken
    }
  }

  private let state = Monitor(State())

  /// Makes one with room.
  package init() {}

  /// How many wait.
  var waitingCount: Int { state.update { $0.waiting.count } }

  /// Whether the client has to read before anything goes on, or had to since this was asked last.
  package func takeCrowded() -> Bool {
    state.update { state in
      defer { state.wasCrowded = state.isCrowded }
      return state.isCrowded || state.wasCrowded
    }
  }

  /// Notes whether much waits for the client.
  package func note(isCrowded: Bool) {
    let next = state.update { state in
      state.isCrowded = isCrowded
      if isCrowded { state.wasCrowded = true }
      return state.takeNext()
    }
    for continuation in next { continuation.resume() }
  }

  /// Waits for room, or until the task is cancelled; `leave` must follow in both cases.
  package func enter(_ room: Room = nil) async {
    let number: Int? = state.update { state in
      guard state.hasSpace(room), !state.waiting.contains(where: { $0.room == room }) else {
        state.next += 1
        return state.next
      }
      state.admitted[room, default: 0] += 1
      return nil
    }
    guard let number else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation {
        wait(Waiter(number: number, room: room, continuation: $0))
      }
    } onCancel: {
      cancel(number)
    }
    // A task may be cancelled after it was let in.
    state.update { _ = $0.cancelled.remove(number) }
  }

  private func wait(_ waiter: Waiter) {
    let next = state.update { state in
      if state.cancelled.remove(waiter.number) != nil {
        state.admitted[waiter.room, default: 0] += 1
        return [waiter.continuation]
      }
      state.waiting.append(waiter)
      // There may be room by now, and nobody left who would say so.
      return state.takeNext()
    }
    for continuation in next { continuation.resume() }
  }

  private func cancel(_ number: Int) {
    state.update { state -> CheckedContinuation<Void, Never>? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      let waiter = state.waiting.remove(at: index)
      state.admitted[waiter.room, default: 0] += 1
      return waiter.continuation
    }?.resume()
  }

  /// Notes that what came of the work has been sent: others may begin.
  package func leave(_ room: Room = nil) {
    let next = state.update { state in
      let left = state.admitted[room, default: 1] - 1
      // Rooms go with their threads.
      state.admitted[room] = left > 0 ? left : nil
      return state.takeNext()
    }
    for continuation in next { continuation.resume() }
  }

  /// Holds a reading thread back while very much waits.
  package func holdWhileFull() {
    state.wait { $0.waiting.count < Limits.waitingRequests ? () : nil }
  }
}
