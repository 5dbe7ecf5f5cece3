// Credentials in the URLs of sources.

import PostKitEvaluate
import PostKitHTTP

/// What of a URL is sent, and neither told nor kept.
package enum OriginCredentials {
  /// What stands for a value that is neither told nor kept.
  static let mask = "***"

  /// A source as it may be told and kept: of a URL, without user information and without the values
  /// of the query whose names are those of secrets.
  package static func without(_ called: String) -> String {
    let read = URLText(called)
    guard ["https", "http"].contains(read[read.scheme]?.lowercased()) else { return called }
    var url = called
    if let user = SecretMask.userInfo(of: url) {
      url.removeSubrange(user.lowerBound..<url.index(after: user.upperBound))
    }
    guard let query = URLText(url).query else { return url }
    let pairs = url[query].split(separator: "&", omittingEmptySubsequences: false)
      .map { pair -> Substring in
        guard let equals = pair.firstIndex(of: "=") else { return pair }
        let name = PercentEncoding.decodeForm(String(pair[..<equals]))
        return isSecret(name) ? pair[...equals] + mask : pair
      }
    url.replaceSubrange(query, with: pairs.joined(separator: "&"))
    return url
  }

  /// Whether the value of a pair or a member is a credential, by its name.
  static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return VariableDefinition.nameIsSecret(name) || name == "sig" || name.hasSuffix("signature")
  }

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
