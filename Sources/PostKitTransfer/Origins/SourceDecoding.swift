// The text of a source, whatever its encoding (IO-5).

import PostKitHTTP
import PostKitText

/// Makes UTF-8 of what tools save.
enum SourceDecoding {
  /// The bytes as UTF-8 without a byte order mark: of UTF-8, and of UTF-16 with a mark. Throws with
  /// the offset of the first byte that is neither.
  static func decoded(_ bytes: [UInt8], of name: String) throws(OriginFailure) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, isBigEndian: false, name) }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, isBigEndian: true, name) }
    let mark = bytes.byteOrderMarkLength
    if let offset = firstFlaw(bytes) {
      throw OriginFailure(
        "\(name) is neither UTF-8 nor UTF-16 with a byte order mark: byte \(offset) belongs to no "
          + "character. Save it as UTF-8.")
    }
    return mark == 0 ? bytes : Array(bytes.dropFirst(mark))
  }

  private static func utf16(
    _ bytes: [UInt8], isBigEndian: Bool, _ name: String
  ) throws(OriginFailure) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for place in stride(from: 2, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    var result: [UInt8] = []
    result.reserveCapacity(units.count * 2)
    var offset = 2
    var flaw: Int? = bytes.count.isMultiple(of: 2) ? nil : bytes.count - 1
    var decoder = UTF16()
    var iterator = units.makeIterator()
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        UTF8.encode(scalar) { result.append($0) }
        offset += scalar.value > 0xFFFF ? 4 : 2
      case .error:
        flaw = offset
        break decoding
      case .emptyInput: break decoding
      }
    }
    guard let flaw else { return result }
    throw OriginFailure(
      "\(name) is UTF-16, but byte \(flaw) belongs to no character. Save it as UTF-8.")
  }

  /// The offset of the first byte that is no UTF-8; `nil` where all are.
  private static func firstFlaw(_ bytes: [UInt8]) -> Int? {
    // Piece by piece, so that no copy is made of the whole.
    var start = 0
    while start < bytes.count {
      var end = min(start + (64 << 10), bytes.count)
      while end < bytes.count, end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      if end == start || String(validating: bytes[start..<end], as: UTF8.self) == nil { break }
      start = end
    }
    if start == bytes.count { return nil }
    var offset = start
    var decoder = UTF8()
    var iterator = bytes[start...].makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }
}
