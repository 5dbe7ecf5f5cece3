// Does what a plan asks for: sends, listens, shows and waits. It knows no grant.

package import PostKitAuth
package import PostKitHTTP

/// Carries out plans.
package struct TokenPlanDriver: Sendable {
  /// Sends a request of a plan, records it, and gives its reply.
  package var send: @Sendable (TokenRequest) async -> Result<TokenReply, Failure>
  /// Who can be asked; `nil` for nobody.
  package var host: (any SignInHost)?
  /// The seconds that a person has (AU-36).
  package var personSeconds = 300

  /// Makes a driver.
  package init(
    host: (any SignInHost)?,
    send: @escaping @Sendable (TokenRequest) async -> Result<TokenReply, Failure>
  ) {
    self.host = host
    self.send = send
  }

  /// Follows a plan to its end.
  package func run(_ plan: GrantPlan) async -> Result<TokenSet, AuthFailure> {
    var plan = plan
    var event = GrantEvent.begin
    while true {
      switch plan.next(event) {
      case .request(let request):
        switch await send(request) {
        case .success(let reply): event = .reply(reply)
        case .failure(let failure): event = .unreachable(failure)
        }
      case .done(let tokens): return .success(tokens)
      case .failed(let failure): return .failure(failure)
      case .listen, .visit, .show, .wait:
        return .failure(AuthFailure(.internal, "Not built yet."))
      }
    }
  }
}
