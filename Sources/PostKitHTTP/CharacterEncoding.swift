// Text in encodings other than UTF-8, as included files and responses come in (PK-98).

/// How bytes stand for characters.
package enum CharacterEncoding: Sendable, Hashable {
  case ascii, latin1, latin9, windows1252, utf8
  /// The byte order mark says which; without one little-endian.
  case utf16
  case utf16LittleEndian, utf16BigEndian
  /// The bytes as base64 or as hexadecimal digits: encodings by the words of Node.js.
  case base64, hex

  /// The encoding of a name that Node.js, iconv or IANA know; `nil` for any other.
  package init?(_ name: String) {
    let folded = String(
      decoding: name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") },
      as: UTF8.self
    ).lowercased()
    switch folded {
    case "ascii", "usascii": self = .ascii
    case "latin1", "binary", "iso88591", "l1": self = .latin1
    case "latin9", "iso885915", "l9": self = .latin9
    case "windows1252", "win1252", "cp1252": self = .windows1252
    case "utf8": self = .utf8
    case "utf16": self = .utf16
    case "utf16le", "ucs2": self = .utf16LittleEndian
    case "utf16be", "ucs2be": self = .utf16BigEndian
    case "base64": self = .base64
    case "hex": self = .hex
    default: return nil
    }
  }

  /// The names to choose from, for messages.
  package static let names =
    "utf-8, latin1, iso-8859-15, windows-1252, ascii, utf-16le, utf-16be, base64 and hex"

  /// The text of bytes; what stands for no character becomes U+FFFD, a byte order mark is dropped.
  package func decode(_ bytes: [UInt8]) -> String {
    switch self {
    case .ascii: return CharacterEncoding.text(bytes.map { $0 < 128 ? UInt16($0) : 0xFFFD })
    case .latin1: return CharacterEncoding.text(bytes.map { UInt16($0) })
    case .latin9:
      return CharacterEncoding.text(
        bytes.map { CharacterEncoding.latin9Differences[$0] ?? UInt16($0) })
    case .windows1252:
      return CharacterEncoding.text(
        bytes.map {
          (0x80...0x9F).contains($0)
            ? CharacterEncoding.windows1252Controls[Int($0) - 0x80] : UInt16($0)
        })
    case .utf8:
      let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return String(decoding: bytes.dropFirst(mark), as: UTF8.self)
    case .utf16:
      return CharacterEncoding.utf16(bytes, isBigEndian: bytes.starts(with: [0xFE, 0xFF]))
    case .utf16LittleEndian: return CharacterEncoding.utf16(bytes, isBigEndian: false)
    case .utf16BigEndian: return CharacterEncoding.utf16(bytes, isBigEndian: true)
    case .base64: return Base64.encode(bytes)
    case .hex: return Hex.encode(bytes)
    }
  }

  private static func text(_ units: [UInt16]) -> String { String(decoding: units, as: UTF16.self) }

  private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2 + 1)
    for at in stride(from: 0, to: bytes.count - 1, by: 2) {
      let high = UInt16(bytes[isBigEndian ? at : at + 1])
      let low = UInt16(bytes[isBigEndian ? at + 1 : at])
      units.append(high << 8 | low)
    }
    if units.first == 0xFEFF { units.removeFirst() }
    // Half a unit at the end is no character.
    if !bytes.count.isMultiple(of: 2) { units.append(0xFFFD) }
    return text(units)
  }

  /// Where ISO 8859-15 differs from ISO 8859-1.
  private static let latin9Differences: [UInt8: UInt16] = [
    0xA4: 0x20AC, 0xA6: 0x160, 0xA8: 0x161, 0xB4: 0x17D, 0xB8: 0x17E, 0xBC: 0x152, 0xBD: 0x153,
    0xBE: 0x178,
  ]

  /// The characters of 0x80 to 0x9F (WHATWG Encoding Standard, index windows-1252).
  private static let windows1252Controls: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,
    0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
  ]
}
