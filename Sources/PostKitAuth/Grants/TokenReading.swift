// What an answer of a token endpoint gives (AU-28, AU-42).

import PostKitHTTP
import PostKitJSON

/// Reads tokens of an answer that is no refusal.
struct TokenReading: Sendable {
  /// How long a token may be.
  static let byteLimit = 64 << 10

  let configuration: AuthConfiguration
  /// The time of the answer, in milliseconds since 1970.
  let now: Int64
  /// What the answer renews.
  var renewed: TokenSet?
  /// Whether an ID token will do, where nothing else was asked for.
  var needsAccessToken = true

  /// The tokens, or the reason why they can't be used.
  func tokens(_ answer: EndpointAnswer) -> Result<TokenSet, Reason> {
    let idToken = answer.text("id_token").flatMap { TokenReading.isSendable($0) ? $0 : nil }
    var access = answer.text("access_token")
    if access == nil, !needsAccessToken { access = idToken }
    guard let access else {
      return .failure(Reason(text: "it has no `access_token` that is a text"))
    }
    guard access.utf8.count <= TokenReading.byteLimit else {
      return .failure(Reason(text: "its `access_token` is longer than 64 KiB"))
    }
    guard TokenReading.isSendable(access) else {
      return .failure(Reason(text: "its `access_token` has characters that no header may have"))
    }
    var result = TokenSet(accessToken: access, acquired: now)
    readScheme(answer, &result)
    readScope(answer, &result)
    result.idToken = idToken ?? renewed?.idToken
    // An ID token that comes with a refresh need not repeat the nonce (OIDC Core, section 12.2).
    result.isIDTokenKept = idToken == nil && renewed?.idToken != nil
    if result.isIDTokenKept { result.nonce = renewed?.nonce }
    readLifetimes(answer, &result)
    if configuration.grant != .clientCredentials {
      readRefreshToken(answer, &result)
    }
    return .success(result)
  }

  /// Why tokens can't be used, as the end of a sentence.
  struct Reason: Error, Sendable, Hashable {
    let text: String
  }

  private static func isSendable(_ token: String) -> Bool {
    token.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private func readScheme(_ answer: EndpointAnswer, _ result: inout TokenSet) {
    guard let type = answer.text("token_type"), !type.equalsIgnoringASCIICase("Bearer") else {
      return
    }
    let isWord = type.utf8.count <= 40 && type.utf8.allSatisfy(TokenReading.schemeSigns.contains)
    if isWord { result.scheme = type }
    result.remarks.append(
      isWord
        ? "The token's type is `\(type)`, which is used as the scheme (`auth-token-type`)."
        : "The token's type is no word; `Bearer` is used (`auth-token-type`).")
  }

  private static let schemeSigns = ASCIISet(alphanumericsAnd: "!#$%&'*+-.^_`|~")

  private func readScope(_ answer: EndpointAnswer, _ result: inout TokenSet) {
    let asked = renewed?.scope ?? configuration.scope
    result.scope = answer.text("scope").map { $0.cleaned(4_096) } ?? asked
    guard let granted = answer.text("scope"), renewed == nil, let asked else { return }
    // Some servers separate scopes by commas.
    let words = Set(granted.split { " ,+".contains($0) })
    let lacking = asked.split(separator: " ").filter { !words.contains($0) }
    if !lacking.isEmpty {
      let names = lacking.map { "`\($0)`" }.listed("and")
      result.remarks.append("The provider did not grant \(names).")
    }
  }

  private func readLifetimes(_ answer: EndpointAnswer, _ result: inout TokenSet) {
    // A text need be no JWT.
    let end = (try? WebToken(result.accessToken))?.moment("exp")
    if let seconds = answer.seconds("expires_in") {
      result.expires = now + seconds * 1_000
    } else if let end, end > now {
      // An end that has passed by now tells of a clock that is wrong, not of the token.
      result.expires = end
    } else if let seconds = configuration.lifetime, seconds >= 0 {
      result.expires = now + Int64(min(seconds, 315_360_000)) * 1_000
    }
  }

  private func readRefreshToken(_ answer: EndpointAnswer, _ result: inout TokenSet) {
    guard let token = answer.text("refresh_token") else {
      result.refreshToken = renewed?.refreshToken
      result.refreshExpires = renewed?.refreshExpires
      return
    }
    result.refreshToken = token
    let seconds = answer.seconds("refresh_expires_in") ?? answer.seconds("refresh_token_expires_in")
    // Zero is how servers say that it does not end.
    if let seconds, seconds > 0 { result.refreshExpires = now + seconds * 1_000 }
  }
}
