// Texts of PowerShell.

/// Reads texts in quotes as PowerShell does.
enum PowerText {
  /// What a backtick and a character mean.
  static func escaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "r"): 13
    case UInt8(ascii: "t"): 9
    case UInt8(ascii: "0"): 0
    case UInt8(ascii: "a"): 7
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "v"): 11
    case UInt8(ascii: "e"): 27
    default: byte
    }
  }

  /// The text whose opening quote stands at a place, and the place behind the closing one. A quote
  /// that is doubled stands for itself; a backtick counts between double quotes only.
  static func quoted(_ bytes: [UInt8], from start: Int) -> (text: [UInt8], end: Int) {
    let quote = bytes[start]
    var text: [UInt8] = []
    var at = start + 1
    while at < bytes.count {
      let byte = bytes[at]
      if byte == quote {
        guard at + 1 < bytes.count, bytes[at + 1] == quote else { return (text, at + 1) }
        text.append(quote)
        at += 2
      } else if byte == UInt8(ascii: "`"), quote == UInt8(ascii: "\""), at + 1 < bytes.count {
        if bytes[at + 1] == UInt8(ascii: "u"), let (scalar, end) = scalar(bytes, at + 2) {
          text += Array(String(Character(scalar)).utf8)
          at = end
          continue
        }
        text.append(escaped(bytes[at + 1]))
        at += 2
      } else {
        text.append(byte)
        at += 1
      }
    }
    return (text, at)
  }

  /// `{1F600}` behind `` `u ``.
  private static func scalar(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, Int)? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{"),
      let close = bytes[start...].prefix(8).firstIndex(of: UInt8(ascii: "}")),
      let number = UInt32(String(decoding: bytes[start + 1..<close], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    return (scalar, close + 1)
  }
}
