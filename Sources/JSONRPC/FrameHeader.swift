// The header block of one message, line by line, over bytes.

import PostKitSupport

/// What the header lines read so far say.
struct FrameHeader: Sendable {
  /// What a header line turned out to be.
  enum Line {
    case field
    case lengthTooLarge
    case garbage
  }

  /// Whether a length line stands at a place.
  enum Search {
    case found
    /// It may become one when more bytes arrive.
    case incomplete
    case absent
  }

  /// Bytes of the block so far, line ends included.
  var byteCount = 0
  var hasFields = false
  var length: Int?
  /// The charset, where it isn't UTF-8 (PROMISES.md F2).
  var foreignCharset: String?

  /// Takes up a line without its line end; names match in any case, blanks are free (F1).
  mutating func read(_ line: ArraySlice<UInt8>) -> Line {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return .garbage
    }
    let name = FrameHeader.trim(line[..<colon])
    guard !name.isEmpty, name.allSatisfy(FrameHeader.isNameByte) else { return .garbage }
    let value = FrameHeader.trim(line[(colon + 1)...])
    if FrameHeader.equals(name, "content-length") { return readLength(value) }
    if FrameHeader.equals(name, "content-type") { readType(value) }
    hasFields = true
    return .field
  }

  private mutating func readLength(_ value: ArraySlice<UInt8>) -> Line {
    guard !value.isEmpty, value.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return .garbage }
    var number = 0
    for digit in value {
      // Sixteen digits can't overflow, and no message is that long.
      guard number <= Limits.discardedMessageBytes else { return .lengthTooLarge }
      number = number * 10 + Int(digit - 48)
    }
    guard number <= Limits.discardedMessageBytes else { return .lengthTooLarge }
    guard length == nil || length == number else { return .garbage }
    length = number
    hasFields = true
    return .field
  }

  private mutating func readType(_ value: ArraySlice<UInt8>) {
    for parameter in value.split(separator: UInt8(ascii: ";")).dropFirst() {
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
      guard FrameHeader.equals(FrameHeader.trim(parameter[..<equals]), "charset") else { continue }
      let charset = FrameHeader.trim(parameter[(equals + 1)...])
        .filter { $0 != UInt8(ascii: "\"") }
      if !FrameHeader.equals(charset[...], "utf-8"), !FrameHeader.equals(charset[...], "utf8") {
        foreignCharset = String(decoding: charset, as: UTF8.self)
      }
    }
  }

  /// Whether a whole `Content-Length: digits` line starts at that place.
  static func lengthLine(in buffer: [UInt8], at start: Int) -> Search {
    var at = start
    for letter in "content-length".utf8 {
      guard at < buffer.count else { return .incomplete }
      guard lowercase(buffer[at]) == letter else { return .absent }
      at += 1
    }
    func skipBlanks() { while at < buffer.count, isBlank(buffer[at]) { at += 1 } }
    skipBlanks()
    guard at < buffer.count else { return .incomplete }
    guard buffer[at] == UInt8(ascii: ":") else { return .absent }
    at += 1
    skipBlanks()
    let digits = at
    while at < buffer.count, buffer[at] >= 48, buffer[at] <= 57 { at += 1 }
    let hasDigits = at > digits
    // Blanks and digits without end would let the search wait for ever.
    guard at - start < 64 else { return .absent }
    skipBlanks()
    if at < buffer.count, hasDigits, buffer[at] == 0x0D { at += 1 }
    guard at < buffer.count else { return .incomplete }
    return hasDigits && buffer[at] == 0x0A ? .found : .absent
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || (48...57).contains(byte)
      || (97...122).contains(lowercase(byte))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= 65 && byte <= 90 ? byte | 0x20 : byte
  }

  private static func equals(_ bytes: ArraySlice<UInt8>, _ lowercased: StaticString) -> Bool {
    bytes.count == lowercased.utf8CodeUnitCount
      && bytes.enumerated().allSatisfy { lowercase($1) == lowercased.utf8Start[$0] }
  }

  private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return bytes.prefix(0) }
    return bytes[first...last]
  }
}
