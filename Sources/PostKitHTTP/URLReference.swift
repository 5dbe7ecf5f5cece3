// URLs as far as redirects and history need them (RFC 3986).

/// The parts of an absolute URL with an authority.
package struct URLParts: Sendable, Hashable {
  /// The scheme in small letters.
  package var scheme: String
  /// The host in small letters, brackets of an IPv6 address included.
  package var host: String
  /// The port as written; `nil` where there is none.
  package var port: Int?
  /// The path; empty or beginning with `/`.
  package var path: String
  /// The query without `?`; `nil` where there is none.
  package var query: String?

  /// Reads an absolute URL; `nil` where it has no scheme or no host.
  package init?(_ url: String) {
    // Bytes, because completion takes the URLs of whole files apart.
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    scheme = url[..<colon].lowercased()
    var rest = bytes[bytes.index(colon, offsetBy: 3)...]
    if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    var authority = rest[..<(end ?? rest.endIndex)]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      authority = authority[authority.index(after: at)...]
    }
    let bracket = authority.lastIndex(of: UInt8(ascii: "]"))
    let afterHost = bracket.map { authority.index(after: $0) } ?? authority.startIndex
    if let portColon = authority[afterHost...].lastIndex(of: UInt8(ascii: ":")) {
      port = Int(Substring(authority[authority.index(after: portColon)...]))
      authority = authority[..<portColon]
    }
    host = Substring(authority).lowercased()
    guard !host.isEmpty else { return nil }
    let target = rest[(end ?? rest.endIndex)...]
    if let mark = target.firstIndex(of: UInt8(ascii: "?")) {
      path = String(Substring(target[..<mark]))
      query = String(Substring(target[target.index(after: mark)...]))
    } else {
      path = String(Substring(target))
    }
  }

  /// The port in force.
  package var effectivePort: Int { port ?? (scheme == "https" ? 443 : 80) }

  /// Whether two URLs have scheme, host and port in common (RFC 6454, section 5).
  package func hasSameOrigin(as other: URLParts) -> Bool {
    scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
  }

  /// The URL of the parts.
  package var url: String {
    scheme + "://" + host + (port.map { ":\($0)" } ?? "") + path + (query.map { "?" + $0 } ?? "")
  }

  /// The URL that a reference means when it is read at this one (RFC 3986, section 5.2).
  package func resolving(_ reference: String) -> String? {
    let text = reference.trimmingASCIIBlanks()
    if let absolute = URLParts(text) { return absolute.url }
    if text.hasPrefix("//") { return URLParts(scheme + ":" + text)?.url }
    let mark = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if mark.contains(":") { return nil }
    var result = self
    let withoutFragment = text.prefix { $0 != "#" }
    if withoutFragment.isEmpty { return url }
    let halves = withoutFragment.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    result.query = halves.count > 1 ? String(halves[1]) : nil
    let referencePath = String(halves[0])
    if referencePath.hasPrefix("/") {
      result.path = URLParts.withoutDotSegments(referencePath)
    } else if !referencePath.isEmpty {
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
      result.path = URLParts.withoutDotSegments(folder + referencePath)
    }
    return result.url
  }

  /// A path without `.` and `..` segments (RFC 3986, section 5.2.4).
  package static func withoutDotSegments(_ path: String) -> String {
    // Asked of each URL, and hardly any has one.
    let bytes = path.utf8
    guard zip(bytes, bytes.dropFirst()).contains(where: { $0 == 47 && $1 == 46 }) else {
      return path
    }
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment == ".." {
        if output.count > 1 { output.removeLast() }
        if isLast { output.append("") }
      } else if segment == "." {
        if isLast { output.append("") }
      } else {
        output.append(segment)
      }
    }
    return output.joined(separator: "/")
  }
}
