// Where a name is used: in the workspace, and in the file that is looked at.

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSyntax
import PostKitText

/// The handlers of a name's other places.
enum Referring {
  /// `textDocument/references`: all places that mean the same, in all files of the workspace.
  static func references(
    _ snapshot: Snapshot, _ params: LSP.ReferenceParams
  ) async throws(RPCError) -> [LSP.Location]? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let project = await snapshot.services.index.project(snapshot)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let path = document.indexKey
    guard let found = project.meaning(in: path, at: converter.offset(params.position)) else {
      return nil
    }
    let uses = project.uses(of: found.meaning, from: found.occurrence, in: path)
    var all: [LSP.Location] = []
    for uses in uses {
      try Abandonment.check()
      var places = NamePlaces(uses.file, snapshot)
      let wanted = uses.occurrences.filter {
        params.context.includeDeclaration || !$0.isDefinition
      }
      let locations = wanted.map { places.location($0.range) }
      if let token = params.partialResultToken {
        if !locations.isEmpty { snapshot.client.progress(token, PartialResult(values: locations)) }
      } else {
        all += locations
      }
    }
    return all
  }

  /// `textDocument/documentHighlight`: the same name in this file, or the same header's.
  static func documentHighlight(
    _ snapshot: Snapshot, _ params: LSP.DocumentHighlightParams
  ) async throws(RPCError) -> [LSP.DocumentHighlight]? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let names = await snapshot.services.index.names(of: document, snapshot)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let offset = converter.offset(params.position)
    var found = ProjectIndex([names]).highlights(in: names.path, at: offset)
    if found.isEmpty { found = document.parsed.headerHighlights(at: offset) }
    return found.map { highlight in
      let kind: LSP.DocumentHighlightKind =
        switch highlight.kind {
        case .text: .text
        case .read: .read
        case .write: .write
        }
      return LSP.DocumentHighlight(range: converter.lsp(highlight.range), kind: kind)
    }
  }
}

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
