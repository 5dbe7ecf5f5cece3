// Percent-encoding, base64 and hexadecimal digits: the encodings that HTTP itself uses.

/// A set of ASCII bytes.
package struct ASCIISet: Sendable, Hashable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Makes a set of the characters of a text.
  package init(_ characters: String) {
    for byte in characters.utf8 where byte < 128 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  /// Makes a set of the letters, the digits and the characters of a text.
  package init(alphanumericsAnd characters: String) {
    self.init(ASCIISet.alphanumerics + characters)
  }

  /// Whether a byte is in the set.
  package func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
  }

  private static let alphanumerics =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  /// Unreserved characters (RFC 3986, section 2.3).
  package static let unreserved = ASCIISet(alphanumericsAnd: "-._~")
  /// Characters a URL may hold: unreserved and reserved ones (PK-110).
  package static let legalInURL = ASCIISet(alphanumericsAnd: "-._~:/?#[]@!$&'()*+,;=")
  /// What JavaScript's `encodeURIComponent` leaves alone (PK-68).
  package static let component = ASCIISet(alphanumericsAnd: "-_.!~*'()")
  /// What an HTML form leaves alone (URL Standard, application/x-www-form-urlencoded).
  package static let form = ASCIISet(alphanumericsAnd: "*-._")
}

/// Percent-encoding of UTF-8 and of the bytes that a text keeps (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// The text with every byte outside the set encoded, `%` included.
  package static func encode(_ text: String, allowing allowed: ASCIISet) -> String {
    var output: [UInt8] = []
    let bytes = text.keptBytes
    output.reserveCapacity(bytes.count)
    for byte in bytes { append(byte, allowing: allowed, to: &output) }
    return String(decoding: output, as: UTF8.self)
  }

  /// The text with only what is illegal in a URL encoded: valid `%XX` stay, a lone `%` becomes
  /// `%25` (PK-69, PK-110).
  package static func encodeIllegal(_ text: String) -> String {
    let bytes = text.keptBytes
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for (at, byte) in bytes.enumerated() {
      if isEncoded(bytes, at: at, end: bytes.count) {
        output.append(byte)
      } else {
        append(byte, allowing: .legalInURL, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// What JavaScript's `encodeURIComponent` gives (PK-68).
  package static func encodeComponent(_ text: String) -> String {
    encode(text, allowing: .component)
  }

  /// The bytes with every valid `%XX` decoded; anything else stays.
  package static func decode(_ text: String) -> [UInt8] {
    let bytes = text.keptBytes
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var at = 0
    while at < bytes.count {
      if let byte = decodedByte(bytes, at: at, end: bytes.count) {
        output.append(byte)
        at += 3
      } else {
        output.append(bytes[at])
        at += 1
      }
    }
    return output
  }

  /// The text of a form's name or value: `+` is a blank; bytes that are no UTF-8 become U+FFFD.
  package static func decodeForm(_ text: String) -> String {
    let blanks = String(decoding: text.utf8.map { $0 == 0x2B ? 0x20 : $0 }, as: UTF8.self)
    return String(decoding: decode(blanks), as: UTF8.self)
  }

  /// Whether a valid `%XX` begins at a place and is over before `end`.
  package static func isEncoded(_ bytes: [UInt8], at: Int, end: Int) -> Bool {
    decodedByte(bytes, at: at, end: end) != nil
  }

  private static func decodedByte(_ bytes: [UInt8], at: Int, end: Int) -> UInt8? {
    guard bytes[at] == UInt8(ascii: "%"), at + 2 < end,
      let high = Hex.value(bytes[at + 1]), let low = Hex.value(bytes[at + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Adds a byte, as `%XX` where it is outside of the set.
  package static func append(_ byte: UInt8, allowing allowed: ASCIISet, to output: inout [UInt8]) {
    if allowed.contains(byte) {
      output.append(byte)
    } else {
      output.append(UInt8(ascii: "%"))
      output.append(Hex.upperDigits[Int(byte >> 4)])
      output.append(Hex.upperDigits[Int(byte & 15)])
    }
  }
}

/// Hexadecimal digits.
package enum Hex {
  fileprivate static let upperDigits = Array("0123456789ABCDEF".utf8)
  private static let lowerDigits = Array("0123456789abcdef".utf8)

  /// Two digits in small letters for each byte.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    String(
      decoding: bytes.flatMap { [lowerDigits[Int($0 >> 4)], lowerDigits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// The bytes of a text of digit pairs; `nil` for anything else.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map(value)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var output: [UInt8] = []
    for at in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[at], let low = digits[at + 1] else { return nil }
      output.append(high << 4 | low)
    }
    return output
  }

  /// The value of a digit.
  package static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
