// Whether and how a redirect is followed: a decision, no action (PK-84).

package import PostKitHTTP

/// What to do with a response.
package enum RedirectDecision: Sendable, Hashable {
  /// The response is the answer.
  case stay
  /// Send this next.
  case follow(RequestSpec)
  /// The `Location` can't be followed; the response is the answer, with a word to the user.
  case unusable(location: String)
}

/// Decides on redirects.
package enum Redirects {
  /// Decides what follows a response. Header values that hold one of the secrets are dropped when
  /// the origin changes.
  package static func decide(
    after spec: RequestSpec, status: Int, headers: HeaderFields, secrets: Set<String>
  ) -> RedirectDecision {
    guard spec.options.followsRedirects, [301, 302, 303, 307, 308].contains(status),
      let location = headers.first("Location")
    else { return .stay }
    let reference = PercentEncoding.encodeIllegal(InternationalHost.ascii(inURL: location))
    guard let base = URLParts(spec.url), let resolved = base.resolving(reference),
      let target = URLParts(resolved), target.scheme == "http" || target.scheme == "https"
    else { return .unusable(location: location) }
    var next = spec
    next.url = target.url
    next.requestTarget = nil
    let isRewritten = status <= 302 && spec.method == "POST" && !spec.options.keepsMethod
    let becomesGET = status == 303 && spec.method != "HEAD" || isRewritten
    if becomesGET && spec.method != "GET" {
      next.method = "GET"
      next.body = []
      for name in ["Content-Type", "Content-Encoding", "Content-Language", "Transfer-Encoding"] {
        next.headers.removeAll(name)
      }
    }
    next.headers.removeAll("Host")
    if !target.hasSameOrigin(as: base) {
      dropSecrets(&next.headers, secrets)
      next.options.authentication = nil
    }
    if target.host != base.host {
      next.options.clientCertificate = nil
    }
    return .follow(next)
  }

  private static func dropSecrets(_ headers: inout HeaderFields, _ secrets: Set<String>) {
    for name in ["Authorization", "Cookie", "Proxy-Authorization"] { headers.removeAll(name) }
    let mask = SecretMask(secrets: secrets.sorted())
    headers.fields.removeAll { field in
      secrets.contains { !$0.isEmpty && field.value.contains($0) }
        || mask.mask(field.value).text != field.value
    }
  }
}
