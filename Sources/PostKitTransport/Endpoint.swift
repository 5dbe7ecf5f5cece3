// Whom a request goes to, for options and for the sentences of failures.

import PostKitHTTP

/// The scheme, host and port of an absolute URL.
struct Endpoint: Sendable, Hashable {
  /// In small letters.
  let scheme: String
  /// As written; IPv6 addresses without their brackets.
  let host: String
  let port: Int

  /// Reads an absolute `http` or `https` URL; `nil` for anything else.
  init?(url: String) {
    // Bytes, since every send comes by here: characters would cost ten times as much.
    let bytes = url.utf8
    let isSecure = Endpoint.hasPrefix(bytes, "https://")
    guard isSecure || Endpoint.hasPrefix(bytes, "http://") else { return nil }
    var authority = bytes.dropFirst(isSecure ? 8 : 7).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      authority = authority[authority.index(after: at)...]
    }
    var host = authority
    var port = isSecure ? 443 : 80
    let isBracketed = authority.first == UInt8(ascii: "[")
    let hostEnd = isBracketed ? authority.firstIndex(of: UInt8(ascii: "]")) : authority.startIndex
    if let hostEnd, let colon = authority[hostEnd...].firstIndex(of: UInt8(ascii: ":")) {
      host = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      if !digits.isEmpty {
        guard let number = Int(Substring(digits)), (0...65_535).contains(number) else { return nil }
        port = number
      }
    }
    if isBracketed, host.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    scheme = isSecure ? "https" : "http"
    self.host = String(Substring(host))
    self.port = port
  }

  /// Host and port, such as `localhost:8080` or `[::1]:80`.
  var name: String { Endpoint.name(host: host, port: port) }

  /// A host and a port in one text.
  static func name(host: String, port: Int) -> String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  private static func hasPrefix(_ bytes: String.UTF8View, _ prefix: StaticString) -> Bool {
    guard bytes.count >= prefix.utf8CodeUnitCount else { return false }
    return prefix.withUTF8Buffer { wanted in
      zip(bytes, wanted).allSatisfy { $0.asciiLowercased == $1 }
    }
  }
}
