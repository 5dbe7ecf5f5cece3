// What scripts do beyond what a run knows: requests of their own, and the cookies of the jar.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitTransport

extension Runner {
  /// The answer to a call for which the run waits.
  func answer(
    _ call: ScriptCall, _ caller: ScriptCaller, _ progress: inout RunProgress,
    _ state: inout RunState
  ) async -> ScriptAnswer {
    switch call.name {
    case "cookies": return await cookies(call, caller, progress.jar, &state)
    case "sendRequest": return await sendRequest(call, caller, progress.jar, &state)
    default: return await execute(call, caller, &progress, &state)
    }
  }

  // MARK: - Cookies

  /// Lists or changes the cookies that go to a URL of the request's own host: `list`, `set`,
  /// `remove`, `clear`.
  private func cookies(
    _ call: ScriptCall, _ caller: ScriptCaller, _ jar: CookieJar, _ state: inout RunState
  ) async -> ScriptAnswer {
    guard let text = call.argument(1).string, let url = URLParts(text) else {
      return .failure("\(call.argument(1).text) is not a URL whose cookies can be used")
    }
    let own = state.ownURL(of: caller, services).flatMap { URLParts($0) }
    guard let own, own.host.equalsIgnoringASCIICase(url.host) else {
      let known = own.map { "`\($0.host)`" } ?? "unknown"
      return .failure(
        "scripts reach the cookies of their request's host alone, which is \(known), "
          + "not those of `\(url.host)`")
    }
    let known = await transport.cookies(of: jar).filter { $0.belongs(to: url) }
    switch call.argument(0).string {
    case "set":
      guard let cookie = Cookie(call.argument(2), for: url) else {
        return .failure("a cookie needs a name and a value without line breaks and `;`")
      }
      guard cookie.mayBeSet(by: url.host) else {
        return .failure(
          "`\(url.host)` can't set cookies of `\(cookie.key.domain)`; leave `domain` out, or "
            + "give the host or a domain above it")
      }
      transport.add([cookie], to: jar)
      state.addSecrets(ExchangeMask.secrets(of: [cookie]))
    case "remove":
      transport.add(known.filter { $0.key.name == call.argument(2).string }.map(\.ended), to: jar)
    case "clear": transport.add(known.map(\.ended), to: jar)
    default:
      state.addSecrets(ExchangeMask.secrets(of: known))
      return .value(.array(known.map(\.scriptValue)))
    }
    return .value(.null)
  }

  // MARK: - Requests of scripts

  /// Sends a request that a script has made itself, and records it.
  private func sendRequest(
    _ call: ScriptCall, _ caller: ScriptCaller, _ jar: CookieJar, _ state: inout RunState
  ) async -> ScriptAnswer {
    guard state.input.allowsScriptRequests else {
      return .failure(
        "scripts may not send requests of their own. Allow it with "
          + "`\"scripts.allowRequests\": true` in config.json, or use "
          + "`await $httpyac.execute('NAME')`")
    }
    let request: PreparedRequest
    switch scriptRequest(call, caller, state) {
    case .success(let made): request = made
    case .failure(let refusal): return .failure(refusal.sentence)
    }
    state.addSecrets(ExchangeMask.credentials(in: request.spec.headers))
    let quiet: @Sendable (RunEvent) -> Void = { _ in }
    let sending = sending(request, state, jar, quiet)
    sending.begin()
    let answer = await exchange(request, sending, state, jar, quiet)
    state.adopt(answer)
    var exchange = answer.exchange
    exchange.purpose = .script
    exchange.requestName = nil
    exchange.storedRequestID = nil
    exchange.template = request.spec.writtenForm
    for headers in exchange.hops.map(\.headers) + [exchange.response?.headers ?? []] {
      state.addSecrets(ExchangeMask.cookieSecrets(in: headers))
    }
    let masked = ExchangeMask(mask: state.mask).masked(
      exchange, of: state.scope.files.block(caller.place))
    _ = await services.record(masked)
    defer {
      if let body = exchange.response?.body { transport.discard(body) }
    }
    if let failure = exchange.failure {
      return .error(
        name: "RequestError", message: failure.message, code: failure.code.rawValue)
    }
    guard let response = exchange.response, let referenced = ReferencedExchange(exchange) else {
      return .error(name: "RequestError", message: "there is no response")
    }
    var blobs: [[UInt8]] = []
    let body = ScriptBlobs.reference(to: referenced.responseBody, in: &blobs)
    return .value(
      [
        "status": .int(response.status), "reason": .string(response.reason),
        "headers": .array(
          response.headers.fields.map { [.string($0.name), .string($0.value)] }),
        "body": body, "milliseconds": .int(exchange.timings.totalMilliseconds),
      ], blobs)
  }

