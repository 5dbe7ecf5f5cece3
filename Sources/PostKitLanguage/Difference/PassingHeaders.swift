// The response headers that tell of the moment and not of what was asked for: they differ each
// time, so that a comparison doesn't count them.

import PostKitHTTP

/// What of header fields stays the same when nothing has changed.
enum PassingHeaders {
  /// Names in small letters: times (RFC 9110, 9111, 8246), ids of one request, what it took, and
  /// what is left of a limit.
  static let names: Set<String> = [
    "age", "cf-ray", "date", "expires", "ratelimit", "ratelimit-remaining", "ratelimit-reset",
    "server-timing", "traceparent", "x-amz-cf-id", "x-amz-id-2", "x-amz-request-id",
    "x-amzn-requestid", "x-amzn-trace-id", "x-b3-spanid", "x-b3-traceid", "x-cloud-trace-context",
    "x-correlation-id", "x-envoy-upstream-service-time", "x-github-request-id",
    "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id", "x-response-time", "x-runtime",
    "x-timer", "x-trace-id",
  ]

  /// The values of a field without what is of the moment; nothing for the names above.
  static func steady(_ name: String, _ values: [String]) -> [String] {
    let name = name.lowercased()
    if names.contains(name) { return [] }
    return name == "set-cookie" ? values.map(withoutExpiry) : values
  }

  /// A cookie without the end of its life (RFC 6265, section 4.1.2).
  private static func withoutExpiry(_ cookie: String) -> String {
    let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
    let kept = parts.enumerated().filter { index, part in
      let attribute = String(part.prefix { $0 != "=" }).trimmingASCIIBlanks().lowercased()
      return index == 0 || attribute != "expires" && attribute != "max-age"
    }
    return kept.map { String($0.element).trimmingASCIIBlanks() }.joined(separator: "; ")
  }
}
