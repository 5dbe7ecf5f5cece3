// Places in files of the index of names.

import LanguageServerProtocol
import PostKitLanguage
import PostKitSession
import PostKitText

/// Positions in a file of the index, of which the bytes are at hand only where they are needed.
struct NamePlaces {
  let uri: String
  private let lines: LineIndex
  private var cursor: PositionCursor?

  /// Looks into a file.
  init(_ file: FileNames, _ snapshot: Snapshot) {
    uri = snapshot.spelling(ofIndexed: file)
    lines = file.lines
    if !file.bytes.isEmpty {
      cursor = PositionCursor(
        bytes: file.bytes, lines: file.lines, encoding: snapshot.client.profile.encoding)
    }
  }

  /// The position of an offset, which stands in no line end.
  mutating func position(_ offset: Int) -> LSP.Position {
    if let position = cursor?.position(of: offset) {
      return LSP.Position(line: position.line, character: position.column)
    }
    let line = lines.line(at: offset)
    return LSP.Position(line: line, character: offset - lines.range(ofLine: line).lowerBound)
  }

  /// The range of two offsets.
  mutating func range(_ range: Range<Int>) -> LSP.Range {
    LSP.Range(start: position(range.lowerBound), end: position(range.upperBound))
  }

  /// The place of a range.
  mutating func location(_ range: Range<Int>) -> LSP.Location {
    LSP.Location(uri: uri, range: self.range(range))
  }
}

extension Snapshot {
  /// The URI of a file of the index, as the client spells it where it has it open.
  func spelling(ofIndexed file: FileNames) -> String {
    guard file.path.hasPrefix("/") else { return file.path }
    let uri = DocumentURI(path: file.path)
    return documents[uri]?.uri.spelling ?? uri.spelling
  }
}
