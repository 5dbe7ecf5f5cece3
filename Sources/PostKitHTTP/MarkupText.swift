// As much of HTML and XML as masking needs.

/// Character references of markup.
enum MarkupText {
  /// Those that stand for what has a meaning in markup; others are written by number, if at all.
  private static let named: [(name: StaticString, byte: UInt8)] = [
    ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
    ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")),
  ]
  /// Characters of the longest reference, such as `&#x0010FFFF;`.
  private static let longest = 12

  /// The bytes that the reference at the start stands for, and its length.
  static func reference(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], length: Int)? {
    let end = bytes.prefix(longest).firstIndex(of: UInt8(ascii: ";"))
    guard let end, end > 2, bytes[0] == UInt8(ascii: "&") else { return nil }
    let name = UnsafeBufferPointer(rebasing: bytes[1..<end])
    if name[0] == UInt8(ascii: "#") {
      return number(name).flatMap(Unicode.Scalar.init).map { (Array(String($0).utf8), end + 1) }
    }
    let known = named.first { entry in
      entry.name.withUTF8Buffer { $0.elementsEqual(name) }
    }
    return known.map { ([$0.byte], end + 1) }
  }

  /// The number of `#39` or `#x27`.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> UInt32? {
    let isHex = text.count > 1 && text[1] | 0x20 == UInt8(ascii: "x")
    let digits = text.dropFirst(isHex ? 2 : 1)
    guard !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for byte in digits {
      guard let digit = Hex.value(byte), isHex || digit < 10, value < 0x110000 else { return nil }
      value = value * (isHex ? 16 : 10) + UInt32(digit)
    }
    return value
  }
}
