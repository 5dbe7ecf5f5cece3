// Short texts looked for in long ones.

extension ArraySlice<UInt8> {
  /// Whether a text of ASCII letters stands in it.
  package func holds(_ text: StaticString) -> Bool {
    withUnsafeBufferPointer { bytes in
      text.withUTF8Buffer { text in
        guard let last = text.last, bytes.count >= text.count else { return false }
        return (text.count - 1..<bytes.count).contains { end in
          bytes[end] == last && bytes[end + 1 - text.count...end].elementsEqual(text)
        }
      }
    }
  }
}

extension String {
  /// Whether the bytes of a text stand in it. `contains` of the library compares characters and
  /// takes many times as long.
  package func holds(_ text: String) -> Bool {
    var (own, text) = (self, text)
    return own.withUTF8 { bytes in
      text.withUTF8 { text in
        guard let first = text.first else { return true }
        guard bytes.count >= text.count else { return false }
        return (0...bytes.count - text.count).contains { start in
          bytes[start] == first && bytes[start..<start + text.count].elementsEqual(text)
        }
      }
    }
  }
}
