// What follows from a typed character: the indentation of JSON, the blank behind `###`. Only blanks
// change, and none that is a part of a value.

package import PostKitSyntax
package import PostKitText

/// How an editor indents.
package struct Indentation: Sendable, Hashable {
  package var width: Int
  package var usesTabs: Bool

  /// Makes an indentation.
  package init(width: Int, usesTabs: Bool) {
    self.width = max(1, min(width, 16))
    self.usesTabs = usesTabs
  }

  /// The blanks of a depth.
  fileprivate func text(_ depth: Int) -> String {
    usesTabs
      ? String(repeating: "\t", count: depth) : String(repeating: " ", count: depth * width)
  }
}

/// The edits that follow a typed character.
package enum TypingEdits {
  /// The characters after which an editor should ask, the commonest first.
  package static let triggers = ["\n", "}", "]", "#"]

  /// The edits once a character was typed before an offset.
  package static func edits(
    _ document: ParsedDocument, after character: String, at offset: Int,
    indenting indentation: Indentation
  ) -> [TextEdit] {
    let line = CaretLine(document, at: offset)
    switch character {
    case "#": return separator(document, line)
    case "\n", "}", "]":
      guard case .body(let range) = CursorContext(document, at: offset),
        isJSON(document, line.caret)
      else { return [] }
      return indent(document, range, line, isNew: character == "\n", indentation)
    default: return []
    }
  }

  /// The blank behind three hashes that stand alone.
  private static func separator(_ document: ParsedDocument, _ line: CaretLine) -> [TextEdit] {
    guard line.caret == line.range.upperBound, line.text(line.range) == "###",
      document.block(at: line.range.lowerBound)?.syntax.separator != nil
    else { return [] }
    return [TextEdit(line.caret..<line.caret, " ")]
  }

  private static func isJSON(_ document: ParsedDocument, _ caret: Int) -> Bool {
    guard let block = document.block(at: caret), let request = block.request,
      let body = request.body
    else { return false }
    let type = request.headers.first { block.text($0.name).lowercased() == "content-type" }
    guard let value = type?.value.first.map(block.text)?.lowercased() else {
      let first = block.slice(body.range).first { $0 > 32 }
      return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
    return value.contains("json") && !value.contains("ndjson") && !value.contains("jsonl")
  }

  /// Sets the line of the caret as deep as it lies; of a line that was typed before only one that
  /// a bracket closes.
  private static func indent(
    _ document: ParsedDocument, _ range: Range<Int>, _ line: CaretLine, isNew: Bool,
    _ indentation: Indentation
  ) -> [TextEdit] {
    let bytes = document.bytes
    let blanks = bytes[line.range].prefix { $0 == 32 || $0 == 9 }
    let content = bytes[blanks.endIndex..<line.range.upperBound]
    let closes = content.first == UInt8(ascii: "}") || content.first == UInt8(ascii: "]")
    if isNew ? !(line.caret <= blanks.endIndex) : !(closes && line.caret == blanks.endIndex + 1) {
      return []
    }
    let start = line.range.lowerBound
    guard start > range.lowerBound else { return [] }
    let sketch = JSONSketch(bytes, in: range.lowerBound..<start, caret: start)
    guard !sketch.endsInString else { return [] }
    let depth = max(0, sketch.depth - (closes ? 1 : 0))
    let text = baseIndentation(bytes, range.lowerBound) + indentation.text(depth)
    return blanks.elementsEqual(text.utf8) ? [] : [TextEdit(blanks.indices, text)]
  }

  /// The blanks before the first line of a body.
  private static func baseIndentation(_ bytes: [UInt8], _ start: Int) -> String {
    var from = start
    while from > 0, bytes[from - 1] == 32 || bytes[from - 1] == 9 { from -= 1 }
    return String(decoding: bytes[from...].prefix { $0 == 32 || $0 == 9 }, as: UTF8.self)
  }
}
