// Strings inside JSON: escapes to text, and checks of UTF-8.

/// Helpers for the inside of JSON strings.
enum JSONEscapes {
  /// Resolves the escapes of a string that the parser has checked.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { decode($0[...]) }
  }

  /// The same of memory that somebody else keeps.
  static func decode(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let bytes = UnsafeBufferPointer(rebasing: bytes)
    // No escape stands for more bytes than it has itself.
    return String(unsafeUninitializedCapacity: bytes.count) { decode(bytes, into: $0) }
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var (at, end) = (0, 0)
    func put(_ byte: UInt8) {
      output[end] = byte
      end += 1
    }
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "\\") else {
        put(bytes[at])
        at += 1
        continue
      }
      let letter = bytes[at + 1]
      at += 2
      switch letter {
      case UInt8(ascii: "b"): put(0x08)
      case UInt8(ascii: "f"): put(0x0C)
      case UInt8(ascii: "n"): put(0x0A)
      case UInt8(ascii: "r"): put(0x0D)
      case UInt8(ascii: "t"): put(0x09)
      case UInt8(ascii: "u"): UTF8.encode(scalar(bytes, &at), into: put)
      default: put(letter)
      }
    }
    return end
  }

  /// Reads four hexadecimal digits at `at`, and a second escape where they are half of a pair.
  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int
  ) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    let high = unit(bytes, at)
    at += 4
    guard high >= 0xD800, high < 0xE000 else { return Unicode.Scalar(high) ?? replacement }
    guard high < 0xDC00, at + 6 <= bytes.endIndex, bytes[at] == UInt8(ascii: "\\"),
      bytes[at + 1] == UInt8(ascii: "u")
    else { return replacement }
    let low = unit(bytes, at + 2)
    guard low >= 0xDC00, low < 0xE000 else { return replacement }
    at += 6
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? replacement
  }

  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 4 | UInt32(hexValue(bytes[at + $1]) ?? 0) }
  }

  /// Appends a text with quotes and with the escapes that JSON asks for; answers whether there are
  /// any.
  static func quote(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) -> Bool {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    var isEscaped = false
    for at in 0..<text.count {
      let byte = text[at]
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
      // A slice would be copied byte by byte.
      if start < at {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<at]))
      }
      start = at + 1
      isEscaped = true
      escape(byte, into: &bytes)
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<text.count]))
    bytes.append(UInt8(ascii: "\""))
    return isEscaped
  }

  private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x22, 0x5C: bytes.append(byte)
    default:
      // Of files that are no text there may be millions: nothing is allocated for one.
      let digits: StaticString = "0123456789abcdef"
      bytes.append(UInt8(ascii: "u"))
      bytes.append(UInt8(ascii: "0"))
      bytes.append(UInt8(ascii: "0"))
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  /// The offset of the first byte that is no part of valid UTF-8.
  static func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var at = 0
    while at < bytes.count {
      let lead = bytes[at]
      if lead < 0x80 {
        at += 1
        continue
      }
      let length: Int
      var lowest: UInt8 = 0x80
      var highest: UInt8 = 0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, lowest) = (3, 0xA0)
      case 0xED: (length, highest) = (3, 0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, lowest) = (4, 0x90)
      case 0xF4: (length, highest) = (4, 0x8F)
      case 0xF1...0xF3: length = 4
      default: return at
      }
      guard at + length <= bytes.count, bytes[at + 1] >= lowest, bytes[at + 1] <= highest else {
        return at
      }
      for offset in 2..<max(length, 2) where bytes[at + offset] & 0xC0 != 0x80 { return at }
      at += length
    }
    return nil
  }
}
