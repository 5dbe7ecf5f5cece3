// Runs requests beside each other. Evaluation and memory stay with the run, one after the other;
// only the exchanges overlap, so that nobody else ever changes what the run knows.

import PostKitTransport

extension Runner {
  /// Sends the requests of a schedule, as many at once as it allows. Requests are begun in order,
  /// and told in order.
  func sendBeside(
    _ schedule: inout RunSchedule, _ state: inout RunState, _ jar: CookieJar,
    _ onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async {
    var events = OrderedEvents()
    await withTaskGroup(of: (RunSlot, PreparedRequest, RequestAnswer).self) { group in
      while true {
        while let slot = schedule.next() {
          if slot.isFirstOfRound { state.beginRound() }
          var preparation: Preparation
          if let failed = schedule.failedNeed(of: slot) {
            preparation = .failed(
              state.skipped(
                slot.place, because: "`\(failed.title)`", failed: failed.whyItFailed))
          } else if case .failed(let failure) = await state.ask(slot.place, services) {
            preparation = .failed(state.notSent(slot.place, failure: failure))
          } else {
            preparation = await prepare(slot.place, &state) { events.add($0, slot: slot.index) }
          }
          switch preparation {
          case .failed(let outcome):
            finish(slot, outcome, &schedule, &events, onEvent)
          case .ready(let request):
            onEvent(request.event)
            let known = state
            let sending = sending(request, known, jar, onEvent)
            group.addTask {
              (slot, request, await exchange(request, sending, known, jar, onEvent))
            }
          }
        }
        guard let (slot, request, answer) = await group.next() else { return }
        let outcome = await complete(request, answer, &state) {
          events.add($0, slot: slot.index)
        }
        finish(slot, outcome, &schedule, &events, onEvent)
      }
    }
    events.tellRest(onEvent)
  }

  private func finish(
    _ slot: RunSlot, _ outcome: RunOutcome, _ schedule: inout RunSchedule,
    _ events: inout OrderedEvents, _ onEvent: (RunEvent) -> Void
  ) {
    schedule.finish(slot, outcome)
    events.add(.finished(outcome), slot: slot.index)
    let done = schedule
    events.tell(isDone: { done.outcome($0) != nil }, onEvent)
    discardUnmasked(outcome)
  }
}
