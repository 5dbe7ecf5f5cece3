// URLs as people write them, with templates in them.

/// A URL in the parts that a request has apart.
struct OriginURL {
  /// What stands before the query.
  let url: String
  let query: [OriginPair]
  /// The fragment with its `#`, which is never sent; `nil` where there is none.
  let fragment: String?

  /// Takes a URL apart; its templates are in our form and stay whole.
  init(_ text: String) {
    var rest = text[...]
    if let hash = rest.firstIndexOutsideOfTemplates(of: "#") {
      fragment = String(rest[hash...])
      rest = rest[..<hash]
    } else {
      fragment = nil
    }
    let mark = rest.firstIndexOutsideOfTemplates(of: "?") ?? rest.endIndex
    url = String(rest[..<mark])
    query = mark < rest.endIndex ? Self.pairs(of: rest[rest.index(after: mark)...]) : []
  }

  /// The pairs of a query that is a text.
  static func pairs(of query: Substring) -> [OriginPair] {
    query.pairsOfQuery.map { name, value in
      OriginPair(
        name: OriginText(String(name)), value: value.map { OriginText(String($0)) })
    }
  }
}

extension OriginPair {
  /// Whether it is nothing between two `&`.
  var isEmpty: Bool { name.text.isEmpty && value == nil }
}

extension Substring {
  /// Where a character stands first that no template holds.
  func firstIndexOutsideOfTemplates(of wanted: Character) -> Index? {
    var at = startIndex
    // What has no end in the rest of the text is looked for once.
    var hasEnd = true
    while at < endIndex {
      if hasEnd, self[at] == "{", self[at...].hasPrefix("{{") {
        if let close = self[at...].range(ofText: "}}") {
          at = close.upperBound
          continue
        }
        hasEnd = false
      }
      if self[at] == wanted { return at }
      at = index(after: at)
    }
    return nil
  }

  /// The pairs of a query: what stands between `&`, and behind the first `=` of each.
  var pairsOfQuery: [(name: Substring, value: Substring?)] {
    var result: [(name: Substring, value: Substring?)] = []
    var rest = self
    while true {
      let end = rest.firstIndexOutsideOfTemplates(of: "&") ?? rest.endIndex
      let pair = rest[..<end]
      if let sign = pair.firstIndexOutsideOfTemplates(of: "=") {
        result.append((pair[..<sign], pair[pair.index(after: sign)...]))
      } else if !pair.isEmpty || end < rest.endIndex || !result.isEmpty {
        result.append((pair, nil))
      }
      guard end < rest.endIndex else { return result }
      rest = rest[rest.index(after: end)...]
    }
  }

  /// A URL without user and password.
  var withoutUserInfo: String {
    let start = range(ofText: "://")?.upperBound ?? startIndex
    let authority = self[start...].prefix { !"/?".contains($0) }
    guard let sign = authority.lastIndex(of: "@") else { return String(self) }
    return self[..<start] + String(self[index(after: sign)...])
  }
}

extension String {
  /// A scheme without the `:` and `//` behind it.
  var withoutSchemeMark: String {
    for mark in ["://", ":"] where hasSuffix(mark) { return String(dropLast(mark.count)) }
    return self
  }

  /// The text with `%XX` decoded; what is no valid escape stays.
  var percentDecoded: String {
    guard utf8.contains(UInt8(ascii: "%")) else { return self }
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension Substring {
  /// The text without the blanks around it.
  var trimmed: Substring {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Where a text occurs first.
  func range(ofText wanted: String) -> Range<Index>? {
    guard let first = wanted.first else { return nil }
    var at = startIndex
    while let found = self[at...].firstIndex(of: first) {
      if self[found...].hasPrefix(wanted) {
        return found..<index(found, offsetBy: wanted.count)
      }
      at = index(after: found)
    }
    return nil
  }
}
