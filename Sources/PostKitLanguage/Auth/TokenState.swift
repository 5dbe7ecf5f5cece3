// What a hover says of a sign-in: how its token is got, and how the kept one is (AU-52).

package import PostKitAuth
import PostKitEvaluate
import PostKitHTTP

/// What is known of a token that is kept, without the token.
package struct KeptToken: Sendable, Hashable {
  /// Who has signed in.
  package var subject: String?
  /// When it was got, in milliseconds since 1970-01-01T00:00:00Z.
  package var acquired: Int64
  /// When it ends; `nil` where nobody knows.
  package var expires: Int64?
  package var isRefreshable: Bool
  /// Whether a server has refused it.
  package var isRefused: Bool

  /// Makes one.
  package init(
    subject: String?, acquired: Int64, expires: Int64?, isRefreshable: Bool, isRefused: Bool
  ) {
    (self.subject, self.acquired, self.expires) = (subject, acquired, expires)
    (self.isRefreshable, self.isRefused) = (isRefreshable, isRefused)
  }
}

/// A command that a hover offers, with what is shown for it.
package struct HoverLink: Sendable, Hashable {
  package var title: String
  /// The address that an editor runs.
  package var uri: String

  /// Makes a link.
  package init(title: String, uri: String) {
    self.title = title
    self.uri = uri
  }
}

/// What a hover shows of a sign-in.
package struct TokenCard: Sendable {
  package var configuration: AuthConfiguration
  /// What the store knows of its token; `nil` for none.
  package var kept: KeptToken?
  /// The moment, in milliseconds since 1970.
  package var now: Int64
  /// The time of the day in words, such as `14:02`.
  package var time: @Sendable (Int64) -> String
  package var links: [HoverLink] = []

  /// Makes a card.
  package init(
    _ configuration: AuthConfiguration, kept: KeptToken?, now: Int64,
    time: @escaping @Sendable (Int64) -> String
  ) {
    self.configuration = configuration
    self.kept = kept
    self.now = now
    self.time = time
  }

  /// The card as Markdown; nothing of it is a secret.
  package var markdown: String {
    var lines = ["**\(Markdown.text(configuration.id))**: \(configuration.grant.title)"]
    var facts: [(String, String)] = []
    if !hosts.isEmpty { facts.append(("at", hosts.map(Analysis.code).joined(separator: ", "))) }
    if let client = configuration.clientID { facts.append(("client", Analysis.code(client))) }
    if let scope = configuration.scope { facts.append(("scope", Analysis.code(scope))) }
    if !facts.isEmpty { lines.append(facts.map { "\($0) \($1)" }.joined(separator: ", ")) }
    lines.append("Token: " + Markdown.sentence(state))
    if !links.isEmpty {
      lines.append(links.map { Markdown.link($0.title, to: $0.uri) }.joined(separator: " · "))
    }
    return lines.joined(separator: "\n\n")
  }

  /// The hosts that are asked, each once.
  private var hosts: [String] {
    var hosts: [String] = []
    for url in [
      configuration.issuer, configuration.authorizationURL, configuration.deviceURL,
      configuration.tokenURL,
    ] {
      guard let parts = url.flatMap(URLParts.init) else { continue }
      let host = parts.host + (parts.port.map { ":\($0)" } ?? "")
      if !hosts.contains(host) { hosts.append(host) }
    }
    return hosts
  }

  /// How the token is, and what a send does about it.
  package var state: String {
    guard configuration.grant != .mock else { return "written in the file." }
    guard let kept else { return "none: \(nextSend)." }
    let who = kept.subject.map { ", as `\($0)`" } ?? ""
    let got = "got \(time(kept.acquired))"
    if kept.isRefused { return "refused by the server\(who); \(got). \(next(kept))" }
    guard let expires = kept.expires else { return "valid\(who), nobody knows how long; \(got)." }
    if TokenCard.isValid(kept, expires, at: now) {
      return "valid for \(TokenCard.words(expires - now))\(who); \(got)."
    }
    return kept.isRefreshable
      ? "expired, can be refreshed\(who); \(got)." : "expired\(who); \(got). \(next(kept))"
  }

  private static func isValid(_ kept: KeptToken, _ expires: Int64, at now: Int64) -> Bool {
    var tokens = TokenSet(accessToken: "", acquired: kept.acquired)
    tokens.expires = expires
    return tokens.isValid(at: now)
  }

  private func next(_ kept: KeptToken) -> String {
    let sentence = kept.isRefreshable ? "the next send refreshes it" : nextSend
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
  }

  private var nextSend: String {
    guard configuration.acquires else { return "`Acquire Automatically` is off, so sign in first" }
    switch configuration.grant {
    case .authorizationCode, .implicit, .hybrid: return "the next send signs in with a browser"
    case .deviceCode: return "the next send shows a code to sign in with"
    case .clientCredentials, .password, .jwtBearer, .mock: return "the next send gets one"
    }
  }

  /// A span of time in words, such as `12 min`.
  private static func words(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    switch seconds {
    case ..<90: return "\(seconds) s"
    case ..<5_400: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) days"
    }
  }
}
