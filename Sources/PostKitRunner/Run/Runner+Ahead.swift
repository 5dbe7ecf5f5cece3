// Work for a request ahead of its turn, while the one before it is under way. Then the connection
// need not wait for what is recorded and printed between the two.

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax
import PostKitTransport

/// A request that was evaluated ahead of its turn. It may begin as soon as the one before it is
/// answered well; recording and telling keep their order, since each waits for its turn.
struct RequestAhead {
  let place: RequestPlace
  let id: String
  let lowered: LoweredRequest
  let sending: Sending
}

extension RunProgress {
  /// What has been done for a request whose turn has come; work for any other one is void.
  mutating func takeAhead(_ place: RequestPlace) -> RequestAhead? {
    defer { ahead = nil }
    return ahead?.place == place ? ahead : nil
  }
}

extension Runner {
  /// Evaluates the next request while one is under way, and lets it follow that one, where neither
  /// can have anything to do with the other.
  func prepareNext(
    after request: PreparedRequest, _ sending: Sending, _ progress: inout RunProgress,
    _ state: RunState
  ) {
    guard !state.input.watchesTransfers, !state.mayNeedEngine, let turn = progress.turn,
      request.place == turn.asked,
      let next = turn.next, progress.isOnItsOwn(next),
      state.cannotStopRun(request), state.canBeAhead(next)
    else { return }
    let lowered = state.lowerAhead(next, services)
    guard state.isSettled(lowered), let spec = lowered.spec, state.refusal(lowered, spec) == nil
    else { return }
    let prepared = PreparedRequest(
      id: Identifier.next(), place: next, spec: spec, method: "", url: "", lowered: lowered)
    let following = self.sending(prepared, state, progress.jar, progress.onEvent)
    progress.ahead = RequestAhead(
      place: next, id: prepared.id, lowered: lowered, sending: following)
    sending.isFollowed(by: following)
  }
}

extension Runner {
  /// Sends the next request before one whose scripts are done is recorded and told of, where it
  /// means the same then.
  func sendNext(
    after request: PreparedRequest, _ exchange: Exchange, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async {
    let turn = state.scripts.turn
    guard !state.input.watchesTransfers, turn.next == nil, !turn.stopsRun, !turn.replays,
      turn.refusal == nil, turn.skip == nil, !Task.isCancelled,
      let next = progress.onItsOwn(after: request.place, &state),
      state.goesOn(after: exchange), state.canBeAhead(next, withExpressions: true)
    else { return }
    // What they come to stays for the request's turn where it can't be sent now (SC-35).
    _ = await state.useExpressionsAhead(next, services)
    let lowered = state.lowerAhead(next, services)
    guard state.isSettled(lowered), let spec = lowered.spec, state.refusal(lowered, spec) == nil,
      !state.readsItems(of: next, services)
    else { return }
    let prepared = PreparedRequest(
      id: Identifier.next(), place: next, spec: spec, method: "", url: "", lowered: lowered)
    let following = sending(prepared, state, progress.jar, progress.onEvent)
    progress.ahead = RequestAhead(
      place: next, id: prepared.id, lowered: lowered, sending: following)
    state.dropExpressionsAhead(of: next)
    following.begin()
    // The loop sends it before this task goes on, where both have one thread.
    await Task.yield()
  }
}

extension RunProgress {
  /// The request that follows one whose turn it is, where nothing goes before it: no other request,
  /// and no script.
  func onItsOwn(after place: RequestPlace, _ state: inout RunState) -> RequestPlace? {
    guard let turn, turn.asked == place, let following = turn.next, next == nil, !isStopped,
      isOnItsOwn(following), following.file == place.file
    else { return nil }
    let known = state.scripts.plan
    defer { state.scripts.plan = known }
    return state.scriptPlan(following)?.beforeSending.isEmpty == false ? nil : following
  }
}

extension RunProgress {
  /// Whether a request is to be sent, and nothing before it.
  fileprivate func isOnItsOwn(_ place: RequestPlace) -> Bool {
    !settled.contains(place) && plan.steps(before: place).isEmpty
      && plan.sharedSteps(before: place).isEmpty
  }
}

extension RunState {
  /// Whether a run goes on after a request that is answered: none of its checks may end it.
  fileprivate func cannotStopRun(_ request: PreparedRequest) -> Bool {
    !input.stopsAtFirstFailure
      || request.lowered.settings.expectedStatus.isEmpty
        && scope.files.block(request.place).assertions.isEmpty
  }

  /// Whether a run goes on after an exchange whose scripts and checks are done.
  fileprivate func goesOn(after exchange: Exchange) -> Bool {
    exchange.state == .done && exchange.failure == nil
      && (!input.stopsAtFirstFailure || exchange.tests.allSatisfy(\.passed))
  }

  /// Whether a script of a request reads the response item by item.
  fileprivate mutating func readsItems(of place: RequestPlace, _ services: RunServices) -> Bool {
    let known = scripts.plan
    defer { scripts.plan = known }
    guard let plan = scriptPlan(place) else { return false }
    return !plan.streaming.isEmpty || plan.response.contains { readsItems($0, services) }
  }

  /// Whether a block means the same before the request ahead of it is answered, or recorded: it
  /// refers to nothing but what its own expressions come to, reads no file, and nobody is asked
  /// about it.
  fileprivate func canBeAhead(_ place: RequestPlace, withExpressions: Bool = false) -> Bool {
    let block = scope.files.block(place)
    let areOwn = block.references.allSatisfy { reference in
      guard withExpressions, case .script(let text) = reference.expression else { return false }
      return OwnExpression.readsNoVariable(text)
    }
    return block.syntax.kind == .request && areOwn
      && block.sharing == nil && block.disabledTag == nil && !block.mayRepeat && !asks(about: block)
      && !(block.request?.body?.readsFiles ?? false)
      && block.saves.isEmpty && scope.sharedBlocks(for: block).isEmpty
      && scope.environments.defaultHeaders.isEmpty
  }
}

extension RunState {
  /// Whether there is nothing to be told, asked or waited for, and nothing was found under the
  /// names that were looked up, nor can be.
  fileprivate func isSettled(_ lowered: LoweredRequest) -> Bool {
    lowered.problems.isEmpty && lowered.needs.isEmpty
      && lowered.settings.delayMilliseconds == 0
      // A token may end until then.
      && tokens(in: lowered.spec?.headers ?? []).isEmpty
      && lowered.names.allSatisfy {
        scope.lookup($0, at: .max) == nil && scope.placeDefining($0) == nil
      }
  }
}

extension BodySyntax {
  fileprivate var readsFiles: Bool {
    lines.contains { if case .file = $0.kind { true } else { false } }
  }
}
