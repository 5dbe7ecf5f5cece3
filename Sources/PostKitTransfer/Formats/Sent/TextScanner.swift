// Reading a text byte by byte, with the place of what can't be read.

/// A place in a text, moved by whoever reads.
struct TextScanner {
  /// How the one who imports called the text.
  let name: String
  let bytes: [UInt8]
  var at = 0
  /// Where lines begin.
  private let lineStarts: [Int]

  /// Begins at the first byte.
  init(_ source: OriginSource) {
    name = source.name
    bytes = source.bytes
    lineStarts = [0] + source.bytes.indices.filter { source.bytes[$0] == 10 }.map { $0 + 1 }
  }

  /// The byte here; `nil` at the end.
  var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// The line of a place, counted from 1.
  func line(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Why the text can't be read, as `FILE:LINE:COL: sentence`; columns count characters.
  func failure(_ sentence: String, at offset: Int? = nil) -> OriginFailure {
    let offset = min(offset ?? at, bytes.count)
    let line = line(of: offset)
    let column = String(decoding: bytes[lineStarts[line - 1]..<offset], as: UTF8.self).count + 1
    return OriginFailure("\(name):\(line):\(column): \(sentence)")
  }

  /// Takes a text if it stands here, in any case where asked.
  mutating func take(_ text: String, ignoringCase: Bool = false) -> Bool {
    let wanted = text.utf8
    guard at + wanted.count <= bytes.count else { return false }
    for (position, byte) in wanted.enumerated() {
      let found = bytes[at + position]
      guard found == byte || ignoringCase && found | 0x20 == byte | 0x20 else { return false }
    }
    at += wanted.count
    return true
  }

  /// Takes a text that must stand here.
  mutating func expect(_ text: String) throws(OriginFailure) {
    guard take(text) else { throw failure("`\(text)` is expected here.") }
  }

  /// Skips what is left of the line.
  mutating func skipLine() { at = bytes[at...].firstIndex(of: 10) ?? bytes.count }

  /// Takes letters, digits, `_` and what else a word may have; empty where there is none.
  mutating func word(also others: String = "") -> String {
    let start = at
    let others = Array(others.utf8)
    while let byte, ASCIIWord.contains(byte) || others.contains(byte) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }
}

/// The bytes of words.
enum ASCIIWord {
  /// Whether a byte is a letter, a digit or `_`; those beyond ASCII count as letters.
  static func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 95, 128...255: true
    default: false
    }
  }
}
