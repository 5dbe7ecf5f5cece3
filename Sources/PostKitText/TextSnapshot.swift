// One version of one document; features read it while the next version is already being typed.

/// An immutable text with its line index.
package struct TextSnapshot: Sendable, Hashable {
  /// The document's URI as the client spelt it, so that it gets that spelling back (D10).
  package let uri: String
  /// The version as the client counts; `nil` for a file that was read from disk.
  package let version: Int?
  /// The text in UTF-8, line ends as they are.
  package let bytes: [UInt8]
  /// Where the lines of the text start.
  package let lines: LineIndex

  /// Makes a snapshot and scans its lines.
  package init(uri: String, version: Int?, bytes: [UInt8]) {
    self.init(uri: uri, version: version, bytes: bytes, lines: LineIndex(bytes))
  }

  private init(uri: String, version: Int?, bytes: [UInt8], lines: LineIndex) {
    self.uri = uri
    self.version = version
    self.bytes = bytes
    self.lines = lines
  }

  /// Makes a snapshot of a text.
  package init(uri: String, version: Int?, text: String) {
    self.init(uri: uri, version: version, bytes: Array(text.utf8))
  }

  /// The text; bytes that are no valid UTF-8 show as U+FFFD.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Converts positions of this text.
  package func converter(_ encoding: PositionEncoding) -> PositionConverter {
    PositionConverter(bytes: bytes, lines: lines, encoding: encoding)
  }

  /// The bytes of a range as text; the range is clamped to the text.
  package func text(in range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// The text of a line without its line end, counted from 0; empty for a line that doesn't exist.
  package func line(_ number: Int) -> String {
    guard number >= 0, number < lines.lineCount else { return "" }
    return text(in: lines.contentRange(ofLine: number, in: bytes))
  }

  /// The line end of the first line; LF where there is only one line.
  package var lineEnd: String {
    guard lines.lineCount > 1 else { return "\n" }
    let content = lines.contentRange(ofLine: 0, in: bytes)
    return text(in: content.upperBound..<lines.range(ofLine: 0).upperBound)
  }

  /// The text after the changes of one `didChange`, in order, each on the result of the one before.
  /// A change of the whole text makes those before it void (PROMISES.md D6).
  package func applying(
    _ changes: [TextChange], encoding: PositionEncoding, version: Int?
  ) -> TextSnapshot {
    var bytes = self.bytes
    var lines = self.lines
    // Lines below this number still are where the index says; clients send many cursors bottom up.
    var validLines = Int.max
    var rest = changes[...]
    if let full = rest.lastIndex(where: \.isFull) { rest = rest[full...] }
    if rest.count == 1, case .ranged(let start, let end, let text)? = rest.first {
      return typing(text, from: start, to: end, encoding, version)
    }
    for change in rest {
      switch change {
      case .full(let text):
        bytes = Array(text.utf8)
        lines = LineIndex(bytes)
        validLines = .max
      case .ranged(let start, let end, let text):
        if max(start.line, end.line) >= validLines {
          lines = LineIndex(bytes)
          validLines = .max
        }
        let converter = PositionConverter(bytes: bytes, lines: lines, encoding: encoding)
        let range = converter.range(from: start, to: end)
        let line = lines.line(at: range.lowerBound)
        bytes.replaceSubrange(range, with: text.utf8)
        // The line before may end in CR to which the new text adds LF, so it isn't relied upon.
        validLines = min(validLines, line - 1)
      }
    }
    return TextSnapshot(uri: uri, version: version, bytes: bytes)
  }

  /// The text after one change, which is what a stroke of a key is: its lines are not looked for
  /// anew.
  private func typing(
    _ text: String, from start: TextPosition, to end: TextPosition, _ encoding: PositionEncoding,
    _ version: Int?
  ) -> TextSnapshot {
    let range = converter(encoding).range(from: start, to: end)
    var bytes = self.bytes
    bytes.replaceSubrange(range, with: text.utf8)
    let lines = LineIndex(bytes, from: lines, replacing: self.bytes[range], by: text.utf8.count)
    return TextSnapshot(uri: uri, version: version, bytes: bytes, lines: lines ?? LineIndex(bytes))
  }
}
