// Which headers a redirect to another origin was followed without.

/// Headers that were kept from the target of a redirect, because another origin must not see them.
package struct WithheldHeaders: Sendable, Hashable {
  /// Their names as they were sent before.
  package var names: [String]
  /// The scheme, host and port that they were kept from.
  package var origin: String

  /// A sentence about it, in Markdown: ``"`X-Api-Key` was not sent on to https://b.test, …"``.
  package var sentence: String {
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    let verb = names.count == 1 ? "was" : "were"
    return "\(list) \(verb) not sent on to \(origin), which is another origin."
  }
}

extension Exchange {
  /// What was withheld at each redirect, in order; redirects that took nothing away are left out.
  package var withheldHeaders: [WithheldHeaders] {
    let following = hops.dropFirst().map(\.request) + [request]
    return zip(hops, following).compactMap { hop, next in
      guard let before = URLParts(hop.request.url), let after = URLParts(next.url),
        !after.hasSameOrigin(as: before)
      else { return nil }
      var names: [String] = []
      for field in hop.request.headers.fields
      where next.headers.first(field.name) == nil && !Self.isLeftOutAnyway(field.name) {
        names.append(field.name)
      }
      let origin = "\(after.scheme)://\(after.host)\(after.port.map { ":\($0)" } ?? "")"
      return names.isEmpty ? nil : WithheldHeaders(names: names, origin: origin)
    }
  }

  /// Whether a header is one that a new request has no need of: a body's, where there is none any
  /// more, and cookies, which each host has of its own.
  private static func isLeftOutAnyway(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("content-") || ["cookie", "host", "transfer-encoding"].contains(name)
  }
}
