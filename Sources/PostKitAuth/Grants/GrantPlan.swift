// How a token is got, step by step, without doing any of it (AU-1).

import PostKitHTTP

/// The steps to a token. It is told what has happened and says what is next.
package struct GrantPlan: Sendable {
  let configuration: AuthConfiguration
  let context: AuthContext
  /// What was kept of an earlier time, whose refresh token is used first (AU-43).
  let kept: TokenSet?

  /// Makes a plan that has done nothing yet.
  package init(_ configuration: AuthConfiguration, kept: TokenSet? = nil, _ context: AuthContext) {
    self.configuration = configuration
    self.kept = kept
    self.context = context
  }

  /// What is next after an event.
  package mutating func next(_ event: GrantEvent) -> GrantStep {
    .failed(AuthFailure(.internal, "Not built yet."))
  }
}
