// The exchange of a token for another one (RFC 8693; AU-25).

import PostKitHTTP
import PostKitJSON

extension GrantPlan {
  private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

  /// Asks for a token in exchange for the one that was got.
  mutating func exchange() throws(AuthFailure) -> GrantStep {
    guard let subject else { throw .unexpected }
    let issuer = configuration.subjectIssuer.flatMap { $0.isEmpty ? nil : $0 }
    // An access token need be no JWT.
    let claimed = (try? WebToken(subject.accessToken))?.text("iss")
    let scope = configuration.scope ?? ""
    var parameters = TokenParameters()
    parameters.add("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
    parameters.add("requested_token_type", GrantPlan.accessTokenType)
    parameters.add("subject_token_type", GrantPlan.accessTokenType)
    parameters.add("scope", scope.isEmpty ? "openid" : scope)
    parameters.addTargets(of: configuration)
    parameters.add("subject_issuer", issuer ?? claimed)
    parameters.add("subject_token", subject.accessToken)
    return try send(.exchange, configuration.tokenURL, parameters)
  }

  /// Says where the provider gave another type of token than was asked for.
  func noteIssuedType(_ answer: EndpointAnswer, _ tokens: inout TokenSet) {
    guard let type = answer.text("issued_token_type"), type != GrantPlan.accessTokenType else {
      return
    }
    tokens.remarks.append("The provider issued a token of another type: \(type.cleaned(100)).")
  }

  /// Hands an event to the plan of the exchange, and at its end puts the tokens together: what
  /// renews a sign-in stays that of the first token.
  mutating func exchanged(_ event: GrantEvent) throws(AuthFailure) -> GrantStep {
    guard !exchanges.isEmpty, let first = exchanges[0].subject else { throw .unexpected }
    switch exchanges[0].next(event) {
    case .done(var tokens):
      tokens.refreshToken = first.refreshToken
      tokens.refreshExpires = first.refreshExpires
      tokens.idToken = tokens.idToken ?? first.idToken
      tokens.nonce = first.nonce
      tokens.clientAuthentication = first.clientAuthentication
      tokens.remarks = first.remarks + tokens.remarks
      awaited = .nothing
      return .done(tokens)
    case .failed(var failure):
      if first.refreshToken != nil {
        var rest = first
        rest.expires = rest.acquired
        failure.renewable = rest.json
      }
      throw failure
    case let step: return step
    }
  }
}
