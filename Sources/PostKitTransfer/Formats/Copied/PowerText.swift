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

  /// A text in quotes.
  struct Quoted: Sendable, Hashable {
    var text: [UInt8] = []
    /// The place behind the closing quote, or the end of what was read.
    var end: Int
    var isClosed = false
    /// Where the first expression stands whose value is not known; `nil` for a literal.
    var expression: Int?
  }

  /// The text whose opening quote stands at a place. A quote that is doubled stands for itself; a
  /// backtick and `$` count between double quotes only.
  static func quoted(_ bytes: [UInt8], from start: Int) -> Quoted {
    let quote = bytes[start]
    let hasEscapes = quote == UInt8(ascii: "\"")
    var result = Quoted(end: start + 1)
    while result.end < bytes.count {
      let at = result.end
      let byte = bytes[at]
      let next = at + 1 < bytes.count ? bytes[at + 1] : 0
      result.end += 1
      if byte == quote {
        guard next == quote else {
          result.isClosed = true
          return result
        }
        result.text.append(quote)
        result.end += 1
      } else if hasEscapes, byte == UInt8(ascii: "`"), at + 1 < bytes.count {
        result.end += 1
        if next == UInt8(ascii: "u"), let (scalar, end) = scalar(bytes, at + 2) {
          result.text += Array(String(Character(scalar)).utf8)
          result.end = end
        } else {
          result.text.append(escaped(next))
        }
      } else if hasEscapes, byte == UInt8(ascii: "$"),
        let (character, end) = numbered(bytes, at)
      {
        result.text += character
        result.end = end
      } else {
        let begins = ASCIIWord.contains(next) || next == UInt8(ascii: "(")
          || next == UInt8(ascii: "{")
        if hasEscapes, byte == UInt8(ascii: "$"), begins, result.expression == nil {
          result.expression = at
        }
        result.text.append(byte)
      }
    }
    return result
  }

  /// `$([char]228)`, as browsers write what is not ASCII; halves of a pair come one by one.
  private static func numbered(_ bytes: [UInt8], _ start: Int) -> ([UInt8], Int)? {
    var units: [UInt16] = []
    var at = start
    let opening = Array("$([char]".utf8)
    while bytes[at...].starts(with: opening) {
      let digits = bytes[(at + opening.count)...].prefix { (48...57).contains($0) }
      guard let unit = UInt16(String(decoding: digits, as: UTF8.self)),
        digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: ")")
      else { break }
      units.append(unit)
      at = digits.endIndex + 1
    }
    guard !units.isEmpty else { return nil }
    return (Array(String(decoding: units, as: UTF16.self).utf8), at)
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
