// The grant in which a person types a code on another device (RFC 8628; AU-37 to AU-39).

import PostKitHTTP
import PostKitJSON

/// The polling for a device code.
struct DevicePolling: Sendable {
  let deviceCode: String
  /// When the code ends, in milliseconds since 1970.
  let expires: Int64
  /// How long the code holds, in milliseconds.
  let lifetime: Int64
  /// The milliseconds between two polls.
  var interval: Int64
  /// The milliseconds that were waited: a clock that stands still or goes back ends nothing.
  var waited: Int64 = 0

  /// What is said where nobody entered the code in time.
  var late: String {
    let minutes = max(1, lifetime / 60_000)
    return "The code was not entered within \(minutes) minute\(minutes == 1 ? "" : "s")."
  }

  /// Waits longer from now on (AU-39).
  mutating func slowDown() { interval += 5_000 }

  /// Waits twice as long after a failure that may pass, up to a minute (RFC 8628, section 3.5).
  mutating func backOff() { interval = max(interval, min(interval * 2, 60_000)) }

  /// What is left of the code, in milliseconds.
  func remaining(at now: Int64) -> Int64 { min(expires - now, lifetime - waited) }
}

extension GrantPlan {
  /// Asks for a code (AU-37).
  mutating func askForCode() throws(AuthFailure) -> GrantStep {
    var parameters = TokenParameters()
    parameters.add("client_id", configuration.clientID)
    parameters.add("scope", configuration.scope)
    parameters.addTargets(of: configuration)
    return try send(.device, configuration.deviceURL, parameters)
  }

  /// Shows the code that was given.
  mutating func codeGiven(
    _ answer: EndpointAnswer, _ call: ClientCall
  ) throws(AuthFailure) -> GrantStep {
    guard answer.isSuccess else { throw refusal(call).failure(answer) }
    guard answer.members != nil else { throw refusal(call).unreadable(answer) }
    let page = answer.text("verification_uri") ?? answer.text("verification_url")
    guard let code = answer.text("device_code"), let userCode = answer.text("user_code"), let page,
      AuthConfiguration.isWeb(page)
    else {
      throw refusal(call).unreadable(
        answer, "it lacks `device_code`, `user_code` or an http address `verification_uri`")
    }
    let seconds = answer.seconds("expires_in").flatMap { $0 > 0 ? $0 : nil } ?? 900
    let interval = min(max(answer.seconds("interval") ?? 5, 1), 3_600)
    device = DevicePolling(
      deviceCode: code, expires: context.now() + seconds * 1_000, lifetime: seconds * 1_000,
      interval: interval * 1_000)
    let complete = configuration.opensCompleteURI ? answer.text("verification_uri_complete") : nil
    awaited = .codeShown
    return .show(
      DeviceCode(
        userCode: userCode.cleaned(100), verificationURL: page,
        completeURL: complete.flatMap { AuthConfiguration.isWeb($0) ? $0 : nil },
        expires: context.now() + seconds * 1_000,
        waitsForBrowser: configuration.pollsAfterBrowser))
  }

  /// Waits for the next poll, or ends where the code has.
  mutating func pause() throws(AuthFailure) -> GrantStep {
    guard let device else { throw .unexpected }
    let remaining = device.remaining(at: context.now())
    guard remaining > 0 else {
      throw AuthFailure(
        FailureCode(rawValue: "auth-expired_token"),
        "`\(configuration.id)`: \(device.late) Sign in again.")
    }
    let milliseconds = Int(min(device.interval, remaining))
    awaited = .pause(milliseconds: milliseconds)
    return .wait(milliseconds: milliseconds)
  }

  /// Asks whether the code was entered.
  mutating func waited(_ milliseconds: Int) throws(AuthFailure) -> GrantStep {
    device?.waited += Int64(milliseconds)
    var parameters = TokenParameters()
    parameters.add("grant_type", "urn:ietf:params:oauth:grant-type:device_code")
    parameters.add("device_code", device?.deviceCode)
    if configuration.usesFirstAzureEndpoint { parameters.add("code", device?.deviceCode) }
    parameters.add("client_id", configuration.clientID)
    return try send(.poll, configuration.tokenURL, parameters)
  }

  /// Goes on after a failure that may pass; `nil` for anything else.
  mutating func retriedPoll(_ event: GrantEvent) throws(AuthFailure) -> GrantStep? {
    switch event {
    case .unreachable: break
    case .reply(let reply):
      let isPassing = [408, 429].contains(reply.status) || (500...599).contains(reply.status)
      guard isPassing, !GrantPlan.pendingWords.contains(EndpointAnswer(reply).error ?? "") else {
        return nil
      }
    default: return nil
    }
    device?.backOff()
    return try pause()
  }

  private static let pendingWords = ["authorization_pending", "slow_down"]

  /// Goes on while nobody has entered the code; any other word ends it.
  mutating func pollRefused(
    _ answer: EndpointAnswer, _ call: ClientCall
  ) throws(AuthFailure) -> GrantStep {
    guard let word = answer.error, GrantPlan.pendingWords.contains(word) else {
      throw refusal(call).failure(answer)
    }
    if word == "slow_down" { device?.slowDown() }
    return try pause()
  }
}

extension AuthConfiguration {
  /// Whether the endpoint is Azure's first, which knows the device code as `code`.
  fileprivate var usesFirstAzureEndpoint: Bool {
    dialect == .azure && tokenURL?.contains("/v2.0/") == false
  }
}
