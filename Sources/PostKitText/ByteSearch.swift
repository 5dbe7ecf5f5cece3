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
