// From the target as written to a URL that can be sent to (PK-9 to PK-12, PK-69, PK-110).

import PostKitHTTP
import PostKitSyntax

/// A target turned into a URL.
struct Target: Sendable, Hashable {
  var url: String
  /// `*` for OPTIONS.
  var requestTarget: String?
  /// `user:password` of the URL, percent escapes resolved.
  var userInformation: String?
  /// The Host header to send where the author's had a scheme in it (PK-110).
  var host: String?

  /// Why a target is no URL.
  enum Problem: Error, Equatable {
    case missingHost
    case bad(String)
    case unsupported(String)
  }

  /// Bytes of a URL; servers draw the line between 8 KiB and 64 KiB, libcurl at 8 MB.
  static let longestBytes = 1 << 20

  /// Why a target of so many bytes is no URL.
  static func tooLong(_ count: Int) -> Problem {
    .bad("it has \(count) bytes, more than any server accepts")
  }

  /// Reads an expanded target. `host` is the value of the Host header or of the variable `host`.
  /// Where it has stand-ins for references, the port may be one.
  static func read(
    _ text: String, host: String?, encodes: Bool, schemes: AssumedSchemes = .byPort,
    keepsDotSegments: Bool = false, hasStandIns: Bool = false
  ) throws(Problem) -> Target {
    if Target.isURL(text) { return Target(url: text) }
    guard text.utf8.count <= Target.longestBytes else {
      throw tooLong(text.keptBytes.count)
    }
    var written = text.trimmingBlanks
    guard !written.isEmpty else { throw .bad("it is empty") }
    var hostToSend: String?
    if written == "*" || written.hasPrefix("/") && !written.hasPrefix("//") {
      guard let host else { throw .missingHost }
      let base = Target.base(ofHost: host, schemes)
      if written == "*" { return Target(url: base.url + "/", requestTarget: "*", host: base.host) }
      hostToSend = base.host
      written = base.url + written
    } else if Target.scheme(of: written) == nil {
      let authority = written.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      written = schemes.scheme(ofAuthority: String(authority)) + written
    }
    guard let scheme = Target.scheme(of: written) else { throw .bad("it has no scheme") }
    guard scheme == "http" || scheme == "https" else {
      if OtherProtocol.ofScheme(scheme) != nil {
        throw .unsupported("This version does not speak the protocol `\(scheme)`.")
      }
      // As it is written: a secret is known so.
      let word = written.prefix(scheme.count)
      throw .bad("`\(word)` is not a scheme that PostKit speaks; use http or https")
    }
    var target = try Target.read(
      absolute: written, scheme: scheme, encodes: encodes, keepsDotSegments: keepsDotSegments,
      hasStandIns: hasStandIns)
    target.host = hostToSend
    return target
  }

  /// Whether a text is a URL to which nothing need be done, as most are: to take it apart costs
  /// more than all else that evaluation does to such a request. `false` says nothing.
  static func isURL(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { isURL($0) } ?? false
  }

  private static func isURL(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= 2_048 else { return false }
    var rest: Slice<UnsafeBufferPointer<UInt8>>
    if bytes.starts(with: "https://".utf8) {
      rest = bytes.dropFirst(8)
    } else if bytes.starts(with: "http://".utf8) {
      rest = bytes.dropFirst(7)
    } else {
      return false
    }
    let host = rest.prefix(while: hostLetters.contains)
    rest = rest[host.endIndex...]
    if rest.first == UInt8(ascii: ":") {
      let port = rest.dropFirst().prefix { (48...57).contains($0) }
      guard (1...5).contains(port.count), port.reduce(0, { $0 * 10 + Int($1 - 48) }) <= 65_535
      else { return false }
      rest = rest[port.endIndex...]
    }
    guard !host.isEmpty, rest.first.map({ $0 == UInt8(ascii: "/") }) ?? true else { return false }
    var last: UInt8 = 0
    for byte in rest {
      // After a slash a dot may be the segment that leads upwards.
      guard pathLetters.contains(byte), last != UInt8(ascii: "/") || byte != UInt8(ascii: ".")
      else { return false }
      last = byte
    }
    return true
  }

  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let hostLetters = ASCIISet(letters + "-._")
  /// What may stand behind the host and means itself in every form of a target.
  private static let pathLetters = ASCIISet(letters + "-._~/?&=+,;:@!$'()*")

