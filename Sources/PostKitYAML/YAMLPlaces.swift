// Where values stand in a YAML text.

/// A place in a text.
package struct YAMLPlace: Sendable, Hashable, CustomStringConvertible {
  /// The byte, counted from the start of the file, a byte order mark included.
  package var offset: Int
  /// The line, counted from 0. Lines end at LF, CR or CRLF, as editors have it.
  package var line: Int
  /// The bytes between the start of the line and the place.
  package var column: Int

  /// `line 3, column 5`, both counted from 1, the column in bytes.
  package var description: String { "line \(line + 1), column \(column + 1)" }
}

/// Where the lines of a text begin.
struct YAMLLines: Sendable {
  private var starts: [UInt32] = [0]

  /// Finds the lines of a text.
  init(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { buffer in
      for at in 0..<buffer.count {
        switch buffer[at] {
        case 0x0A: starts.append(UInt32(at + 1))
        case 0x0D where at + 1 == buffer.count || buffer[at + 1] != 0x0A:
          starts.append(UInt32(at + 1))
        default: break
        }
      }
    }
  }

  /// The place of a byte.
  func place(_ offset: Int) -> YAMLPlace {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= offset { low = middle } else { high = middle }
    }
    return YAMLPlace(offset: offset, line: low, column: offset - Int(starts[low]))
  }
}

/// Turns libyaml's count of characters into bytes. Places come nearly in order, so that a step is
/// short.
struct CharacterCursor {
  private var character = 0
  private var byte = 0

  /// The byte at which a character begins, or the end of the text.
  mutating func offset(of target: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    while character < target, byte < text.count {
      byte += 1
      while byte < text.count, text[byte] & 0xC0 == 0x80 { byte += 1 }
      character += 1
    }
    while character > target, byte > 0 {
      byte -= 1
      while byte > 0, text[byte] & 0xC0 == 0x80 { byte -= 1 }
      character -= 1
    }
    return byte
  }
}
