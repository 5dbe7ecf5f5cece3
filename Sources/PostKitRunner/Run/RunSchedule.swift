// The order in which the requests of a run are begun, some of them beside each other.

import PostKitEvaluate
import PostKitHTTP

/// One sending of a request in a run.
struct RunSlot: Sendable, Hashable {
  /// The place in the order of the run, which is that of reports.
  var index: Int
  var place: RequestPlace
  /// The repetition, from 0.
  var round: Int
  /// Whether it is the first of a repetition.
  var isFirstOfRound: Bool
}

/// What of a run is done, under way and still to be begun.
struct RunSchedule: Sendable {
  /// How many requests may be under way at once.
  let limit: Int
  private let order: [RequestPlace]
  private let needs: [RequestPlace: [RequestPlace]]
  private let stopsAtFirstFailure: Bool
  private let rounds: Int
  /// Whether a repetition must wait for the one before.
  private let roundsWait: Bool
  private var waiting: [RunSlot] = []
  private var nextRound = 0
  private var results: [Int: RunOutcome] = [:]
  private var underWay = 0
  private var isStopped = false

  /// Makes the schedule of a plan. Where the order counts, one request is sent after the other.
  init(_ plan: RunPlan, input: RunInput, mayRunBeside: Bool) {
    order = plan.order
    needs = plan.needs
    stopsAtFirstFailure = input.stopsAtFirstFailure
    rounds = max(1, input.repeats)
    limit = mayRunBeside ? max(1, input.parallel) : 1
    // What a response of this repetition gives must not come from another.
    roundsWait = !plan.needs.isEmpty
  }

  /// The outcomes in order.
  var outcomes: [RunOutcome] { results.sorted { $0.key < $1.key }.map(\.value) }

  /// The outcome of a slot that is done with.
  func outcome(_ index: Int) -> RunOutcome? { results[index] }

  /// The next request to begin; `nil` where all are begun, must wait, or the run has ended.
  mutating func next() -> RunSlot? {
    guard !isStopped, underWay < limit else { return nil }
    if waiting.isEmpty { beginRound() }
    guard let at = waiting.firstIndex(where: isReady) else { return nil }
    underWay += 1
    return waiting.remove(at: at)
  }

  private mutating func beginRound() {
    guard nextRound < rounds, !order.isEmpty, underWay == 0 || !roundsWait else { return }
    let start = nextRound * order.count
    waiting = order.enumerated().map { index, place in
      RunSlot(index: start + index, place: place, round: nextRound, isFirstOfRound: index == 0)
    }
    nextRound += 1
  }

  private func isReady(_ slot: RunSlot) -> Bool {
    neededSlots(slot).allSatisfy { results[$0.index] != nil }
  }

  /// What a request needs of its own repetition; what is not sent in this run is at hand.
  private func neededSlots(_ slot: RunSlot) -> [(index: Int, place: RequestPlace)] {
    (needs[slot.place] ?? []).compactMap { place in
      order.firstIndex(of: place).map { (slot.round * order.count + $0, place) }
    }
  }

  /// The outcome of the request that another needs and that failed in this repetition.
  func failedNeed(of slot: RunSlot) -> RunOutcome? {
    neededSlots(slot).lazy.compactMap { results[$0.index] }.first { $0.exitCode != 0 }
  }

  /// Takes note of an outcome.
  mutating func finish(_ slot: RunSlot, _ outcome: RunOutcome) {
    underWay -= 1
    results[slot.index] = outcome
    let failed = outcome.exitCode != 0 && stopsAtFirstFailure
    if outcome.state == .cancelled || failed { isStopped = true }
  }
}

/// Tells the events of requests that run beside each other in the order of the run.
struct OrderedEvents: Sendable {
  private var held: [Int: [RunEvent]] = [:]
  private var current = 0

  /// Keeps an event until those of all earlier slots have been told.
  mutating func add(_ event: RunEvent, slot: Int) { held[slot, default: []].append(event) }

  /// Tells what is no longer held back; `isDone` says of which slots there will be no more.
  mutating func tell(isDone: (Int) -> Bool, _ onEvent: (RunEvent) -> Void) {
    while true {
      for event in held.removeValue(forKey: current) ?? [] { onEvent(event) }
      guard isDone(current) else { return }
      current += 1
    }
  }

  /// Tells all that is left.
  mutating func tellRest(_ onEvent: (RunEvent) -> Void) {
    for (_, events) in held.sorted(by: { $0.key < $1.key }) { events.forEach(onEvent) }
    held.removeAll()
  }
}
