// How an issuer is asked for its endpoints (AU-12).

import PostKitHTTP
import PostKitJSON

/// Two requests at most: the address of OpenID Connect, then that of OAuth.
package struct Discovery: Sendable {
  /// What is next.
  package enum Step: Sendable {
    case request(TokenRequest)
    case found(ServerMetadata)
  }

  private static let byteLimit = 64 << 10
  private let id: String
  private let issuer: String
  private var addresses: [String]
  private var wasRedirected = false

  /// Prepares to ask; fails where the issuer is no address.
  package init(_ configuration: AuthConfiguration, issuer: String) throws(AuthFailure) {
    id = configuration.id
    self.issuer = issuer
    guard AuthConfiguration.isWeb(issuer), var parts = URLParts(issuer) else {
      throw AuthFailure(
        .authIncomplete,
        "The issuer of `\(id)` is no absolute http or https address. Correct `Issuer`.")
    }
    // Both specifications take away a slash at the end.
    let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    let path = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
    parts.path = "/.well-known/oauth-authorization-server" + path
    parts.query = nil
    addresses = [base + "/.well-known/openid-configuration", parts.url]
  }

  /// The request that is next.
  package var request: TokenRequest {
    TokenRequest(
      .discovery, method: "GET", url: addresses[0], headers: [("Accept", "application/json")])
  }

  /// What follows from an answer.
  package mutating func next(_ event: GrantEvent) throws(AuthFailure) -> Step {
    switch event {
    case .unreachable(let failure):
      throw AuthFailure(
        failure.code,
        "The discovery document \(addresses[0]) of `\(id)` can't be read: \(failure.message)")
    case .reply(let reply):
      if reply.isRedirect {
        addresses[0] = try EndpointRedirect.target(
          of: reply, at: addresses[0], id, isRepeated: wasRedirected)
        wasRedirected = true
        return .request(request)
      }
      if reply.status == 404, addresses.count > 1 {
        addresses.removeFirst()
        wasRedirected = false
        return .request(request)
      }
      return .found(try metadata(reply))
    default: throw .unexpected
    }
  }

  private func metadata(_ reply: TokenReply) throws(AuthFailure) -> ServerMetadata {
    guard reply.status == 200 else {
      throw unreadable("the answer has the status \(reply.status)")
    }
    guard reply.body.count <= Discovery.byteLimit else {
      throw unreadable("the answer has more than 64 KiB")
    }
    // Why a text is no JSON is no help to who wrote the issuer.
    guard let root = try? JSONTree(parsing: reply.body).root, root.kind == .object else {
      throw unreadable("the answer is no JSON object")
    }
    guard let named = root["issuer"]?.string else { throw unreadable("it names no issuer") }
    guard named == issuer else {
      throw AuthFailure(
        .authIssuerMismatch,
        "`\(id)` names the issuer \(issuer), but its discovery document names "
          + "\(named.cleaned(500)). Write the issuer as the provider does, or write the endpoints.")
    }
    return ServerMetadata(issuer: issuer, root.value)
  }

  private func unreadable(_ reason: String) -> AuthFailure {
    AuthFailure(
      .authAnswerUnreadable,
      "The discovery document \(addresses[0]) of `\(id)` can't be used: \(reason). "
        + "Correct `Issuer`, or write the endpoints.")
  }
}

/// Where a request goes whose endpoint has moved (AU-2).
enum EndpointRedirect {
  /// The address in a redirect: once, within an origin and, for a request with a body, where the
  /// method stays.
  static func target(
    of reply: TokenReply, at url: String, _ id: String, keepsMethod: Bool = false,
    isRepeated: Bool
  ) throws(AuthFailure) -> String {
    let location = reply.headers.first("Location") ?? ""
    let base = URLParts(url)
    let target = location.isEmpty ? nil : base?.resolving(location)
    if !isRepeated, let base, let target, let parts = URLParts(target),
      parts.hasSameOrigin(as: base), !keepsMethod || [307, 308].contains(reply.status)
    {
      return target
    }
    let reason =
      keepsMethod ? "the request holds credentials" : "another server may not name endpoints"
    let place = target.map { " to \(AuthConfiguration.shown($0))" } ?? ""
    throw AuthFailure(
      .authEndpointRedirect,
      "\(AuthConfiguration.shown(url)) of `\(id)` redirects\(place) (status \(reply.status)), "
        + "which is not followed, because \(reason). "
        + "If the new address is right, write it into the configuration.")
  }
}

extension TokenReply {
  /// Whether the answer names another place for the request.
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension AuthFailure {
  /// A mistake of whoever carries out a plan.
  static var unexpected: AuthFailure {
    AuthFailure(.internal, "The sign-in was told of something that it did not ask for.")
  }
}

extension AuthConfiguration {
  /// Whether a text is an absolute http or https address that can be taken apart.
  static func isWeb(_ url: String) -> Bool {
    isWebAddress(url) && URLParts(url) != nil
  }

  /// An address without what may be secret in it: user, password and query.
  static func shown(_ url: String) -> String {
    URLParts(url).map { ($0.origin + $0.path).cleaned(300) } ?? "The endpoint"
  }
}

extension String {
  /// A foreign text for a sentence: without control characters and with so many characters at most.
  func cleaned(_ count: Int) -> String {
    var kept = ""
    var left = count
    var isBlank = true
    for scalar in unicodeScalars where left > 0 {
      let isControl = scalar.properties.generalCategory == .control || scalar.isFormatting
      let isGap = isControl || scalar == " "
      if isGap && isBlank { continue }
      kept.unicodeScalars.append(isGap ? " " : scalar)
      isBlank = isGap
      left -= 1
    }
    return kept.trimmingASCIIBlanks()
  }
}

extension Unicode.Scalar {
  /// Whether it turns or hides the text around it.
  fileprivate var isFormatting: Bool {
    switch properties.generalCategory {
    case .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
