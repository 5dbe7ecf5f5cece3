// Positions of the protocol and offsets of a text.

package import LanguageServerProtocol
import PostKitText

extension TextPosition {
  /// A position of the protocol; what its column counts depends on the encoding agreed upon.
  package init(_ position: LSP.Position) {
    self.init(line: position.line, column: position.character)
  }
}

extension PositionConverter {
  /// The position of an offset.
  package func lsp(_ offset: Int) -> LSP.Position {
    let position = position(of: offset)
    return LSP.Position(line: position.line, character: position.column)
  }

  /// The range of two offsets.
  package func lsp(_ range: Range<Int>) -> LSP.Range {
    LSP.Range(start: lsp(range.lowerBound), end: lsp(range.upperBound))
  }

  /// The offset of a position.
  package func offset(_ position: LSP.Position) -> Int { offset(of: TextPosition(position)) }

  /// The offsets of a range.
  package func offsets(_ range: LSP.Range) -> Range<Int> {
    self.range(from: TextPosition(range.start), to: TextPosition(range.end))
  }
}
