// Requests that scripts run, and jump to (SC-22, SC-40).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax
import PostKitText

extension Runner {
  /// How deep scripts may run requests whose scripts run requests.
  private static let deepestExecution = 8

  /// Sends a request for a script, as if another one needed it.
  func execute(
    _ call: ScriptCall, _ caller: ScriptCaller, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> ScriptAnswer {
    guard let name = call.argument(0).string else { return .failure("the name must be a string") }
    guard let place = state.scope.files.place(named: name, from: caller.file) else {
      return .failure("no request is called \"\(name)\"")
    }
    let path = state.scripts.executing + [caller.place]
    if let start = path.firstIndex(of: place) {
      let titles = (path[start...] + [place]).map { state.planned($0).title }
      return .failure(titles.joined(separator: " runs "))
    }
    guard path.count <= Runner.deepestExecution else {
      return .failure("requests run each other more than \(Runner.deepestExecution) deep")
    }
    let outer = state.beginExecution(of: place, from: caller.place, call.argument(1))
    let plan = progress.plan
    let turn = progress.turn
    progress.plan = RunPlan(
      scope: state.scope, blocks: [place], autoRun: .missing,
      known: Set(state.kept.ofRequests.keys), included: state.included)
    progress.turn = nil
    let count = progress.outcomes.count
    await perform(place, .needed(isForced: true, isShared: false), &progress, &state)
    (progress.plan, progress.turn) = (plan, turn)
    state.endExecution(outer)
    let outcome = progress.outcomes.dropFirst(count).last { $0.place == place }
    let variables = state.variables(caller, services)
    return Runner.answer(outcome, progress.broken(place), variables)
  }

  private static func answer(
    _ outcome: RunOutcome?, _ broken: (RequestPlace, RunProgress.Ending)?,
    _ variables: [JSONMember]
  ) -> ScriptAnswer {
    if let failure = outcome?.failure {
      return .error(
        name: "RequestError", message: failure.message, code: failure.code.rawValue)
    }
    if outcome == nil, case .failed(_, let sentence)? = broken?.1 {
      return .error(name: "RequestError", message: sentence)
    }
    guard let exchange = outcome?.exchange, let response = exchange.response,
      let referenced = ReferencedExchange(exchange)
    else { return .value(.object([JSONMember("variables", .object(variables))])) }
    var blobs: [[UInt8]] = []
    let body = ScriptBlobs.reference(to: referenced.responseBody, in: &blobs)
    let headers = response.headers.fields.map {
      JSONValue.array([.string($0.name), .string($0.value)])
    }
    return .value(
      .object([
        JSONMember("status", .int(response.status)),
        JSONMember("reason", .string(response.reason)), JSONMember("body", body),
        JSONMember("headers", .array(headers)), JSONMember("variables", .object(variables)),
      ]), blobs)
  }
}

/// What a script's own request knows, while the script waits for another one.
struct WaitingScript: Sendable {
  var place: RequestPlace
  var overrides: [String: String]
  var loop: [String: JSONValue]
  var items: [String: JSONValue]
  var change: TemplateChange?
  var answers: NeedAnswers
  var turn: ScriptTurn
  var output: [OutputLine]
  var iteration: Int
  var replays: Int
  var globalsRunFor: RequestPlace?
}

extension RunState {
  /// Puts the request of a script aside.
  mutating func beginExecution(
    of place: RequestPlace, from caller: RequestPlace, _ variables: JSONValue
  ) -> WaitingScript {
    let waiting = WaitingScript(
      place: caller, overrides: scope.overrides, loop: scope.loop, items: scope.iteration,
      change: scope.scripted.change, answers: scope.answers, turn: scripts.turn,
      output: scripts.output, iteration: scripts.iteration, replays: scripts.replays,
      globalsRunFor: scripts.globalsRunFor)
    scripts.executing.append(caller)
    if case .object(let members) = variables {
      for member in members { scope.overrides[member.key] = member.value.substitutionText }
      scope.overrides.merge(input.overrides) { _, given in given }
    }
    scope.scripted.change = nil
    scripts.globalsRunFor = nil
    endTurn()
    return waiting
  }

  /// Takes the request of a script up again.
  mutating func endExecution(_ waiting: WaitingScript) {
    scripts.executing.removeLast()
    (scope.overrides, scope.loop, scope.iteration) = (
      waiting.overrides, waiting.loop, waiting.items
    )
    (scope.scripted.change, scope.answers) = (waiting.change, waiting.answers)
    (scripts.turn, scripts.output) = (waiting.turn, waiting.output)
    (scripts.iteration, scripts.replays) = (waiting.iteration, waiting.replays)
    scripts.globalsRunFor = waiting.globalsRunFor
    scope.scripted.request = scripts.requestVariables[waiting.place] ?? [:]
  }
}

extension RunProgress {
  /// How often scripts may choose the next request.
  private static let mostJumps = 1_000

  /// The place in the order of the run to which a script jumps; past its end where it ends the run;
  /// `nil` where none has said anything.
  mutating func takeNext(_ state: RunState) -> Int? {
    guard let next else { return nil }
    self.next = nil
    let blocks = state.input.blocks
    guard blocks.count > 1 else { return nil }
    guard case .request(let name) = next else { return blocks.count }
    let index = blocks.firstIndex { state.planned(RequestPlace(block: $0)).title == name }
    jumps += 1
    guard let index, jumps <= RunProgress.mostJumps else {
      let place = turn?.asked ?? RequestPlace(block: blocks[0])
      let name = state.mask.mask(name).text.excerpt
      let sentence =
        index == nil
        ? "A script wants to go on with `\(name)`, and no request of the run has that name."
        : "Scripts have chosen the next request more than \(RunProgress.mostJumps) times."
      add(
        state.notSent(place, failure: Failure(.scriptFailed, sentence)),
        stopsAtFirstFailure: true)
      return blocks.count
    }
    for block in blocks[index...] { settled.remove(RequestPlace(block: block)) }
    return index
  }
}
