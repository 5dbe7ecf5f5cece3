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

  /// Reads an absolute URL; `nil` where it has no scheme, no host or a port that is no number up to
  /// 65535.
  package init?(_ url: String) {
    self.init(URLText(url))
  }

  /// The parts of a URL that was taken apart.
  package init?(_ url: URLText) {
    guard let scheme = url[url.scheme], let host = url[url.host], !host.isEmpty else { return nil }
    let port = url[url.port] ?? ""
    let isNumber = port.utf8.count <= 5 && port.utf8.allSatisfy { (48...57).contains($0) }
    // What stands in braces is not known yet.
    let isOpen = port.isEmpty || port.utf8.contains(UInt8(ascii: "{"))
    guard isOpen || isNumber && UInt16(port) != nil else { return nil }
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = Int(port)
    path = String(url.text[url.path])
    query = url[url.query].map(String.init)
  }

  /// The port in force.
  package var effectivePort: Int { port ?? (scheme == "https" ? 443 : 80) }

  /// Whether two URLs have scheme, host and port in common (RFC 6454, section 5).
  package func hasSameOrigin(as other: URLParts) -> Bool {
    scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
  }

  /// Scheme, host and port, such as `https://example.com`.
  package var origin: String { scheme + "://" + host + (port.map { ":\($0)" } ?? "") }

  /// The URL of the parts.
  package var url: String { origin + path + (query.map { "?" + $0 } ?? "") }

  /// The URL that a reference means when it is read at this one (RFC 3986, section 5.2).
  package func resolving(_ reference: String) -> String? {
    let text = reference.trimmingASCIIBlanks()
    let read = URLText(text)
    if let absolute = URLParts(read) { return absolute.url }
    if read.scheme == nil, read.host != nil { return URLParts(scheme + ":" + text)?.url }
    let mark = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if mark.contains(":") { return nil }
    var result = self
    if read.withoutFragment.isEmpty { return url }
    result.query = read[read.query].map(String.init)
    let referencePath = String(text[read.path])
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
