// Credentials in the URLs of sources.

import PostKitEvaluate
import PostKitHTTP

/// What of a URL is sent, and neither told nor kept.
package enum OriginCredentials {
  /// What stands for a value that is neither told nor kept.
  static let mask = URLCredentials.mask

  /// A source as it may be told and kept.
  package static func without(_ called: String) -> String { URLCredentials.without(called) }

  /// Whether the value of a pair or a member is a credential, by its name.
  static func isSecret(_ name: String) -> Bool { URLCredentials.isSecret(name) }

  /// Whether the value of a header field is a credential: those that are masked everywhere, and
  /// those whose names say so (contracts 5).
  static func isSecretField(_ name: String) -> Bool {
    if SecretMask.isAlwaysMasked(name) { return true }
    let name = name.lowercased()
    return ["token", "secret", "password", "api-key", "apikey"].contains { name.contains($0) }
  }

  /// A URL with the user information that is known of its origin, unless it has its own.
  static func adding(_ users: [String: String], to url: String) -> String {
    let read = URLText(url)
    guard read.userInfo == nil, let host = read.host, let origin = URLParts(read)?.origin,
      let user = users[origin]
    else { return url }
    return url[..<host.lowerBound] + user + "@" + url[host.lowerBound...]
  }
}