  private static func read(
    absolute: String, scheme: String, encodes: Bool, keepsDotSegments: Bool, hasStandIns: Bool
  ) throws(Problem) -> Target {
    let parts = URLText(absolute)
    let userInformation = parts[parts.userInfo].map {
      String(keeping: PercentEncoding.decode(String($0)))
    }
    let authority = String(parts[parts.hostAndPort] ?? "")
    var rest = String(absolute[parts.target])
    guard !authority.isEmpty, !authority.hasPrefix(":") else { throw .bad("the host is missing") }
    guard !authority.utf8.contains(where: { " \t\\<".utf8.contains($0) }) else {
      throw .bad("the host `\(authority)` contains an invalid character")
    }
    guard !authority.hasPrefix("[") || authority.contains("]") else {
      throw .bad("the address behind `[` is not closed with `]`")
    }
    guard !authority.keepsBytes else { throw .bad("the host has bytes that are not UTF-8") }
    guard hasStandIns || Target.portIsValid(authority) else {
      throw .bad("the port is not a number up to 65535")
    }
    guard !rest.utf8.contains(where: { $0 == 0 }) else { throw .bad("it contains a NUL byte") }
    let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    if !keepsDotSegments || mark == rest.startIndex {
      rest = URLParts.withoutDotSegments(String(rest[..<mark])) + rest[mark...]
    }
    let path = encodes ? PercentEncoding.encodeIllegal(rest) : rest.withLeastEncoded
    let host = InternationalHost.ascii(authority)
    return Target(url: "\(scheme)://\(host)" + path, userInformation: userInformation)
  }

  /// The scheme of a text that begins with one and `://`.
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      text.utf8[colon...].starts(with: "://".utf8)
    else { return nil }
    let word = text[..<colon]
    guard let first = word.utf8.first, (65...90).contains(first & 0xDF),
      word.utf8.allSatisfy({
        (65...90).contains($0 & 0xDF) || (48...57).contains($0) || $0 == 43 || $0 == 45 || $0 == 46
      })
    else { return nil }
    return word.lowercased()
  }

  fileprivate static func port(of authority: String) -> String? {
    let bytes = authority.utf8
    let host = bytes.lastIndex(of: UInt8(ascii: "]")).map { bytes[$0...] } ?? bytes[...]
    let colon = host.lastIndex(of: UInt8(ascii: ":"))
    return colon.map { String(authority[bytes.index(after: $0)...]) }
  }

  private static func portIsValid(_ authority: String) -> Bool {
    guard let port = port(of: authority), !port.isEmpty else { return true }
    return port.utf8.allSatisfy { (48...57).contains($0) } && Int(port).map { $0 <= 65_535 } == true
  }

  /// The base URL that a Host value means, and the value to send.
  private static func base(
    ofHost value: String, _ schemes: AssumedSchemes
  ) -> (url: String, host: String?) {
    var host = value.trimmingBlanks
    while host.hasSuffix("/") { host.removeLast() }
    guard let scheme = scheme(of: host) else {
      return (schemes.scheme(ofHost: host) + host, nil)
    }
    let authority = host.dropFirst(scheme.count + 3).prefix { $0 != "/" }
    return (host, InternationalHost.ascii(String(authority)))
  }
}

/// The schemes that stand in for those that are not written (PK-11).
package enum AssumedSchemes: Sendable, Hashable {
  /// `https` for the ports 443 and 8443, else `http`.
  case byPort
  /// The same, but `https` also where a path's `Host` header has no port.
  case httpsForPaths
  /// As rest.nvim has it: `https` where a path's `Host` header has no port or 443. A URL without a
  /// scheme goes to curl as it is, which takes `http` whatever the port is.
  case restNvim

  /// The scheme before a target that begins with a host.
  package func scheme(ofAuthority authority: String) -> String {
    if self == .restNvim { return "http://" }
    return ["443", "8443"].contains(Target.port(of: authority)) ? "https://" : "http://"
  }

  /// The scheme before the `Host` header of a path.
  fileprivate func scheme(ofHost host: String) -> String {
    let port = Target.port(of: host)
    switch self {
    case .byPort: return scheme(ofAuthority: host)
    case .httpsForPaths: return port == nil ? "https://" : scheme(ofAuthority: host)
    case .restNvim: return port == nil || port == "443" ? "https://" : "http://"
    }
  }
}

extension Evaluator {
  /// Notes the secrets in a host in the form that it has in a URL and in what is told of it: in
  /// small ASCII letters.
  mutating func noteHost(of url: String, written text: String) {
    guard !secrets.isEmpty, let host = URLParts(url)?.host else { return }
    for secret in secrets where text.contains(secret) {
      let folded = InternationalHost.ascii(secret).lowercased()
      if folded != secret, host.contains(folded) { note(secret: folded) }
      guard secret.utf8.contains(where: { $0 >= 0x80 }) else { continue }
      // Together with what is beside it in its label it is spelt otherwise.
      for label in host.split(separator: ".") where label.hasPrefix("xn--") {
        note(secret: String(label))
      }
    }
  }
}

extension Dialect {
  /// What stands in for a scheme that is not written.
  package var assumedSchemes: AssumedSchemes {
    if preset == .restnvim { return originFormIsHTTPS ? .restNvim : .byPort }
    return originFormIsHTTPS ? .httpsForPaths : .byPort
  }
}

extension String {
  /// The text with blanks as `%20` and without kept bytes, the least that a URL needs.
  fileprivate var withLeastEncoded: String {
    let text = contains(" ")
      ? split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20") : self
    return text.percentEncodingKept
  }
}
