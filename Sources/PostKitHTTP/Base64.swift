// Base64 for credentials, tokens and binary bodies (RFC 4648).

/// Base64 in both alphabets.
package enum Base64 {
  /// Which characters stand for 62 and 63.
  package enum Alphabet: Sendable, Hashable {
    /// `+` and `/` (RFC 4648, section 4).
    case standard
    /// `-` and `_` (RFC 4648, section 5).
    case url

    fileprivate var characters: [UInt8] {
      self == .url ? Alphabet.urlCharacters : Alphabet.standardCharacters
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardCharacters = Array((common + "+/").utf8)
    private static let urlCharacters = Array((common + "-_").utf8)
  }

  /// The encoding of bytes, padded with `=` unless asked not to.
  package static func encode(
    _ bytes: some Collection<UInt8>, alphabet: Alphabet = .standard, isPadded: Bool = true
  ) -> String {
    var output = encodedBytes(bytes, alphabet: alphabet)
    while isPadded, !output.count.isMultiple(of: 4) { output.append(UInt8(ascii: "=")) }
    return String(decoding: output, as: UTF8.self)
  }

  /// The encoding of bytes without padding.
  static func encodedBytes(
    _ bytes: some Collection<UInt8>, alphabet: Alphabet = .standard
  ) -> [UInt8] {
    let characters = alphabet.characters
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        output.append(characters[Int(buffer >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { output.append(characters[Int(buffer << UInt32(6 - bits) & 63)]) }
    return output
  }

  /// The encoding of a text's UTF-8.
  package static func encode(_ text: String) -> String { encode(Array(text.utf8)) }

  /// The bytes of a strict encoding; `nil` for foreign characters, wrong padding or leftover bits.
  /// Without `requiresPadding` the `=` may also be missing, as in tokens (RFC 7515, section 2).
  package static func decode(
    _ text: some StringProtocol, alphabet: Alphabet = .standard, requiresPadding: Bool = true
  ) -> [UInt8]? {
    var characters = Array(text.utf8)
    let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2, characters.count.isMultiple(of: 4) || padding == 0 && !requiresPadding
    else { return nil }
    characters.removeLast(padding)
    guard characters.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(characters.count / 4 * 3 + 2)
    var buffer: UInt32 = 0
    var bits = 0
    for character in characters {
      guard let value = value(character, alphabet) else { return nil }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return buffer & (1 << UInt32(bits) - 1) == 0 ? output : nil
  }

  private static func value(_ character: UInt8, _ alphabet: Alphabet) -> UInt8? {
    switch character {
    case 65...90: character - 65
    case 97...122: character - 71
    case 48...57: character + 4
    case UInt8(ascii: "+"): alphabet == .standard ? 62 : nil
    case UInt8(ascii: "/"): alphabet == .standard ? 63 : nil
    case UInt8(ascii: "-"): alphabet == .url ? 62 : nil
    case UInt8(ascii: "_"): alphabet == .url ? 63 : nil
    default: nil
    }
  }
}
