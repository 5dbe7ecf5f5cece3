// Strings of GraphQL: what those in a text say, with the indentation of blocks taken away (October
// 2021, section 2.9.4), and how a text is written as one.

/// Reads and writes strings.
enum GraphQLString {
  /// The text of a string or block string; `source` has its quotes.
  static func value(_ source: ArraySlice<UInt8>) -> String {
    let block = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
    if source.starts(with: block) {
      let ends = source.count >= 6 && source.suffix(3).elementsEqual(block)
      return blockValue(source.dropFirst(3).dropLast(ends ? 3 : 0))
    }
    let ends = source.count >= 2 && source.last == UInt8(ascii: "\"")
    return unescaped(source.dropFirst().dropLast(ends ? 1 : 0))
  }

  /// The value of the hexadecimal digits behind `\u`, as four or in braces, and where they end; the
  /// start of the range where they are none.
  static func scalarValue(
    _ bytes: some RandomAccessCollection<UInt8>, _ range: Range<Int>
  ) -> (value: UInt32, end: Int) {
    func byte(_ at: Int) -> UInt8 {
      bytes[bytes.index(bytes.startIndex, offsetBy: at)]
    }
    var at = range.lowerBound
    var value: UInt32 = 0
    let isBraced = at < range.upperBound && byte(at) == UInt8(ascii: "{")
    if isBraced { at += 1 }
    let first = at
    while at < range.upperBound, at < first + (isBraced ? 8 : 4),
      let digit = hexadecimal(byte(at))
    {
      value = value << 4 | digit
      at += 1
    }
    if isBraced {
      guard at > first, at < range.upperBound, byte(at) == UInt8(ascii: "}"), value <= 0x10FFFF
      else { return (0, range.lowerBound) }
      return (value, at + 1)
    }
    return at == first + 4 ? (value, at) : (0, range.lowerBound)
  }

  /// A text as a string in one line.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 32 || scalar.value == 127:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 48...57: UInt32(byte) - 48
    case 65...70, 97...102: UInt32(byte & 0xDF) - 55
    default: nil
    }
  }

  private static func unescaped(_ source: ArraySlice<UInt8>) -> String {
    let bytes = Array(source)
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    var at = 0
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count else {
        result.append(bytes[at])
        at += 1
        continue
      }
      at += 2
      switch bytes[at - 1] {
      case UInt8(ascii: "b"): result.append(8)
      case UInt8(ascii: "f"): result.append(12)
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "u"): result += String(scalar(bytes, &at)).utf8
      default: result.append(bytes[at - 1])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The character of an escape behind its `u`; two halves of one that needs two are put together.
  private static func scalar(_ bytes: [UInt8], _ at: inout Int) -> Character {
    var (value, end) = scalarValue(bytes, at..<bytes.count)
    if (0xD800..<0xDC00).contains(value), end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\\"),
      bytes[end + 1] == UInt8(ascii: "u")
    {
      let low = scalarValue(bytes, end + 2..<bytes.count)
      if (0xDC00..<0xE000).contains(low.value) {
        value = 0x10000 + (value - 0xD800) << 10 + (low.value - 0xDC00)
        end = low.end
      }
    }
    let isDigits = end > at
    at = end
    return Character(isDigits ? Unicode.Scalar(value) ?? "\u{FFFD}" : "\u{FFFD}")
  }

  /// Takes the common indentation of all lines but the first away, and blank lines at both ends.
  private static func blockValue(_ source: ArraySlice<UInt8>) -> String {
    var lines = lines(source)
    func indentation(_ line: [UInt8]) -> Int? {
      line.firstIndex { $0 != 32 && $0 != 9 }
    }
    let common = lines.dropFirst().compactMap(indentation).min() ?? 0
    for index in lines.indices.dropFirst() {
      lines[index].removeFirst(min(common, lines[index].count))
    }
    let first = lines.firstIndex { indentation($0) != nil } ?? lines.endIndex
    let last = lines.lastIndex { indentation($0) != nil } ?? lines.startIndex - 1
    guard first <= last else { return "" }
    return String(decoding: Array(lines[first...last].joined(separator: [10])), as: UTF8.self)
  }

  private static func lines(_ source: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var quotes = 0
    var before: UInt8 = 0
    for byte in source {
      quotes = byte == UInt8(ascii: "\"") ? quotes + 1 : 0
      if byte == 10, before == 13 {
        before = byte
        continue
      }
      if byte == 10 || byte == 13 {
        lines.append([])
      } else {
        lines[lines.count - 1].append(byte)
        let escape = lines[lines.count - 1].count - 4
        // `\"""` stands for three quotes.
        if quotes == 3, escape >= 0, lines[lines.count - 1][escape] == UInt8(ascii: "\\") {
          lines[lines.count - 1].remove(at: escape)
          quotes = 0
        }
      }
      before = byte
    }
    return lines
  }
}
