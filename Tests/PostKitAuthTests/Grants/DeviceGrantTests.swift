// The grant in which somebody types a code on another device.

import PostKitAuth
import PostKitHTTP
import Testing

@Suite("Device codes")
struct DeviceGrantTests {
  private func answer(_ error: String, status: Int = 400) -> GrantEvent {
    PlanWorld.json(#"{"error": "\#(error)"}"#, status: status)
  }

  @Test("A code is shown, and asked for until it was entered (AU-37, AU-39)")
  func code() throws {
    let steps = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.deviceCode), PlanWorld.context()), PlanWorld.deviceCode,
      answer("authorization_pending"), answer("slow_down"), answer("authorization_pending"),
      PlanWorld.tokens)
    #expect(steps.requests[0].purpose == .device)
    #expect(steps.requests[0].url == "https://id.example/device")
    #expect(steps.bodies[0] == "client_id=cli&scope=orders%20read&client_secret=s3cret")
    guard case .show(let code) = steps[1] else {
      Issue.record("No code is shown: \(steps[1])")
      return
    }
    #expect(code.userCode == "WDJB-MJHT")
    #expect(code.verificationURL == "https://id.example/go")
    #expect(code.completeURL == "https://id.example/go?code=WDJB-MJHT")
    #expect(code.expires == PlanWorld.now + 600_000)
    #expect(!code.waitsForBrowser)
    #expect(steps.waits == [5_000, 5_000, 10_000, 10_000])
    #expect(
      steps.bodies[1]
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        + "&device_code=DEV-C0DE&client_id=cli&client_secret=s3cret")
    #expect(try PlanWorld.tokens(steps).refreshToken == "R1")
  }

  @Test("Failures that may pass make the pauses longer, up to a minute (AU-39)")
  func backsOff() throws {
    let lost = GrantEvent.unreachable(Failure(.timeout, "Nothing came."))
    let steps = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.deviceCode), PlanWorld.context()), PlanWorld.deviceCode, lost,
      .reply(TokenReply(status: 503)), answer("server_error", status: 500),
      .reply(TokenReply(status: 429)), .reply(TokenReply(status: 408)), PlanWorld.tokens)
    #expect(steps.waits == [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
    #expect(try PlanWorld.tokens(steps).accessToken == "T0K")
  }

  @Test("Any other word ends it", arguments: ["access_denied", "expired_token", "bad_code"])
  func otherWords(_ word: String) throws {
    let steps = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.deviceCode), PlanWorld.context()), PlanWorld.deviceCode,
      answer(word))
    let failure = try PlanWorld.failure(steps)
    #expect(failure.code.rawValue == "auth-" + word)
    if word == "expired_token" {
      #expect(failure.message.contains("The code was not entered within 10 minutes."))
    }
  }

  @Test("Polling ends with the code, even if the clock stands still")
  func ends() throws {
    var plan = GrantPlan(PlanWorld.shop(.deviceCode), PlanWorld.context())
    _ = plan.next(.begin)
    _ = plan.next(PlanWorld.deviceCode)
    var step = plan.next(.shown)
    var polls = 0
    while true {
      switch step {
      case .wait: step = plan.next(.waited)
      case .request:
        polls += 1
        step = plan.next(answer("authorization_pending"))
      case .failed(let failure):
        #expect(failure.code.rawValue == "auth-expired_token")
        #expect(polls == 120)
        return
      default:
        Issue.record("\(step)")
        return
      }
    }
  }

  @Test("What a server leaves out has the values of RFC 8628, and old names count")
  func defaults() throws {
    var shop = PlanWorld.shop(.deviceCode)
    shop.opensCompleteURI = false
    shop.pollsAfterBrowser = true
    let steps = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()),
      PlanWorld.json(
        """
        {"device_code": "D", "user_code": "U", "verification_url": "https://id.example/go",
         "verification_uri_complete": "https://id.example/go?U"}
        """), PlanWorld.tokens)
    guard case .show(let code) = steps[1] else {
      Issue.record("No code is shown: \(steps[1])")
      return
    }
    #expect(code.completeURL == nil)
    #expect(code.waitsForBrowser)
    #expect(code.expires == PlanWorld.now + 900_000)
    #expect(steps.waits == [5_000])
  }

  @Test(
    "An answer that lacks something, or would open another program, is not used",
    arguments: [
      #"{"device_code": "D", "user_code": "U"}"#,
      #"{"device_code": "D", "user_code": "U", "verification_uri": "file:///etc/passwd"}"#,
      #"{"device_code": 7, "user_code": "U", "verification_uri": "https://id.example"}"#,
      "[]", "<html>",
    ])
  func unusable(_ text: String) throws {
    let steps = PlanWorld.steps(
      GrantPlan(PlanWorld.shop(.deviceCode), PlanWorld.context()), PlanWorld.json(text))
    #expect(try PlanWorld.failure(steps).code == .authAnswerUnreadable)
  }

  @Test("Azure's first endpoint knows the device code by another name, too")
  func azure() {
    var shop = PlanWorld.shop(.deviceCode)
    shop.dialect = .azure
    shop.clientSecret = nil
    shop.clientAuthentication = ClientAuthentication.none
    let steps = PlanWorld.steps(
      GrantPlan(shop, PlanWorld.context()), PlanWorld.deviceCode, PlanWorld.tokens)
    #expect(steps.bodies[1].hasSuffix("&device_code=DEV-C0DE&code=DEV-C0DE&client_id=cli"))
  }
}
