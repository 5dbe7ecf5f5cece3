// Who waits for whom: what changes the meaning of sends takes effect before every later send.

package import LanguageServerProtocol
import PostKitSupport
import Synchronization

/// What a message has to do with the meaning of requests.
package typealias MeaningRole = LSP.PostkitRole

/// The messages whose order matters, in the order in which they came.
package final class Turns: Sendable {
  private struct Place {
    let turn: ObjectIdentifier
    let role: MeaningRole
    let name: String
    /// What waits; `nil` where nothing does, or nothing any more.
    var waiting: First<Turn.Wait>?
  }

  private struct State {
    var places: [Place] = []
    /// The turns that are not passed, those that stepped aside among them, with what ends the wait
    /// of one that waits.
    var turns: [ObjectIdentifier: (isAside: Bool, timer: Alarm.Appointment?)] = [:]
    /// How many turns have passed.
    var passed = 0

    /// How many of the first places are due: one change, or all that come before the next change.
    var dueCount: Int {
      if places.first?.role == .changes { return 1 }
      return places.firstIndex { $0.role == .changes } ?? places.count
    }

    mutating func enter(_ turn: Turn, _ role: MeaningRole) {
      places.append(
        Place(turn: ObjectIdentifier(turn), role: role, name: turn.name, waiting: First()))
    }

    /// Takes out what waits no longer. What only shows something leaves with that: it holds up no
    /// change.
    mutating func takeDue() -> [First<Turn.Wait>] {
      var due: [First<Turn.Wait>] = []
      var count = -1
      while count != due.count {
        count = due.count
        for index in 0..<dueCount {
          guard let waiting = places[index].waiting else { continue }
          due.append(waiting)
          places[index].waiting = nil
        }
        places.removeAll { $0.role == .shows && $0.waiting == nil }
      }
      return due
    }
  }

  private let state = Mutex(State())
  /// How long a change or a send waits while no turn passes, in milliseconds.
  fileprivate let patience: Int

  /// Makes turns of which none has come.
  package init(patience: Int = Limits.turnMilliseconds) { self.patience = patience }

  /// The turn of a message that has come; `nil` for one that neither waits nor is waited for.
  package func enter(_ role: MeaningRole, _ name: String) -> Turn? {
    if role == .none { return nil }
    let isAlone = state.withLock { $0.places.isEmpty }
    if role == .shows, isAlone { return nil }
    let turn = Turn(self, role, name)
    enter(turn, role)
    return turn
  }

  private func enter(_ turn: Turn, _ role: MeaningRole) {
    let due = state.withLock { state in
      state.turns[ObjectIdentifier(turn)] = (false, nil)
      state.enter(turn, role)
      return state.takeDue()
    }
    for waiting in due { waiting.give(.due) }
  }

  /// Takes a turn out, where it has a place.
  fileprivate func leave(_ turn: Turn, isAside: Bool) {
    let due = state.withLock { state -> [First<Turn.Wait>] in
      let id = ObjectIdentifier(turn)
      guard let known = state.turns[id], !(isAside && known.isAside) else { return [] }
      state.turns[id] = isAside ? (true, known.timer) : nil
      guard !known.isAside, let index = state.places.firstIndex(where: { $0.turn == id }) else {
        return []
      }
      state.places.remove(at: index)
      state.passed += 1
      return state.takeDue()
    }
    for waiting in due { waiting.give(.due) }
  }

  /// Gives a turn that stepped aside a place behind all others.
  fileprivate func comeBack(_ turn: Turn) {
    let due = state.withLock { state -> [First<Turn.Wait>] in
      let id = ObjectIdentifier(turn)
      guard state.turns[id]?.isAside == true else { return [] }
      state.turns[id]?.isAside = false
      state.enter(turn, .changes)
      return state.takeDue()
    }
    for waiting in due { waiting.give(.due) }
  }

  /// Notes what ends the wait of a turn; what did so before.
  fileprivate func note(_ timer: Alarm.Appointment?, of turn: Turn) -> Alarm.Appointment? {
    state.withLock { state in
      defer { state.turns[ObjectIdentifier(turn)]?.timer = timer }
      return state.turns[ObjectIdentifier(turn)]?.timer
    }
  }

  /// What a turn waits for, the turns passed so far, and the message that is first.
  fileprivate func waiting(
    for turn: Turn
  ) -> (arrival: First<Turn.Wait>?, passed: Int, first: String) {
    state.withLock { state in
      let id = ObjectIdentifier(turn)
      let place = state.places.first { $0.turn == id }
      return (place?.waiting, state.passed, state.places.first?.name ?? "")
    }
  }
}

/// The turn of one message. Whoever holds it passes it on as soon as later messages need not wait
/// for it any more.
package final class Turn: Sendable {
  /// The turn of the message that the current task is about.
  @TaskLocal package static var current: Turn?

  /// What comes of waiting.
  package enum Wait: Sendable, Hashable {
    case due
    case cancelled
    /// A message before it takes very long; this is its name.
    case late(String)
  }

  fileprivate let name: String
  private let role: MeaningRole
  private let turns: Turns

  fileprivate init(_ turns: Turns, _ role: MeaningRole, _ name: String) {
    (self.turns, self.role, self.name) = (turns, role, name)
  }

  /// Waits until the turn has come. What shows something doesn't wait for long; anything else
  /// while turns pass.
  package func wait() async -> Wait {
    guard let arrival = turns.waiting(for: self).arrival else { return .due }
    watch(arrival)
    let end = await withTaskCancellationHandler {
      await arrival.value
    } onCancel: {
      arrival.give(.cancelled)
    }
    if let timer = turns.note(nil, of: self) { Alarm.shared.cancel(timer) }
    return end
  }

  /// Ends the wait when no turn has passed for a time.
  private func watch(_ arrival: First<Wait>) {
    let time = role == .shows ? Limits.storeGlanceMilliseconds : turns.patience
    let passed = turns.waiting(for: self).passed
    let next = Alarm.shared.schedule(afterMicroseconds: Int64(time) * 1_000) {
      let now = self.turns.waiting(for: self)
      guard now.arrival === arrival else { return }
      if self.role != .shows, now.passed != passed { return self.watch(arrival) }
      arrival.give(.late(now.first))
    }
    _ = turns.note(next, of: self)
  }

  /// Lets later messages go on: what this one changes has changed, or what it means is known.
  package func pass() { turns.leave(self, isAside: false) }

  /// Lets later messages go on while somebody is asked.
  func stepAside() { turns.leave(self, isAside: true) }

  /// Takes a place again behind all messages that have come so far: the answer is there, and what
  /// it changes counts for what comes after it. Only for the loop.
  func comeBack() { turns.comeBack(self) }
}
