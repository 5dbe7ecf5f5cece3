// The URL of a proxy, as settings, requests and environment variables write it (PK-85).

/// A proxy that requests can go through.
package struct ProxyURL: Sendable, Hashable {
  /// The URL with its scheme.
  package let url: String
  /// The password as it is written, and decoded where that differs.
  package let passwords: [String]
  /// Whether it speaks HTTP, and so has header fields of its own; SOCKS has none.
  package var speaksHTTP: Bool { url.hasPrefix("http") }

  private static let schemes: Set<String> = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// Reads a URL, or a host and a port alone; `nil` where it is no proxy's. `socks://` asks the
  /// proxy for the host's address, as `socks5h://` does.
  package init?(_ text: String) {
    let mark = text.firstRange(of: "://")
    let written = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
    let scheme = written == "socks" ? "socks5h" : written
    let rest = mark.map { text[$0.upperBound...] } ?? text[...]
    url = "\(scheme)://\(rest)"
    let read = URLText(url)
    guard ProxyURL.schemes.contains(scheme), let parts = URLParts(read),
      (1...65_535).contains(parts.port ?? 1), read.port?.isEmpty != true,
      !rest.utf8.contains(where: { $0 <= 32 || $0 == 127 })
    else { return nil }
    let password = String((read[read.userInfo] ?? "").drop { $0 != ":" }.dropFirst())
    let decoded = String(decoding: PercentEncoding.decode(password), as: UTF8.self)
    passwords = Array(Set([password, decoded].filter { !$0.isEmpty })).sorted()
  }

  /// A text without the credentials that may stand in it.
  package static func withoutCredentials(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    return start <= at ? text[..<start] + "***" + text[at...] : text
  }

  /// What is said of a text that is no proxy's URL; it names no credentials.
  package static func mistake(_ text: String) -> String {
    "`\(withoutCredentials(text))` is not a proxy URL. Write `http://HOST:PORT`, or use "
      + "`https`, `socks4`, `socks4a`, `socks5` or `socks5h` for such a proxy."
  }
}
