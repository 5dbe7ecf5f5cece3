// Scripts that read a response while it comes in (SC-31).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax
import PostKitTransport

/// What scripts have made of a response while it came in.
struct HeardStream: Sendable {
  /// The scripts that have run, by their places.
  var scripts: Set<Int> = []
  /// Why one of them failed.
  var failure: EvaluationProblem?
  /// Whether one of them wants no more scripts to run.
  var leavesOutRest = false
}

extension ScriptPlan {
  /// The scripts that run when the response is whole, but for those that have run before.
  func afterStream(_ heard: HeardStream?) -> [(PlannedScript, ScriptPhase)] {
    let left = heard?.scripts ?? []
    return (streaming.map { ($0, ScriptPhase.streaming) }
      + (response + below).map { ($0, ScriptPhase.response) })
      .filter { !left.contains($0.0.range.lowerBound) }
  }
}

extension Runner {
  /// What reads the response of a request item by item; `nil` where no script does.
  func itemStream(
    _ plan: ScriptPlan, _ place: RequestPlace, _ state: inout RunState
  ) -> ItemStream? {
    let handlers = plan.response.contains { state.readsItems($0, services) }
    guard handlers || !plan.streaming.isEmpty else { return nil }
    return ItemStream { status, headers in
      // What failed or is sent on is no stream of items.
      guard (200..<300).contains(status) else { return nil }
      let type = headers.first("Content-Type").flatMap(MediaType.init)
      if type?.essence == "text/event-stream" { return .events }
      if type?.isStream == true || type?.essence == "application/stream+json" { return .lines }
      let isEndless = headers.first("Content-Length") == nil
      return handlers && isEndless && type?.essence.hasPrefix("text/") == true ? .lines : nil
    }
  }

  /// Runs the scripts that read a response as soon as its head is there, and hands them its items;
  /// `nil` where no response came that can be read so.
  func listen(
    _ plan: ScriptPlan, _ request: PreparedRequest, _ stream: ItemStream,
    _ progress: inout RunProgress, _ state: inout RunState
  ) async -> HeardStream? {
    guard case .head(let head)? = await stream.next() else { return nil }
    var (heard, turn) = (HeardStream(), state.scripts.turn)
    defer { state.scripts.turn = turn }
    state.scripts.stream = StreamState()
    defer { state.scripts.stream = nil }
    let moment = state.moment(at: head, request)
    let handlers = plan.response.filter { state.readsItems($0, services) }
    let scripts = plan.streaming.map { ($0, ScriptPhase.streaming) }
      + handlers.map { ($0, ScriptPhase.response) }
    for (script, phase) in scripts {
      heard.scripts.insert(script.range.lowerBound)
      let caller = ScriptCaller(
        place: request.place, phase: phase, script: script, exchange: nil,
        request: moment.request)
      var mutation: ScriptEffects.Mutation?
      heard.failure = await run(script, moment, caller, &turn, &mutation, &progress, &state)
      state.noteSubscriptions(of: caller)
      heard.leavesOutRest = turn.skip != nil
      if heard.failure != nil || heard.leavesOutRest { break }
    }
    if heard.failure == nil {
      heard.failure = await hear(stream, &turn, &progress, &state)
    }
    if heard.failure != nil || heard.leavesOutRest { stream.close() }
    return heard
  }

  /// Hands the items of a stream to those who have subscribed, one at a time; `nil` where all went
  /// well.
  private func hear(
    _ stream: ItemStream, _ turn: inout ScriptTurn, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> EvaluationProblem? {
    if let failure = await endSubscriptions(stream, &turn, &progress, &state) { return failure }
    if state.scripts.stream?.callers.isEmpty != false {
      stream.ignore()
      return nil
    }
    while case .item(let item)? = await stream.next() {
      for number in (state.scripts.stream?.callers.keys ?? [:].keys).sorted() {
        if let failure = await deliver(item, to: number, &turn, &progress, &state) {
          return failure
        }
      }
      if let failure = await endSubscriptions(stream, &turn, &progress, &state) { return failure }
      if state.scripts.stream?.callers.isEmpty != false { return nil }
    }
    state.scripts.stream?.isDisconnected = true
    return Task.isCancelled ? nil : await endSubscriptions(stream, &turn, &progress, &state)
  }

  /// Tells those who want no more items that they have seen the last one; where nobody is left the
  /// response ends.
  private func endSubscriptions(
    _ stream: ItemStream, _ turn: inout ScriptTurn, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> EvaluationProblem? {
    guard let known = state.scripts.stream else { return nil }
    let over = known.isDisconnected ? Set(known.callers.keys) : known.unsubscribed
    for number in over.sorted() where known.callers[number] != nil {
      let failure = await deliver(nil, to: number, &turn, &progress, &state)
      state.scripts.stream?.callers[number] = nil
      if let failure { return failure }
    }
    state.scripts.stream?.unsubscribed = []
    let isLeft = state.scripts.stream?.callers.isEmpty == false
    if !isLeft, known.isDisconnected || !over.isEmpty { stream.close() }
    return nil
  }

  private func deliver(
    _ item: String?, to number: Int, _ turn: inout ScriptTurn, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> EvaluationProblem? {
    guard let caller = state.scripts.stream?.callers[number] else { return nil }
    let job = state.nextJob()
    await state.scripts.session?.begin(
      .deliver(
        DeliverItem(
          id: job, context: caller.place.file, subscription: number,
          item: item.map { .string($0) })))
    var mutation: ScriptEffects.Mutation?
    let failure = await finish(job, caller, &turn, &mutation, &progress, &state)
    state.noteSubscriptions(of: caller)
    return failure
  }
}
