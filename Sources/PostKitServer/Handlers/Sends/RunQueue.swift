// How far the requests of a run are, where they are several: each shows its own state at its line,
// and its result as soon as it is there, not when the whole run is over.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import Synchronization

/// The requests of a run of several, and what became of them so far. Of a run of one request it
/// stays empty.
final class RunQueue: Sendable {
  /// The turn of a request.
  struct Turn: Sendable {
    var request: PlannedRequest
    /// How many requests have had their turn, with this one.
    var number: Int
    var total: Int
  }

  /// What became of them so far, and what of the text of a body was not told.
  struct State {
    var requests: [RequestPlace: PlannedRequest] = [:]
    /// The places in the order of the run.
    var order: [RequestPlace] = []
    var begun: Set<RequestPlace> = []
    var done: Set<RequestPlace> = []
    /// What the task that remembers and tells works on, and its stream.
    var telling: Task<[RunOutcome], Never>?
    var stream: AsyncStream<RunOutcome>.Continuation?
    var results: [String: LSP.PostkitSendResult] = [:]
    /// Whether the request for the run is answered, so that its token means nothing any more.
    var isOver = false
    var text = UntoldText()
    /// The exchanges of the requests that are being sent.
    var ids: [RequestPlace: String] = [:]
    /// What scripts of requests have printed whose exchanges have not begun.
    var held: [RequestPlace: [OutputLine]] = [:]
  }

  private let snapshot: Snapshot
  private let place: SendPlace
  /// The number of the send.
  private let send: Int
  /// The token of partial results; `nil` where nobody asked for them.
  private let partial: LSP.ProgressToken?
  /// Where the block of a place is in the document as the client has it.
  private let range: @Sendable (RequestPlace) -> Range<Int>?
  let state = Mutex(State())
  /// The token of the texts of bodies; `nil` where nobody asked for them.
  let textToken: LSP.ProgressToken?
  let textSignals: AsyncStream<Void>
  let textSignal: AsyncStream<Void>.Continuation

