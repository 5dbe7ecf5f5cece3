// One request, hop by hop: redirects are followed, and a token that is refused is got anew once.

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitTransport

extension Runner {
  /// Sends a request, whose first hop may have begun, and follows its redirects (PK-84). A token
  /// that was kept and is refused is replaced once (AU-45).
  func exchange(
    _ request: PreparedRequest, _ first: Sending, _ known: RunState, _ jar: CookieJar,
    _ onEvent: @escaping @Sendable (RunEvent) -> Void, items: ItemStream? = nil
  ) async -> RequestAnswer {
    defer { items?.finish() }
    var state = known
    var spec = request.spec
    spec.options = request.lowered.settings.options
    var sending = first
    sending.begin()
    var answer = RequestAnswer(
      exchange: state.record(request, startedAt: sending.startedAt), learned: [])
    answer.exchange.environment = state.input.environment
    while true {
      let transfer = await sending.outcome()
      answer.exchange.take(transfer)
      answer.exchange.isUnverified = !spec.options.verifiesTLS && spec.url.hasPrefix("https:")
      if let hop = answer.exchange.hops.last, transfer.failure?.code == .syntax {
        answer.exchange.failure = Runner.badRedirect(hop, to: spec.url, state.mask)
      }
      guard transfer.state == .done, let response = transfer.response else { return answer }
      // Who reads the items of a response has begun to read those of the refusal.
      if items == nil, answer.renewed.isEmpty,
        let renewed = await state.renewed(spec, after: response, of: request, services)
      {
        spec = renewed.spec
        answer.renewed = [renewed.need: renewed.answer]
        answer.learned = state.secrets
      } else {
        guard
          case .follow(let next) = Redirects.decide(
            after: spec, status: response.status, headers: response.headers,
            secrets: state.secrets)
        else { return answer }
        if let failure = Runner.redirectLimit(answer.exchange, spec, next, request, state.mask) {
          answer.exchange.fail(failure)
          return answer
        }
        spec = next
        switch await state.certificate(for: next.url, of: request, services) {
        case .success(let identity):
          spec.options.clientCertificate = identity
          answer.learned = state.secrets
        case .failure(let failure):
          answer.exchange.fail(failure)
          return answer
        }
      }
      transport.discard(response.body)
      answer.exchange.hops.append(
        RedirectHop(
          request: transfer.sent, status: response.status, headers: response.headers,
          timings: transfer.timings))
      let repeated = answer.exchange.hops.flatMap(ExchangeMask.credentials(of:))
      sending = self.sending(
        spec, of: request, state, jar, repeated: repeated, items: items, onEvent)
    }
  }

  /// The failure where a redirect leads on once too often; `nil` where it may be followed.
  private static func redirectLimit(
    _ exchange: Exchange, _ spec: RequestSpec, _ next: RequestSpec, _ request: PreparedRequest,
    _ mask: SecretMask
  ) -> Failure? {
    let redirects = exchange.hops.count { (300..<400).contains($0.status) }
    guard redirects >= spec.options.redirectLimit else { return nil }
    return Failure(
      .tooManyRedirects,
      "\(mask.maskURL(request.spec.url).text) redirects more than "
        + "\(spec.options.redirectLimit) times; the last response points to "
        + "\(mask.maskURL(next.url).text). Send it with `# @no-redirect` to look at "
        + "the first.")
  }

  /// The failure where a server redirects to something that can't be sent to.
  private static func badRedirect(
    _ hop: RedirectHop, to url: String, _ mask: SecretMask
  ) -> Failure {
    Failure(
      .protocol,
      "\(mask.maskURL(hop.request.url).text) redirects to `\(mask.maskURL(url).text)`, which is "
        + "not a valid URL. Send the request with `# @no-redirect` to see the response.")
  }
}

/// What has become of a request.
struct RequestAnswer: Sendable {
  var exchange: Exchange
  /// The secrets that are known since a redirect was followed.
  var learned: Set<String>
  /// The tokens that were got anew.
  var renewed: [TokenNeed: TokenAnswer] = [:]
}

extension Exchange {
  /// Notes what has become of a hop.
  fileprivate mutating func take(_ transfer: TransferOutcome) {
    request = transfer.sent
    response = transfer.response
    timings = timings.adding(transfer.timings)
    remoteAddress = transfer.remoteAddress
    state = transfer.state
    failure = transfer.failure
    savedTo = transfer.savedTo
    if let failure = transfer.saveFailure, transfer.state == .done { fail(failure) }
  }

  /// Ends the exchange although a response is there.
  fileprivate mutating func fail(_ failure: Failure) {
    state = failure.code == .cancelled ? .cancelled : .failed
    self.failure = failure
  }
}

extension Timings {
  /// The times of a transfer that began when these ended.
  fileprivate func adding(_ next: Timings) -> Timings {
    if total == 0 { return next }
    var result = next
    result.nameLookup += total
    result.connect += total
    if next.tls > 0 { result.tls += total }
    result.firstByte += total
    result.total += total
    return result
  }
}
