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
    let bytes = self == .never ? Array(text.utf8) : text.keptBytes
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var start = 0
    var equals: Int?
    var at = 0
    while at <= bytes.count {
      if at == bytes.count || bytes[at] == UInt8(ascii: "&") {
        if start > 0 { output.append(UInt8(ascii: "&")) }
        append(bytes, start..<(equals ?? at), to: &output)
        if let equals {
          output.append(UInt8(ascii: "="))
          append(bytes, equals + 1..<at, to: &output)
        }
        start = at + 1
        equals = nil
      } else if bytes[at] == UInt8(ascii: "="), equals == nil {
        equals = at
      } else if self != .never, FormEncoding.isEscape(bytes, at) {
        // An escape neither ends a pair nor a name.
        at += 1
      }
      at += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Adds a name or a value without the blanks at its ends. A form may have millions of them, so
  /// that none becomes a text of its own.
  private func append(_ bytes: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
    var (at, end) = (range.lowerBound, range.upperBound)
    while at < end, FormEncoding.isBlank(bytes[at]) { at += 1 }
    while at < end, FormEncoding.isBlank(bytes[end - 1]) { end -= 1 }
    if self == .never { return output += bytes[at..<end] }
    while at < end {
      if at + 1 < end, FormEncoding.isEscape(bytes, at) {
        // None of the four is left alone by `encodeURIComponent`.
        at += 1
        PercentEncoding.append(bytes[at], allowing: .component, to: &output)
      } else if self == .always {
        PercentEncoding.append(bytes[at], allowing: .component, to: &output)
      } else if PercentEncoding.isEncoded(bytes, at: at, end: end) {
        output.append(bytes[at])
      } else {
        PercentEncoding.append(bytes[at], allowing: .legalInURL, to: &output)
      }
      at += 1
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  private static func isEscape(_ bytes: [UInt8], _ at: Int) -> Bool {
    guard bytes[at] == UInt8(ascii: "%"), at + 1 < bytes.count else { return false }
    return switch bytes[at + 1] {
    case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "+"): true
    default: false
    }
  }
}
