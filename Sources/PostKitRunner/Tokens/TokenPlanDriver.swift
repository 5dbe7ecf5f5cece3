// Does what a plan asks for: sends, listens, shows and waits. It knows no grant.

package import PostKitAuth
package import PostKitHTTP

/// Carries out plans.
package struct TokenPlanDriver: Sendable {
  /// Sends a request of a plan, records it, and gives its reply.
  package var send: @Sendable (TokenRequest) async -> Result<TokenReply, Failure>
  /// Who can be asked; `nil` for nobody.
  package var host: (any SignInHost)?
  /// Why a browser may not be sent to an address, which a provider may have named; `nil` where it
  /// may (AU-51).
  package var permitVisit: @Sendable (String) async -> AuthFailure? = { _ in nil }
  /// The seconds that a person has (AU-36); 0 for as long as it takes.
  package var personSeconds = 300
  /// What to run in order to sign in where a person can be asked: `postkit auth login api.http`.
  package var loginCommand = "postkit auth login"

  /// Makes a driver.
  package init(
    host: (any SignInHost)?,
    send: @escaping @Sendable (TokenRequest) async -> Result<TokenReply, Failure>
  ) {
    self.host = host
    self.send = send
  }

  /// Sends a request, and tells a plan what came of it.
  package func event(of request: TokenRequest) async -> GrantEvent {
    switch await send(request) {
    case .success(let reply): .reply(reply)
    case .failure(let failure): .unreachable(failure)
    }
  }

  /// Follows a plan to its end. A task that is cancelled ends it, with all that is shown and with
  /// the port that is listened on.
  package func run(_ plan: GrantPlan) async -> Result<TokenSet, AuthFailure> {
    var walk = Walk(plan: plan, event: .begin)
    let result = await follow(&walk)
    walk.listener?.stop()
    return result
  }

  /// A plan on its way.
  private struct Walk: Sendable {
    var plan: GrantPlan
    var event: GrantEvent
    var listener: RedirectListener?
    var device: DeviceStep?
  }

  private func follow(_ walk: inout Walk) async -> Result<TokenSet, AuthFailure> {
    while true {
      let step = walk.plan.next(walk.event)
      // Tokens that are there are kept, although nobody waits for them any more.
      if case .done(let tokens) = step { return .success(tokens) }
      if Task.isCancelled { return .failure(.cancelled) }
      switch step {
      case .request(let request):
        walk.event = await event(of: request)
      case .listen(let place):
        walk.listener?.stop()
        walk.listener = nil
        switch RedirectListener.start(place) {
        case .success(let listener):
          walk.listener = listener
          walk.event = .listening(redirectURI: listener.redirectURI)
        case .failure(let failure): walk.event = .cannotListen(failure)
        }
      case .visit(let visit):
        if let refusal = await permitVisit(visit.url) { return .failure(refusal) }
        switch await self.visit(visit, walk.listener) {
        case .success(let event): walk.event = event
        case .failure(let failure): return .failure(failure)
        }
        walk.listener?.stop()
        walk.listener = nil
      case .show(let code):
        guard let host else { return .failure(nobody) }
        return await follow(&walk, beside: DeviceStep(code, host))
      case .wait(let milliseconds):
        if let device = walk.device {
          walk.event = await device.wait(milliseconds: milliseconds)
        } else {
          walk.event = await DeviceStep.wait(milliseconds: milliseconds)
        }
      case .done(let tokens): return .success(tokens)
      case .failed(let failure): return .failure(failure)
      }
    }
  }

  private func visit(
    _ visit: BrowserVisit, _ listener: RedirectListener?
  ) async -> Result<GrantEvent, AuthFailure> {
    guard let host else { return .failure(nobody) }
    let step = BrowserStep(
      visit: visit, listener: visit.isListened ? listener : nil, host: host, seconds: personSeconds,
      loginCommand: loginCommand)
    return await step.run()
  }

  /// Follows the rest of a plan while a code is shown, which ends with it.
  private func follow(
    _ walk: inout Walk, beside step: DeviceStep
  ) async -> Result<TokenSet, AuthFailure> {
    walk.device = step
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await step.show() }
      walk.event = await step.shown()
      let result = await follow(&walk)
      group.cancelAll()
      return result
    }
  }

  private var nobody: AuthFailure {
    AuthFailure(.authLoginNeeded, "Nobody can be asked to sign in here. Run `\(loginCommand)`.")
  }
}
