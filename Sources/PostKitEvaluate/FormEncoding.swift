// Forms as authors write them: pairs on several lines, with JetBrains' escapes (PK-20).

import PostKitHTTP

/// The encoding of `application/x-www-form-urlencoded` bodies.
package enum FormEncoding: Sendable, Hashable {
  /// `%%`, `%&`, `%=` and `%+` stand for their second character; other bytes that no URL may hold
  /// are encoded, valid `%XX` and `+` stay.
  case automatic
  /// Every name and every value is encoded as a whole.
  case always
  /// Only blanks around `&` and the first `=` of a pair are cut.
  case never

  /// The form on the wire, of lines that were joined already; both keep bytes.
  func encode(_ text: String) -> String {
    FormEncoding.pairs(Array(text.utf8), knowsEscapes: self != .never).map { name, value in
      let name = encodePart(name)
      guard let value else { return name }
      return "\(name)=\(encodePart(value))"
    }.joined(separator: "&")
  }

  private func encodePart(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self).trimmingASCIIBlanks()
    switch self {
    case .never: return text
    case .automatic:
      return PercentEncoding.encodeIllegal(FormEncoding.resolving(text, percent: true))
    case .always:
      return PercentEncoding.encodeComponent(FormEncoding.resolving(text, percent: false))
    }
  }

  /// Names and values; a pair without `=` has no value. An escape neither ends a pair nor a name.
  private static func pairs(
    _ bytes: [UInt8], knowsEscapes: Bool
  ) -> [(ArraySlice<UInt8>, ArraySlice<UInt8>?)] {
    var pairs: [(ArraySlice<UInt8>, ArraySlice<UInt8>?)] = []
    var start = 0
    var equals: Int?
    var at = 0
    while at <= bytes.count {
      if at == bytes.count || bytes[at] == UInt8(ascii: "&") {
        pairs.append((bytes[start..<(equals ?? at)], equals.map { bytes[($0 + 1)..<at] }))
        start = at + 1
        equals = nil
      } else if bytes[at] == UInt8(ascii: "="), equals == nil {
        equals = at
      } else if knowsEscapes, isEscape(bytes, at) {
        at += 1
      }
      at += 1
    }
    return pairs
  }

  private static func isEscape(_ bytes: [UInt8], _ at: Int) -> Bool {
    bytes[at] == UInt8(ascii: "%") && at + 1 < bytes.count && "%&=+".utf8.contains(bytes[at + 1])
  }

  /// The text with its escapes as `%XX`, or as the characters themselves.
  private static func resolving(_ text: String, percent: Bool) -> String {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var at = 0
    while at < bytes.count {
      guard isEscape(bytes, at) else {
        output.append(bytes[at])
        at += 1
        continue
      }
      output += percent
        ? Array("%\(Hex.encode([bytes[at + 1]]).uppercased())".utf8) : [bytes[at + 1]]
      at += 2
    }
    return String(decoding: output, as: UTF8.self)
  }
}
