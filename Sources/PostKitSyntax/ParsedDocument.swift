// A whole file as blocks; what did not change is taken over from the parse before.

package import PostKitText

/// How blocks are found in a file.
package enum DocumentFormat: Sendable, Hashable {
  /// `.http` and `.rest`: blocks between `###` lines.
  case http
  /// Markdown: the `http` and `rest` fences at column 0 (PK-102).
  case markdown
}

/// A file's text and its blocks, which hold every byte of it once, in order.
package struct ParsedDocument: Sendable {
  /// The file's bytes.
  package let bytes: [UInt8]
  /// How blocks were found.
  package let format: DocumentFormat
  /// How lines were read.
  package let rules: SyntaxRules
  /// The blocks in order; none is empty.
  package let blocks: [ParsedBlock]
  /// Where the lines of the file start.
  package let lines: LineIndex
  /// The names of the file; the same object as before where an edit changed none of them.
  package let names: NameIndex
  private let parts: [Part]

  /// A segment with the place of its blocks: the unit that is taken over.
  private struct Part: Sendable {
    var segment: Segment
    var blocks: Range<Int>
  }

  /// Parses a file as it asks to be read. Segments whose bytes are those of a segment of
  /// `previous`, counted from the front or from the back, are taken over; the result is the same as
  /// without `previous`.
  package init(
    bytes: [UInt8], format: DocumentFormat = .http, reusing previous: ParsedDocument? = nil
  ) {
    let pragma = SyntaxRules.pragma(of: bytes, format: format)
    let rules = pragma.map { SyntaxRules(preset: $0) } ?? SyntaxRules()
    self.init(bytes: bytes, format: format, rules: rules, reusing: previous)
  }

  /// Parses a file by rules, whatever it asks for.
  package init(
    bytes: [UInt8], format: DocumentFormat = .http, rules: SyntaxRules,
    reusing previous: ParsedDocument? = nil
  ) {
    let old = previous.flatMap { $0.format == format && $0.rules == rules ? $0 : nil }
    let equal = old.map { EqualEnds($0.bytes, bytes) }
    let segments: [Segment]
    if format == .http, let old, let equal {
      segments = Segmenter.segments(of: bytes, old: old.parts.map(\.segment), equal)
    } else {
      segments = Segmenter.segments(of: bytes, format: format)
    }
    var blocks: [ParsedBlock] = []
    var parts: [Part] = []
    blocks.reserveCapacity(max(segments.count, old?.blocks.count ?? 0))
    parts.reserveCapacity(segments.count)
    for (index, segment) in segments.enumerated() {
      let first = blocks.count
      let fromEnd = segments.count - index
      if let old, let equal, let part = old.part(index, fromEnd, equalTo: segment, equal) {
        let distance = segment.range.lowerBound - part.segment.range.lowerBound
        for block in old.blocks[part.blocks] {
          let start = block.range.lowerBound + distance
          blocks.append(
            ParsedBlock(
              bytes: bytes, index: blocks.count, range: start..<start + block.range.count,
              box: block.box))
        }
      } else {
        var start = segment.range.lowerBound
        let text = segment.range.count == bytes.count ? bytes : Array(bytes[segment.range])
        let isStartOfFile = start == 0
        for piece in BlockParser.pieces(
          of: text, kind: segment.kind, isStartOfFile: isStartOfFile, rules)
        {
          blocks.append(
            ParsedBlock(
              bytes: bytes, index: blocks.count, range: start..<start + piece.length,
              box: SyntaxBox(piece.syntax, of: bytes, at: start)))
          start += piece.length
        }
      }
      parts.append(Part(segment: segment, blocks: first..<blocks.count))
    }
    self.bytes = bytes
    self.format = format
    self.rules = rules
    self.blocks = blocks
    if let old, ParsedDocument.haveSameNames(old.blocks, blocks) {
      names = old.names
    } else {
      names = NameIndex(blocks)
    }
    self.lines = LineIndex(bytes)
    self.parts = parts
  }

  private static func haveSameNames(_ old: [ParsedBlock], _ new: [ParsedBlock]) -> Bool {
    guard old.count == new.count else { return false }
    return old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        old.indices.allSatisfy { old[$0].box.hasSameNames(as: new[$0].box) }
      }
    }
  }

  /// The blocks that can be sent, in order.
  package var requests: [ParsedBlock] { blocks.filter(\.isRequest) }

  /// The block that holds an offset; a separator line belongs to the block it opens, and the
  /// offset at the end of the file to the last block. `nil` only for a file without bytes.
  package func block(at offset: Int) -> ParsedBlock? {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low < blocks.count ? blocks[low] : blocks.last
  }

  /// The format of a file by its ending: `.md` and `.markdown` are Markdown.
  package static func format(ofPath path: String) -> DocumentFormat {
    let small = path.lowercased()
    return small.hasSuffix(".md") || small.hasSuffix(".markdown") ? .markdown : .http
  }

  /// The part at the same index from the front or from the back, if its bytes are equal.
  private func part(
    _ index: Int, _ fromEnd: Int, equalTo segment: Segment, _ equal: EqualEnds
  ) -> Part? {
    if index < parts.count, parts[index].segment == segment,
      segment.range.upperBound <= equal.prefix
    {
      return parts[index]
    }
    let last = parts.count - fromEnd
    guard last >= 0 else { return nil }
    let part = parts[last]
    let start = segment.range.lowerBound
    let distance = start - part.segment.range.lowerBound
    // The start of the file is read differently, for a byte order mark may stand there.
    let isSame = distance == equal.newCount - equal.oldCount
      && part.segment.range.count == segment.range.count && part.segment.kind == segment.kind
      && (start == 0) == (part.segment.range.lowerBound == 0)
    return isSame && start >= equal.newCount - equal.suffix ? part : nil
  }
}

/// The tree of a block, shared by all documents that hold the block.
final class SyntaxBox: Sendable {
  /// The tree.
  let syntax: BlockSyntax
  /// The block's name; kept, for the names of all requests are looked at after every edit.
  let name: String?
  /// The block's title.
  let title: String?
  /// The names by which the block is found when no exact one is.
  let foldedNames: [String]

  /// Keeps a tree of the block that starts at an offset of a file.
  init(_ syntax: BlockSyntax, of bytes: [UInt8], at start: Int) {
    self.syntax = syntax
    func text(_ range: Range<Int>) -> String {
      String(decoding: bytes[start + range.lowerBound..<start + range.upperBound], as: UTF8.self)
    }
    let written = syntax.separator?.title.map(text)
    let title = written.flatMap { ParsedDocument.isName($0) ? $0 : nil }
    let tag = syntax.metadata.first { $0.foldedKey == "name" && !$0.value.isEmpty }
    self.title = title
    self.name = tag.map { text($0.value) } ?? title
    foldedNames = [name, name == title ? nil : title].compactMap { name in
      name.map(ParsedDocument.foldedName).flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}
