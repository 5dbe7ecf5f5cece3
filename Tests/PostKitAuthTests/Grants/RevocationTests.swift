// How tokens are taken back at the provider.

import PostKitAuth
import PostKitHTTP
import Testing

@Suite("Revocation")
struct RevocationTests {
  private var shop: AuthConfiguration {
    var shop = PlanWorld.shop(.authorizationCode)
    shop.revocationURL = "https://id.example/revoke"
    shop.endSessionURL = "https://id.example/end?a=1"
    return shop
  }

  private var tokens: TokenSet {
    var tokens = TokenSet(accessToken: "T0K", acquired: 0)
    tokens.refreshToken = "R1"
    tokens.idToken = "I.D.T"
    return tokens
  }

  private func run(
    _ shop: AuthConfiguration, _ tokens: TokenSet, _ answers: GrantEvent...
  ) -> (requests: [TokenRequest], outcome: RevocationOutcome) {
    var plan = RevocationPlan(shop, tokens, PlanWorld.context())
    var requests: [TokenRequest] = []
    var step = plan.next(.begin)
    for answer in answers {
      guard case .request(let request) = step else { break }
      requests.append(request)
      step = plan.next(answer)
    }
    guard case .done(let outcome) = step else {
      Issue.record("It does not end: \(step)")
      return (requests, RevocationOutcome())
    }
    return (requests, outcome)
  }

  private let yes = GrantEvent.reply(TokenReply(status: 200))

  @Test("The refresh token goes first, then the access token (AU-47)")
  func both() {
    let (requests, outcome) = run(shop, tokens, yes, yes)
    #expect(
      requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        "token=R1&token_type_hint=refresh_token&client_id=cli&client_secret=s3cret",
        "token=T0K&token_type_hint=access_token&client_id=cli&client_secret=s3cret",
      ])
    #expect(requests.allSatisfy { $0.purpose == .revocation })
    #expect(outcome.wasAsked)
    #expect(outcome.warnings.isEmpty)
    #expect(
      outcome.endSessionURL == "https://id.example/end?a=1&id_token_hint=I.D.T&client_id=cli")
  }

  @Test("What fails is a warning, and the other token is taken back all the same")
  func failures() {
    let (requests, outcome) = run(
      shop, tokens, .unreachable(Failure(.connection, "Nobody listens.")),
      PlanWorld.json(#"{"error": "unsupported_token_type"}"#, status: 400))
    #expect(requests.count == 2)
    #expect(outcome.warnings.count == 2)
    #expect(!outcome.warnings.joined().contains("T0K"))
  }

  @Test("The endpoint may be the issuer's, or there is none")
  func endpoints() {
    var shop = shop
    shop.revocationURL = nil
    shop.endSessionURL = nil
    #expect(run(shop, tokens).outcome == RevocationOutcome())
    shop.issuer = "https://id.example"
    let document = PlanWorld.json(
      """
      {"issuer": "https://id.example", "revocation_endpoint": "https://id.example/r",
       "end_session_endpoint": "https://id.example/e"}
      """)
    let found = run(shop, tokens, document, yes, yes)
    #expect(found.requests.last?.url == "https://id.example/r")
    #expect(found.outcome.endSessionURL?.hasPrefix("https://id.example/e?") == true)
  }
}
