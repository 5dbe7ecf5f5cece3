// A URL as a text, and where its parts stand in it (RFC 3986, section 3).

/// A URL, or the rest of one, in parts that are ranges of its text. It changes and checks nothing:
/// the parts and the signs between them are the text.
package struct URLText: Sendable, Hashable {
  /// Where a part stands.
  package typealias Part = Range<String.Index>

  /// Who wrote a text, which decides what its signs mean.
  package enum Reading: Sendable, Hashable {
    /// A URL that is sent, or a reference as RFC 3986 has it: braces are signs as others are.
    case sent
    /// A target as people write it: what stands in `{{…}}` parts nothing, and a text without a
    /// scheme begins with the host, unless it begins with the path (PK-11).
    case written
  }

  package let text: String
  /// The scheme without `://`; `nil` where the text begins with none. A name that braces enclose
  /// may be all of it or a part.
  package let scheme: Part?
  /// User and password without `@`.
  package let userInfo: Part?
  /// The host with the brackets of an IPv6 address, perhaps empty; `nil` where no authority stands.
  package let host: Part?
  /// What stands behind the host's colon, perhaps nothing.
  package let port: Part?
  /// The path, perhaps empty. Behind an authority it begins with `/`.
  package let path: Part
  /// What stands behind `?`.
  package let query: Part?
  /// What stands behind `#`, which is never sent.
  package let fragment: Part?

  /// Takes a text apart.
  package init(_ text: String, as reading: Reading = .sent) {
    self.text = text
    // Bytes, because completion takes the URLs of whole files apart.
    let bytes = text.utf8[...]
    let skips = reading == .written
    var pathStart = bytes.startIndex
    scheme = URLText.scheme(of: bytes, skips)
    var authority: Substring.UTF8View?
    let begin = scheme.map { bytes[bytes.index(after: $0.upperBound)...] } ?? bytes
    if scheme != nil || begin.starts(with: "//".utf8) {
      authority = begin.dropFirst(2)
    } else if skips, let first = bytes.first, !URLText.authorityEnds.contains(first) {
      authority = bytes
    }
    if let rest = authority {
      pathStart = rest.first(URLText.authorityEnds, skipsTemplates: skips) ?? bytes.endIndex
      let whole = rest[..<pathStart]
      let at = whole.last(URLText.userEnd, skipsTemplates: skips)
      userInfo = at.map { whole.startIndex..<$0 }
      let name = at.map { whole[whole.index(after: $0)...] } ?? whole
      // Colons of an IPv6 address are no port's.
      let bracket = name.last(URLText.bracket, skipsTemplates: skips) ?? name.startIndex
      let colon = name[bracket...].last(URLText.colon, skipsTemplates: skips)
      host = name.startIndex..<(colon ?? pathStart)
      port = colon.map { bytes.index(after: $0)..<pathStart }
    } else {
      (userInfo, host, port) = (nil, nil, nil)
    }
    let rest = bytes[pathStart...]
    let mark = rest.first(URLText.pathEnds, skipsTemplates: skips) ?? bytes.endIndex
    path = pathStart..<mark
    var hash: String.Index? = mark
    if bytes[mark...].first == UInt8(ascii: "?") {
      let start = bytes.index(after: mark)
      hash = bytes[start...].first(URLText.hash, skipsTemplates: skips)
      query = start..<(hash ?? bytes.endIndex)
    } else {
      query = nil
    }
    fragment = hash.flatMap {
      $0 < bytes.endIndex ? bytes.index(after: $0)..<bytes.endIndex : nil
    }
  }

  private static let authorityEnds = ASCIISet("/?#")
  private static let schemeEnds = ASCIISet(":/?#")
  private static let pathEnds = ASCIISet("?#")
  private static let userEnd = ASCIISet("@")
  private static let bracket = ASCIISet("]")
  private static let colon = ASCIISet(":")
  private static let hash = ASCIISet("#")
  private static let schemeSigns = ASCIISet(alphanumericsAnd: "+-.{}_$")

  private static func scheme(of bytes: Substring.UTF8View, _ skips: Bool) -> Part? {
    guard let end = bytes.first(schemeEnds, skipsTemplates: skips),
      bytes[end...].starts(with: "://".utf8), let first = bytes.first,
      (97...122).contains(first | 0x20) || first == UInt8(ascii: "{"),
      bytes[..<end].first(skipsTemplates: skips, where: { !schemeSigns.contains($0) }) == nil
    else { return nil }
    return bytes.startIndex..<end
  }

  // MARK: - Parts together

  /// A part; `nil` where it is not there.
  package subscript(part: Part?) -> Substring? { part.map { text[$0] } }

  /// The host with its port, without user and password.
  package var hostAndPort: Part? { host.map { $0.lowerBound..<(port ?? $0).upperBound } }

  /// Whether the path may be in a template: one ends the authority, and no path stands behind it,
  /// as in `{{url}}` and `{{base}}{{path}}`.
  package var hasHiddenPath: Bool {
    guard path.isEmpty, let hostAndPort = self[hostAndPort] else { return false }
    return hostAndPort.hasSuffix("}}") && hostAndPort.contains("{{")
  }

  /// Scheme, host and port, such as `https://example.com:8080`; `nil` where one has to be guessed.
  package var origin: String? {
    guard let scheme = self[scheme], let hostAndPort = self[hostAndPort] else { return nil }
    return scheme.lowercased() + "://" + hostAndPort
  }

  /// The path and, with its mark, the query.
  package var target: Part { path.lowerBound..<(query ?? path).upperBound }

  /// The text before the query.
  package var beforeQuery: Substring { text[..<path.upperBound] }

  /// The text without the fragment.
  package var withoutFragment: Substring { text[..<target.upperBound] }

  /// The text without user and password.
  package var withoutUserInfo: String {
    guard let userInfo, let host else { return text }
    return String(text[..<userInfo.lowerBound] + text[host.lowerBound...])
  }

  /// The pairs of a query: what stands between `&`, and behind the first `=` of each. One that is
  /// empty is a pair, too; a value is `nil` where no `=` stands.
  package static func pairs(
    of query: Substring, as reading: Reading = .sent
  ) -> [(name: Substring, value: Substring?)] {
    let bytes = query.utf8
    let skips = reading == .written
    let ends = bytes.all(and, skipsTemplates: skips) + [bytes.endIndex]
    var start = bytes.startIndex
    return ends.map { end in
      let pair = bytes[start..<end]
      if end < bytes.endIndex { start = bytes.index(after: end) }
      guard let sign = pair.first(equals, skipsTemplates: skips) else {
        return (query[pair.startIndex..<end], nil)
      }
      return (query[pair.startIndex..<sign], query[bytes.index(after: sign)..<end])
    }
  }

  private static let and = ASCIISet("&")
  private static let equals = ASCIISet("=")
}