  /// Makes an empty queue.
  init(
    _ snapshot: Snapshot, _ place: SendPlace, send: Int, partial: LSP.ProgressToken?,
    range: @escaping @Sendable (RequestPlace) -> Range<Int>?
  ) {
    self.snapshot = snapshot
    self.place = place
    self.send = send
    self.partial = snapshot.client.profile.postkit?.each == true ? partial : nil
    self.range = range
    textToken = partial
    (textSignals, textSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// How many requests there are.
  var count: Int { state.withLock { $0.order.count } }

  /// Takes the requests of a run of several.
  func fill(_ requests: [PlannedRequest]) {
    state.withLock { state in
      for request in requests where state.requests[request.place] == nil {
        state.requests[request.place] = request
        state.order.append(request.place)
      }
    }
    let parts = requests.compactMap { request in range(request.place).map { (request.place, $0) } }
    snapshot.session.update {
      $0.sends.add(Dictionary(parts) { first, _ in first }, to: send)
    }
    snapshot.events.post(.resultsMoved)
  }

  /// Notes that a request begins; its turn, where there are several.
  func begin(_ place: RequestPlace) -> Turn? {
    snapshot.session.update { $0.sends.begins(place, of: send) }
    let turn = state.withLock { state -> Turn? in
      state.begun.insert(place)
      guard let request = state.requests[place] else { return nil }
      return Turn(request: request, number: state.begun.count, total: state.order.count)
    }
    if turn != nil { snapshot.events.post(.resultsMoved) }
    return turn
  }

  /// Notes that a request is not sent on purpose.
  func skip(_ place: RequestPlace) {
    state.withLock { state in
      state.begun.insert(place)
      state.done.insert(place)
    }
    snapshot.session.update { $0.sends.isDone(place, of: send) }
  }

  /// Notes what became of a request; where there are several it is remembered and told at once.
  func finish(_ outcome: RunOutcome) {
    state.withLock { state in
      state.begun.insert(outcome.place)
      guard !state.order.isEmpty else { return }
      if state.stream == nil {
        let (stream, continuation) = AsyncStream<RunOutcome>.makeStream()
        state.stream = continuation
        // Unstructured on purpose: what has been answered is remembered, also when the run is
        // cancelled. `end` waits for it.
        state.telling = Task(executorPreference: WorkerPool.acting) { await self.tell(stream) }
      }
      state.stream?.yield(outcome)
    }
  }

  private func tell(_ outcomes: AsyncStream<RunOutcome>) async -> [RunOutcome] {
    var told: [RunOutcome] = []
    for await finished in outcomes {
      var outcome = finished
      await snapshot.remember(&outcome)
      told.append(outcome)
      snapshot.session.update { $0.sends.isDone(outcome.place, of: send) }
      snapshot.events.post(.resultsMoved)
      let (request, done, total) = state.withLock { state in
        state.done.insert(outcome.place)
        return (state.requests[outcome.place], state.done.count, state.order.count)
      }
      guard let partial, let request else { continue }
      let result = await SendResults.result(snapshot, outcome, place)
      state.withLock { $0.results[outcome.id] = result }
      report(
        partial,
        LSP.PostkitSendOutcome(
          request: LSP.PostkitPlannedRequest(request), result: result, done: done, total: total))
    }
    return told
  }

  /// The file of a request, where it isn't the document and the request is one of several.
  func path(of place: RequestPlace) -> String? { state.withLock { $0.requests[place]?.path } }

  /// The id of the exchange whose script printed lines; until there is one they are kept.
  func hold(_ lines: [OutputLine], of place: RequestPlace) -> String? {
    state.withLock { state in
      if let id = state.ids[place] { return id }
      state.held[place, default: []] += lines
      return nil
    }
  }

  /// Takes what was kept for an exchange that begins, which has an id then, or ends without one.
  func take(of place: RequestPlace, id: String?) -> [OutputLine] {
    state.withLock { state in
      state.ids[place] = id
      return state.held.removeValue(forKey: place) ?? []
    }
  }

  /// Waits until all that was finished is remembered and told; the outcomes, `nil` where these were
  /// not several.
  func end() async -> [RunOutcome]? {
    let telling = state.withLock { state in
      state.stream?.finish()
      return state.telling
    }
    return await telling?.value
  }

  /// Sends no more partial results: a cancelled request is answered at once.
  func silence() { state.withLock { $0.isOver = true } }

  /// Sends a partial result unless the request is answered; `silence` waits for it.
  func report(
    _ token: LSP.ProgressToken, _ part: some ProtocolValue,
    importance: OutgoingFrame.Importance = .required
  ) {
    state.withLock { tell(token, part, importance, $0) }
  }

  /// Sends a partial result while the lock is held, so that parts keep their order.
  func tell(
    _ token: LSP.ProgressToken, _ part: some ProtocolValue, _ importance: OutgoingFrame.Importance,
    _ state: State
  ) {
    if !state.isOver { snapshot.client.progress(token, part, importance: importance) }
  }

  /// What the client was told of an outcome.
  func result(_ id: String) -> LSP.PostkitSendResult? { state.withLock { $0.results[id] } }

  /// Tells the end of a run of several, with the requests whose turn never came.
  func tellEnd(_ result: RunResult, reason: String) {
    guard let partial, count > 0 else { return }
    let left = state.withLock { state in
      state.order.filter { !state.begun.contains($0) }.compactMap { state.requests[$0] }
    }
    let tally = RunTally(result.outcomes, notSent: left.count)
    report(
      partial,
      LSP.PostkitSendOver(
        summary: tally.text,
        notSent: left.isEmpty ? nil : left.map {
          var request = LSP.PostkitPlannedRequest($0)
          request.summary = ResultText.notSent
          return request
        },
        reason: left.isEmpty ? nil : reason))
  }
}
