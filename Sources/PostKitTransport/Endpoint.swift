// Whom a request goes to, for options and for the sentences of failures.

/// The scheme, host and port of an absolute URL.
struct Endpoint: Sendable, Hashable {
  /// In small letters.
  let scheme: String
  /// As written; IPv6 addresses without their brackets.
  let host: String
  let port: Int

  /// Reads an absolute `http` or `https` URL; `nil` for anything else.
  init?(url: String) {
    guard let separator = url.utf8Range(of: "://") else { return nil }
    let scheme = url[..<separator.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    var authority = url[separator.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let at = authority.lastIndex(of: "@") {
      authority = authority[authority.index(after: at)...]
    }
    var host = authority
    var port = scheme == "https" ? 443 : 80
    let hostEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : authority.startIndex
    if let hostEnd, let colon = authority[hostEnd...].firstIndex(of: ":") {
      host = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      if !digits.isEmpty {
        guard let number = Int(digits), (0...65_535).contains(number) else { return nil }
        port = number
      }
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    self.scheme = scheme
    self.host = String(host)
    self.port = port
  }

  /// Host and port, such as `localhost:8080` or `[::1]:80`.
  var name: String { Endpoint.name(host: host, port: port) }

  /// A host and a port in one text.
  static func name(host: String, port: Int) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

extension String {
  /// Where a text occurs first, compared byte by byte.
  fileprivate func utf8Range(of text: String) -> Range<String.Index>? {
    let wanted = text.utf8
    var start = utf8.startIndex
    while start != utf8.endIndex {
      if utf8[start...].starts(with: wanted) {
        return start..<utf8.index(start, offsetBy: wanted.count)
      }
      start = utf8.index(after: start)
    }
    return nil
  }
}