  private func scriptRequest(
    _ call: ScriptCall, _ caller: ScriptCaller, _ state: RunState
  ) -> Result<PreparedRequest, ScriptRequestRefusal> {
    let asked = call.argument(0)
    var mutation = ScriptEffects.Mutation()
    mutation.method = asked["method"]?.string
    mutation.url = asked["url"]?.string
    mutation.headers = asked["headers"]?.elements.compactMap { pair in
      guard let name = pair.elements.first?.string, let value = pair.elements.last?.string
      else { return nil }
      return HeaderField(name, value)
    }
    mutation.body = asked["body"].flatMap { ScriptBlobs.bytes($0, in: call.blobs) }
    var spec = RequestSpec(method: "GET", url: "", options: state.input.defaults.options)
    if let mistake = spec.apply(mutation) { return .failure(ScriptRequestRefusal(mistake)) }
    if spec.headers.first("User-Agent") == nil {
      spec.headers.append("User-Agent", state.input.defaults.userAgent)
    }
    return .success(
      PreparedRequest(
        id: Identifier.next(), place: caller.place, turn: nil, spec: spec,
        method: state.mask.mask(spec.method).text, url: state.mask.maskURL(spec.url).text,
        lowered: LoweredRequest(spec)))
  }
}

/// Why a request of a script can't be sent.
private struct ScriptRequestRefusal: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

extension RequestSpec {
  /// The request as one writes it in a file.
  fileprivate var writtenForm: String {
    let lines = ["\(method) \(url)"] + headers.fields.map { "\($0.name): \($0.value)" }
    let body = bodyAtHand.map { "\n\n" + String(decoding: $0, as: UTF8.self) } ?? ""
    return lines.joined(separator: "\n") + body
  }
}

extension Cookie {
  /// A cookie as a script describes it; `nil` where it can't be one.
  fileprivate init?(_ value: JSONValue, for url: URLParts) {
    guard let name = value["name"]?.string, let text = value["value"]?.string, !name.isEmpty,
      !(name + text).utf8.contains(where: { $0 < 32 || $0 == UInt8(ascii: ";") })
    else { return nil }
    let domain = value["domain"]?.string.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    self.init(
      key: Key(domain: domain ?? url.host, path: value["path"]?.string ?? "/", name: name),
      value: text, expires: value["expires"]?.int.map(Int64.init),
      includesSubdomains: domain != nil, isSecure: value["secure"]?.bool ?? false,
      isHTTPOnly: value["httpOnly"]?.bool ?? false)
  }

  /// Whether it is sent to a URL (RFC 6265, section 5.4).
  fileprivate func belongs(to url: URLParts) -> Bool {
    let host = url.host
    let domain = key.domain.hasPrefix(".") ? String(key.domain.dropFirst()) : key.domain
    guard host == domain || includesSubdomains && host.hasSuffix(".\(domain)"),
      !isSecure || url.scheme == "https"
    else { return false }
    let path = url.path.isEmpty ? "/" : url.path
    return path == key.path || path.hasPrefix(key.path.hasSuffix("/") ? key.path : key.path + "/")
  }

  /// Whether a host may set it: it is its own, or that of a domain above it which is no ending of
  /// all names (RFC 6265, section 5.3).
  fileprivate func mayBeSet(by host: String) -> Bool {
    if key.domain.equalsIgnoringASCIICase(host) { return true }
    return key.domain.contains(".") && host.lowercased().hasSuffix("." + key.domain.lowercased())
  }

  /// The same cookie, which ended long ago: a jar forgets it.
  fileprivate var ended: Cookie {
    var result = self
    result.expires = 1
    return result
  }

  /// The cookie as scripts see it.
  fileprivate var scriptValue: JSONValue {
    [
      "name": .string(key.name), "value": .string(value), "domain": .string(key.domain),
      "path": .string(key.path), "expires": expires.map { .int(Int($0)) } ?? .null,
      "secure": .bool(isSecure), "httpOnly": .bool(isHTTPOnly),
    ]
  }
}
