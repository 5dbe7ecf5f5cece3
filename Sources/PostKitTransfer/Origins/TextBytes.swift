// Looks at the bytes of texts. Nearly all of what other tools keep is looked at and stays as it is:
// a look at characters would cost more than all that is then done with a text.

import PostKitHTTP

extension UnsafeBufferPointer<UInt8> {
  /// The place of a byte at or behind `start`; `nil` where it does not occur. Eight bytes are
  /// looked at together.
  func place(of byte: UInt8, from start: Int = 0) -> Int? {
    let raw = UnsafeRawBufferPointer(self)
    let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let pattern = ones &* UInt64(byte)
    var at = start
    while at &+ 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ pattern
      if (word &- ones) & ~word & tops != 0 { break }
      at &+= 8
    }
    while at < count {
      if self[at] == byte { return at }
      at &+= 1
    }
    return nil
  }

  /// The place at or behind `start` where two bytes stand one behind the other.
  func place(of first: UInt8, _ second: UInt8, from start: Int = 0) -> Int? {
    var at = start
    while let found = place(of: first, from: at) {
      if found &+ 1 < count, self[found &+ 1] == second { return found }
      at = found &+ 1
    }
    return nil
  }

  /// The place at or behind `start` where bytes stand; there is at least one of them.
  func place(of wanted: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
    guard let first = wanted.first else { return nil }
    var at = start
    while let found = place(of: first, from: at) {
      if found + wanted.count > count { return nil }
      var length = 1
      while length < wanted.count, self[found + length] == wanted[length] { length += 1 }
      if length == wanted.count { return found }
      at = found + 1
    }
    return nil
  }

  /// Whether all bytes are ASCII. Texts of other bytes may be equal though their bytes are not.
  var isASCII: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var (at, sum): (Int, UInt64) = (0, 0)
    while at &+ 8 <= raw.count {
      sum |= raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      at &+= 8
    }
    while at < count {
      sum |= UInt64(self[at])
      at &+= 1
    }
    return sum & 0x8080_8080_8080_8080 == 0
  }

  /// Whether all bytes are at least blanks and ASCII: what shows on one line as it stands.
  var isOnePlainLine: Bool {
    var (sum, isPlain): (UInt8, Bool) = (0, true)
    for byte in self {
      sum |= byte
      isPlain = isPlain && byte >= 32 && byte != 127
    }
    return isPlain && sum < 128
  }

  /// Whether these bytes are others.
  func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var at = 0
    while at &+ 8 <= count {
      if left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        != right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      {
        return false
      }
      at &+= 8
    }
    while at < count, self[at] == other[at] { at &+= 1 }
    return at == count
  }

  /// How many of the bytes are LF.
  var lineEndCount: Int {
    var (result, at) = (0, 0)
    while let found = place(of: 10, from: at) {
      result &+= 1
      at = found &+ 1
    }
    return result
  }

  /// Whether these bytes come before others, byte by byte.
  func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    let shared = Swift.min(count, other.count)
    var at = 0
    while at &+ 8 <= shared {
      let one = left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let two = right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      if one != two { return UInt64(bigEndian: one) < UInt64(bigEndian: two) }
      at &+= 8
    }
    while at < shared {
      if self[at] != other[at] { return self[at] < other[at] }
      at &+= 1
    }
    return count < other.count
  }
}

extension Array<UInt8> {
  /// The bytes without the CR before each LF.
  var withPlainLineEnds: [UInt8] {
    guard contains(13) else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for byte in self {
      if byte == 10, result.last == 13 { result.removeLast() }
      result.append(byte)
    }
    return result
  }
}

extension ArraySlice<UInt8> {
  /// Whether these bytes are those of a text.
  func equals(_ text: String) -> Bool {
    withUnsafeBufferPointer { bytes in text.withBytes { bytes.equals($0) } }
  }
}

extension String {
  /// Whether a byte occurs in the text.
  func has(_ byte: Unicode.Scalar) -> Bool {
    let byte = UInt8(ascii: byte)
    return withBytes { $0.place(of: byte) != nil }
  }

  /// Whether braces that would be read as a template stand in the text.
  var hasTemplate: Bool {
    withBytes { $0.place(of: UInt8(ascii: "{"), UInt8(ascii: "{")) != nil }
  }

  /// Whether braces with backslashes stand in the text, which the language would take away.
  var hasEscapedBraces: Bool {
    withBytes { $0.place(of: UInt8(ascii: "\\"), UInt8(ascii: "{")) != nil }
  }

  /// Whether there is nothing but white space in the text.
  var isBlank: Bool {
    if let first = utf8.first, (33...126).contains(first) { return false }
    return allSatisfy(\.isWhitespace)
  }

  /// Whether the text comes before another one, byte by byte: an order that is the same everywhere.
  func precedesInBytes(_ other: String) -> Bool {
    withBytes { bytes in other.withBytes { bytes.precedes($0) } }
  }

  /// Whether the text is another one byte by byte: texts whose characters are equal may differ in
  /// what is sent, such as `é` and `e` with an accent behind it.
  func equalsInBytes(_ other: String) -> Bool {
    withBytes { bytes in other.withBytes { bytes.equals($0) } }
  }

  /// So many characters of the text from its start.
  func first(_ limit: Int) -> String {
    guard utf8.count > limit else { return self }
    // Of ASCII each byte is a character, but of CR and LF, and of what goes on behind the last.
    let isSimple = withBytes { $0[...limit].allSatisfy { $0 < 128 && $0 != 13 } }
    if isSimple { return String(self[..<utf8.index(startIndex, offsetBy: limit)]) }
    return String(prefix(limit))
  }

  /// The lines of the text, parted as characters part them.
  var everyLine: [Substring] {
    // CR and LF are one character where they stand together.
    let isSimple = withBytes { $0.isASCII && $0.place(of: 13) == nil }
    guard isSimple else { return split(omittingEmptySubsequences: false) { $0.isNewline } }
    return utf8.split(omittingEmptySubsequences: false) { (10...12).contains($0) }
      .map(Substring.init)
  }
}

extension StringProtocol {
  /// Where a text stands first at or behind an index, byte by byte.
  func place(ofText wanted: String, from start: Index? = nil) -> Range<Index>? {
    let bytes = utf8
    let offset = start.map { bytes.distance(from: bytes.startIndex, to: $0) } ?? 0
    func look(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
      wanted.withBytes { bytes.place(of: $0, from: offset) }
    }
    let found = bytes.withContiguousStorageIfAvailable(look)
      ?? Array(bytes).withUnsafeBufferPointer(look)
    guard let found else { return nil }
    let first = bytes.index(bytes.startIndex, offsetBy: found)
    return first..<bytes.index(first, offsetBy: wanted.utf8.count)
  }
}
