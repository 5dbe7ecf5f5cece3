// Credentials that stand in URLs and in what else has names: what may be told of these.

import PostKitHTTP

/// Takes credentials out of URLs that are told and kept.
package enum URLCredentials {
  /// What stands for a value that is neither told nor kept.
  package static let mask = "***"

  /// A path or URL as it may be told and kept: a URL without user information and without the
  /// values of the query whose names are those of secrets.
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
  package static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return VariableDefinition.nameIsSecret(name) || name == "sig" || name.hasSuffix("signature")
  }
}
