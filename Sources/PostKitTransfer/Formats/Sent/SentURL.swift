// The parts of a URL as it was sent.

import PostKitHTTP

/// A URL taken apart without changing a byte of it: what a request file gets is what was sent.
struct SentURL: Sendable, Hashable {
  /// Scheme and authority without user information, such as `https://h:8080`.
  var origin: String
  /// The host with its port, by which people know the origin.
  var host: String
  /// Empty or beginning with `/`.
  var path: String
  /// The pairs of the query, encoded as they were sent.
  var query: [OriginPair]
  /// The credentials of the user information, percent-encodings resolved; `nil` without one.
  var auth: OriginAuth?

  /// Takes a URL apart; `nil` where it has no scheme or no host.
  init?(_ text: String) {
    let url = URLText(text)
    guard url[url.scheme]?.contains("{") == false, let origin = url.origin,
      let host = url[url.hostAndPort], !host.isEmpty
    else { return nil }
    self.origin = origin
    self.host = String(host)
    path = Self.safe(String(text[url.path]))
    query = url[url.query].map(Self.pairs) ?? []
    guard let user = url[url.userInfo] else { return }
    let halves = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    auth = .basic(
      user: Self.decoded(halves[0]), password: halves.count > 1 ? Self.decoded(halves[1]) : "")
  }

  /// The pairs of a query, encoded as they stand.
  static func pairs(of query: Substring) -> [OriginPair] {
    URLText.pairs(of: query).filter { !$0.name.isEmpty || $0.value != nil }.map { name, value in
      OriginPair(
        name: OriginText(literal: safe(String(name))),
        value: value.map { OriginText(literal: safe(String($0))) })
    }
  }

  /// A pair of which the source has the meaning and not the encoding.
  static func pair(name: String, value: String?) -> OriginPair {
    OriginPair(
      name: OriginText(literal: PercentEncoding.encode(name, allowing: .unreserved)),
      value: value.map {
        OriginText(literal: PercentEncoding.encode($0, allowing: .unreserved))
      })
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    String(decoding: PercentEncoding.decode(String(text)), as: UTF8.self)
  }

  /// A text without what would end the line or begin a template; it means the same in a URL.
  private static func safe(_ text: String) -> String {
    guard text.contains("{{") || text.contains(where: { $0.isWhitespace }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "{" || scalar == "}" || scalar.properties.isWhitespace {
        result += PercentEncoding.encode(String(scalar), allowing: .unreserved)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
