// URLs as people write them, with templates in them.

import PostKitHTTP

/// A URL in the parts that a request has apart.
struct OriginURL {
  /// What stands before the query.
  let url: String
  let query: [OriginPair]
  /// The fragment with its `#`, which is never sent; `nil` where there is none.
  let fragment: String?

  /// Takes a URL apart; its templates are in our form and stay whole.
  init(_ text: String) {
    let parts = URLText(text, as: .written)
    url = String(parts.beforeQuery)
    query = parts[parts.query].map(Self.pairs) ?? []
    fragment = parts[parts.fragment].map { "#" + $0 }
  }

  /// The pairs of a query that is a text.
  static func pairs(of query: Substring) -> [OriginPair] {
    if query.isEmpty { return [] }
    return URLText.pairs(of: query, as: .written).map { name, value in
      OriginPair(name: OriginText(String(name)), value: value.map { OriginText(String($0)) })
    }
  }
}

extension OriginPair {
  /// Whether it is nothing between two `&`.
  var isEmpty: Bool { name.text.isEmpty && value == nil }
}

extension String {
  /// A scheme without the `:` and `//` behind it.
  var withoutSchemeMark: String {
    for mark in ["://", ":"] where hasSuffix(mark) { return String(dropLast(mark.count)) }
    return self
  }

  /// The text with `%XX` decoded; what is no valid escape stays.
  var percentDecoded: String {
    guard has("%") else { return self }
    return String(decoding: PercentEncoding.decode(self), as: UTF8.self)
  }
}

extension Substring {
  /// The text without the blanks around it.
  var trimmed: Substring {
    if let first = utf8.first, let last = utf8.last, (33...126).contains(first),
      (33...126).contains(last)
    {
      return self
    }
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
