// A whole file as blocks; what did not change is taken over from the parse before.

/// How blocks are found in a file.
package enum DocumentFormat: Sendable, Hashable {
  /// `.http` and `.rest`: blocks between `###` lines.
  case http
  /// Markdown: the `http` and `rest` fences at column 0 (PK-102).
  case markdown
}

/// One block at its place in the file.
package struct ParsedBlock: Sendable {
  /// The bytes of the whole file.
  package let bytes: [UInt8]
  /// The place among the blocks of the file, from 0.
  package let index: Int
  /// The block's bytes in the file, its separator line included.
  package let range: Range<Int>
  package let syntax: BlockSyntax

  /// Whether it can be sent.
  package var isRequest: Bool { syntax.request != nil }

  /// The text of a range of the block.
  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[absolute(range)], as: UTF8.self)
  }

  /// The bytes of a range of the block.
  package func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[absolute(range)] }

  /// A range of the block as a range of the file.
  package func absolute(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + self.range.lowerBound..<range.upperBound + self.range.lowerBound
  }

  /// The name: `@name`, else the separator's title unless it is only punctuation (PK-7, PK-8).
  package var name: String? {
    if let tag = syntax.metadata.first(where: { $0.foldedKey == "name" }) {
      let value = text(tag.value)
      if !value.isEmpty { return value }
    }
    guard let title = syntax.separator?.title else { return nil }
    let value = text(title)
    return value.contains(where: { $0.isLetter || $0.isNumber }) ? value : nil
  }
}
