// The canonical layout of a file: blanks and blank lines outside of bodies, scripts and commands.
// What would be sent, names, order and the text of comments stay as they are.

package import PostKitText

/// What it takes to lay out a file.
package struct Formatting: Sendable, Hashable {
  /// The changes, in order; none where the file is laid out already. They hold blanks and line
  /// ends, and the `=` after a metadata key.
  package let edits: [TextEdit]
  /// The places among the blocks of those that are left as they are: their form is broken, or
  /// another layout would be read as something else.
  package let keptBlocks: [Int]

  /// Works out the layout of a file, or of those of its blocks that ranges of it touch.
  package init(_ document: ParsedDocument, touching ranges: [Range<Int>]? = nil) {
    let others = Set(
      ranges.map { ranges in
        document.blocks.indices.filter { !document.blocks[$0].isTouched(by: ranges) }
      } ?? [])
    var kept = others.union(document.blocks.indices.filter { !document.blocks[$0].hasSoundForm })
    var edits = Formatting.edits(document, keeping: kept)
    // The rules are meant to change no meaning. Here that is made certain: what is read otherwise
    // afterwards stays as it was.
    for isLast in [false, true] {
      let misread = Formatting.misreadBlocks(of: document, after: edits)
      if misread.isEmpty { break }
      kept.formUnion(isLast ? Set(document.blocks.indices) : misread)
      edits = Formatting.edits(document, keeping: kept)
    }
    self.edits = edits
    keptBlocks = kept.subtracting(others).sorted()
  }

  private static func edits(_ document: ParsedDocument, keeping kept: Set<Int>) -> [TextEdit] {
    let newLine = document.lineEnd
    var edits: [TextEdit] = []
    for block in document.blocks where block.syntax.kind != .prose && !kept.contains(block.index) {
      let blocks = document.blocks
      let isFirst = block.index == 0 || blocks[block.index - 1].syntax.kind == .prose
      let next = block.index + 1 < blocks.count ? blocks[block.index + 1] : nil
      let isLast = next.map { $0.syntax.kind == .prose } ?? true
      var layout = BlockLayout(
        block, isFirst: isFirst, isLast: isLast, endsFile: next == nil, newLine: newLine)
      let start = block.range.lowerBound
      edits += layout.edits().map { edit in
        TextEdit(edit.range.lowerBound + start..<edit.range.upperBound + start, edit.replacement)
      }
    }
    return edits
  }

  /// The blocks that would be read otherwise after the edits; all of them where the edits make
  /// blocks come or go.
  private static func misreadBlocks(
    of document: ParsedDocument, after edits: [TextEdit]
  ) -> Set<Int> {
    if edits.isEmpty { return [] }
    let all = Set(document.blocks.indices)
    guard let bytes = TextEdit.apply(edits, to: document.bytes) else { return all }
    let after = ParsedDocument(
      bytes: bytes, format: document.format, rules: document.rules, reusing: document)
    let old = document.blocks.filter { !$0.isBlank }
    let new = after.blocks.filter { !$0.isBlank }
    guard old.count == new.count else { return all }
    return Set(
      zip(old, new).filter { !$0.hasSameTree(as: $1) && $0.essence != $1.essence }
        .map(\.0.index))
  }
}

extension ParsedDocument {
  /// The line end that new lines of the file get.
  package var lineEndText: String { String(decoding: lineEnd, as: UTF8.self) }

  /// The line end of the first line, which new lines get; LF where there is only one line.
  fileprivate var lineEnd: [UInt8] {
    guard let feed = bytes.firstIndex(of: Byte.lineFeed) else { return [Byte.lineFeed] }
    return feed > 0 && bytes[feed - 1] == Byte.carriageReturn
      ? [Byte.carriageReturn, Byte.lineFeed] : [Byte.lineFeed]
  }
}

extension ParsedBlock {
  /// Whether one of some ranges has a byte of it, or is a place in it.
  fileprivate func isTouched(by ranges: [Range<Int>]) -> Bool {
    ranges.contains {
      $0.isEmpty
        ? range.lowerBound <= $0.lowerBound && $0.lowerBound < max(range.upperBound, 1)
          || $0.lowerBound == range.upperBound && range.upperBound == bytes.count
        : $0.overlaps(range)
    }
  }

  /// Whether every line is understood, so that blanks can be told from text.
  fileprivate var hasSoundForm: Bool {
    syntax.tokens.allSatisfy { $0.kind != .unexpected }
      && syntax.problems.allSatisfy { $0.kind != .unterminatedScript }
  }

  /// Whether nothing stands in it.
  fileprivate var isBlank: Bool {
    syntax.tokens.allSatisfy { $0.kind == .blank || $0.kind == .lineEnd }
  }

  /// A piece of a block's text that no layout changes.
  fileprivate struct Piece: Hashable {
    var kind: TokenKind
    var text: [UInt8]
  }

  /// The block's text without what a layout may change: the body verbatim, and the other tokens
  /// without blanks around them and without the `=` of metadata.
  fileprivate var essence: [Piece] {
    let body = syntax.request?.body?.range
    var pieces: [Piece] = []
    var at = 0
    var previous = TokenKind.blank
    for token in syntax.tokens {
      let range = at..<at + Int(token.length)
      at = range.upperBound
      if body.map({ $0.lowerBound < range.upperBound && range.lowerBound < $0.upperBound }) == true
      {
        pieces.append(Piece(kind: token.kind, text: Array(slice(range))))
        continue
      }
      if token.kind == .blank || token.kind == .lineEnd { continue }
      if token.kind == .metadataMarker || token.kind == .assertion {
        pieces.append(Piece(kind: token.kind, text: slice(range).filter { !$0.isBlank }))
      } else if token.kind != .variableOperator || previous != .metadataKey {
        pieces.append(Piece(kind: token.kind, text: Array(slice(range))))
      }
      previous = token.kind
    }
    return pieces
  }
}