extension Substring.UTF8View {
  /// Where the first byte of a set stands; if they are skipped, outside of templates.
  package func first(_ signs: ASCIISet, skipsTemplates: Bool) -> Index? {
    first(skipsTemplates: skipsTemplates) { signs.contains($0) }
  }

  /// Where the bytes of a set stand; if they are skipped, outside of templates.
  package func all(_ signs: ASCIISet, skipsTemplates: Bool) -> [Index] {
    var result: [Index] = []
    scan(skipsTemplates: skipsTemplates) { at, byte in
      if signs.contains(byte) { result.append(at) }
      return false
    }
    return result
  }

  fileprivate func last(_ signs: ASCIISet, skipsTemplates: Bool) -> Index? {
    var result: Index?
    scan(skipsTemplates: skipsTemplates) { at, byte in
      if signs.contains(byte) { result = at }
      return false
    }
    return result
  }

  fileprivate func first(skipsTemplates: Bool, where isWanted: (UInt8) -> Bool) -> Index? {
    var result: Index?
    scan(skipsTemplates: skipsTemplates) { at, byte in
      guard isWanted(byte) else { return false }
      result = at
      return true
    }
    return result
  }

  /// Visits bytes until one is enough; if they are skipped, those of templates are not visited.
  private func scan(skipsTemplates: Bool, isEnough: (Index, UInt8) -> Bool) {
    var at = startIndex
    // What has no end in the rest of the text is looked for once.
    var mayEnd = skipsTemplates
    while at < endIndex {
      if mayEnd, self[at] == UInt8(ascii: "{"), self[at...].starts(with: "{{".utf8) {
        if let end = self[at...].endOfTemplate {
          at = end
          continue
        }
        mayEnd = false
      }
      if isEnough(at, self[at]) { return }
      formIndex(after: &at)
    }
  }

  /// Where the template that the text begins with is over; `nil` where nothing closes it.
  private var endOfTemplate: Index? {
    var wasBrace = false
    for at in indices {
      let isBrace = self[at] == UInt8(ascii: "}")
      if isBrace, wasBrace { return index(after: at) }
      wasBrace = isBrace
    }
    return nil
  }
}
