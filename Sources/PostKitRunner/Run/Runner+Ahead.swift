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

  /// Whether a block means the same before the request ahead of it is answered: it refers to
  /// nothing, reads no file, and nobody is asked about it.
  fileprivate func canBeAhead(_ place: RequestPlace) -> Bool {
    let block = scope.files.block(place)
    return block.syntax.kind == .request && block.references.isEmpty
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
