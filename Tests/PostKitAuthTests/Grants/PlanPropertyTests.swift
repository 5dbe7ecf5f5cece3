// Any events in any order: plans never fall over, never send twice, and end.

import PostKitAuth
import PostKitHTTP
import PostKitTestSupport
import Testing

@Suite("Plans whatever happens")
struct PlanPropertyTests {
  private static let words = [
    "invalid_client", "invalid_grant", "access_denied", "authorization_pending", "slow_down",
    "expired_token", "temporarily_unavailable", "",
  ]

  private func body(_ random: inout RepeatableGenerator) -> String {
    let word = random.pick(PlanPropertyTests.words)
    return random.pick([
      #"{"access_token": "T0K", "refresh_token": "R", "expires_in": 5}"#, "", "<html>", "{}",
      #"{"error": "\#(word)", "error_description": "Say s3cret with two forms"}"#,
      #"{"error": {"a": 1}}"#,
      #"{"request_uri": "urn:1"}"#,
      #"{"device_code": "D", "user_code": "U", "verification_uri": "https://id.example/go"}"#,
      """
      {"issuer": "https://id.example", "token_endpoint": "https://id.example/token",
       "require_pushed_authorization_requests": true,
       "pushed_authorization_request_endpoint": "https://id.example/par",
       "authorization_endpoint": "https://id.example/a",
       "device_authorization_endpoint": "https://id.example/d"}
      """,
    ])
  }

  private func event(_ random: inout RepeatableGenerator, _ step: GrantStep) -> GrantEvent {
    if random.oneIn(8), case .wait = step { return .waited }
    switch random.int(in: 0..<(random.oneIn(3) ? 16 : 7)) {
    case 0...5:
      // What fits the step.
      switch step {
      case .listen(let place): return .listening(redirectURI: place.uri(port: 1))
      case .visit(let visit):
        let state = random.oneIn(4) ? "other" : visit.state
        return .redirected([AuthField("state", state), AuthField("code", "C")])
      case .show: return .shown
      case .wait: return .waited
      case .request, .done, .failed: break
      }
      fallthrough
    case 6:
      let status = random.pick([200, 200, 200, 400, 401, 404, 429, 500, 302, 307])
      var headers: HeaderFields = [("Content-Type", "application/json")]
      if status == 307 { headers.append("Location", random.pick(["/x", "https://b.example"])) }
      var bytes = Array(body(&random).utf8)
      if random.oneIn(8) { bytes = random.mutated(bytes) }
      return .reply(TokenReply(status: status, headers: headers, body: bytes))
    case 7: return .unreachable(Failure(.connection, "Nobody listens."))
    case 8: return .listening(redirectURI: "http://localhost:1/")
    case 9: return .cannotListen(AuthFailure(.authPortInUse, "Taken."))
    case 10: return .redirected([AuthField("error", "access_denied")])
    case 11: return .pasted(random.pick(["", "code", "https://a/?code=1&state=2", "?#&=%"]))
    case 12: return .timedOut(seconds: 300)
    case 13: return .begin
    case 14: return .waited
    default: return random.oneIn(4) ? .declined : .shown
    }
  }

  private func configuration(_ random: inout RepeatableGenerator) -> AuthConfiguration {
    var shop = PlanWorld.shop(random.pick(Grant.allCases))
    shop.clientAuthentication = random.pick([nil, nil, .basic, .body, .secretJWT])
    if random.oneIn(3) { shop.clientSecret = "s3cret with two forms" }
    if random.oneIn(3) {
      shop.issuer = "https://id.example"
      shop.tokenURL = nil
    }
    if random.oneIn(4) { shop.redirectURI = "https://app.example/cb" }
    if random.oneIn(4) { shop.exchange = [PlanWorld.shop(.clientCredentials)] }
    return shop
  }

  @Test("No sequence of events makes a plan fall over, send twice or go on for ever")
  func anything() {
    var random = RepeatableGenerator(seed: 19)
    var ends = (done: 0, failed: 0)
    for _ in 0..<5_000 {
      let shop = configuration(&random)
      var kept: TokenSet?
      if random.oneIn(3) {
        kept = TokenSet(accessToken: "old", acquired: 0)
        kept?.refreshToken = "R0"
      }
      var plan = GrantPlan(shop, kept: kept, PlanWorld.context(hasPerson: !random.oneIn(8)))
      var step = plan.next(.begin)
      var sent: [String: Int] = [:]
      var count = 0
      events: while true {
        count += 1
        switch step {
        case .request(let request) where request.purpose == .token:
          let text = String(decoding: request.body, as: UTF8.self)
          let grant = text.split(separator: "&").first { $0.hasPrefix("grant_type=") } ?? ""
          if !grant.hasSuffix("device_code") { sent[String(grant), default: 0] += 1 }
        case .done:
          ends.done += 1
          break events
        case .failed(let failure):
          ends.failed += 1
          #expect(!failure.message.contains(shop.clientSecret ?? "s3cret"))
          break events
        default: break
        }
        if count > 2_000 {
          Issue.record("The plan goes on for ever: \(step)")
          break
        }
        step = plan.next(event(&random, step))
      }
      // Two ways to prove who the client is, and one endpoint that moved (AU-2, AU-21).
      #expect(sent.values.allSatisfy { $0 <= 3 })
      #expect(sent.count <= 3)
      // A plan that is over stays so.
      guard case .failed = plan.next(event(&random, step)) else {
        Issue.record("The plan goes on after its end.")
        return
      }
    }
    #expect(ends.done > 250)
    #expect(ends.failed > 250)
  }
}
