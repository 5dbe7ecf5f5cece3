// Changes of the text that take a diagnostic away, where one can be made without thinking.

package import PostKitText
import PostKitEvaluate
import PostKitSyntax

/// A change that takes a diagnostic away.
package struct QuickFix: Sendable, Hashable {
  /// What is done, such as `Put a blank line before the body`.
  package var title: String
  /// The edits, whose ranges all mean the text as it is.
  package var edits: [TextEdit]

  init(_ title: String, _ edits: TextEdit...) {
    self.title = title
    self.edits = edits
  }

  init(_ title: String, edits: [TextEdit]) {
    self.title = title
    self.edits = edits
  }

  /// A refactoring that mends something.
  init(_ change: CodeChange) { self.init(change.title, edits: change.edits) }
}

extension Analysis {
  /// The changes that take a diagnostic of this file away, the likeliest first.
  package func fixes(for diagnostic: Diagnostic) -> [QuickFix] {
    guard let edit = diagnostic.code.entry.edit else { return [] }
    return FixPlace(self, diagnostic).map(edit) ?? []
  }
}

extension Analysis {
  /// The request of this file to be sent first, where a diagnostic says that its response is
  /// missing: its title, and an offset in it.
  package func requestToSend(for diagnostic: Diagnostic) -> (title: String, offset: Int)? {
    guard diagnostic.code == .requestNotRun,
      let block = document.block(at: diagnostic.range.lowerBound),
      let reference = block.references.first(where: {
        block.absolute($0.range) == diagnostic.range
      })
    else { return nil }
    guard case .path(let written, let rest) = reference.expression,
      let name = rest.isEmpty ? scope.requestDefining(written) : written,
      let place = scope.files.place(referredToAs: name, from: scope.file),
      place.file == 0
    else { return nil }
    let request = scope.files.block(place)
    return (request.name ?? name, request.requestLine.lowerBound)
  }
}

/// Where a diagnostic stands, and the edits that fixes are made of.
struct FixPlace {
  let analysis: Analysis
  /// The bytes of the diagnostic.
  let range: Range<Int>
  /// What the diagnostic itself proposes in place of these bytes.
  let replacement: String?
  /// The block in which they begin.
  let block: ParsedBlock

  init?(_ analysis: Analysis, _ diagnostic: Diagnostic) {
    guard let block = analysis.document.block(at: diagnostic.range.lowerBound) else { return nil }
    self.analysis = analysis
    range = diagnostic.range
    replacement = diagnostic.replacement
    self.block = block
  }

  var document: ParsedDocument { analysis.document }

  /// The text of the diagnostic's bytes.
  var text: String { text(range) }

  /// The text of some bytes of the file.
  func text(_ range: Range<Int>) -> String {
    String(decoding: document.bytes[range], as: UTF8.self)
  }

  /// The line end of the file's first line.
  var lineEnd: String { document.lineEndText }

  /// The line of the diagnostic with its line end.
  var wholeLine: Range<Int> { document.lines.range(ofLine: document.line(at: range.lowerBound)) }

  /// Where lines of the author's may begin: behind a byte order mark.
  var startOfFile: Int { document.bytes.byteOrderMarkLength }

  /// Puts a text in the place of the diagnostic's bytes.
  func replacing(_ text: String) -> TextEdit { TextEdit(range, text) }

  /// The fix that writes a text in the place of bytes, those of the diagnostic unless others are
  /// given; none where there is no text.
  func writing(_ text: String?, at place: Range<Int>? = nil) -> [QuickFix] {
    text.map { [QuickFix("Write `\($0)`", TextEdit(place ?? range, $0))] } ?? []
  }

  /// Puts a text somewhere.
  func inserting(_ text: String, at offset: Int) -> TextEdit { TextEdit(offset..<offset, text) }

  /// Puts a line above the one of an offset.
  func insertingLine(_ text: String, above offset: Int) -> TextEdit {
    inserting(text + lineEnd, at: document.lineRange(at: offset).lowerBound)
  }

  // MARK: - The whole file

  /// The file without its byte order mark.
  var markRemoval: [QuickFix] { [QuickFix("Remove the byte order mark", TextEdit(range, ""))] }

  /// All lines with the line end of the first one.
  var lineEnds: [QuickFix] {
    let end = lineEnd
    var edits: [TextEdit] = []
    for (at, byte) in document.bytes.enumerated() where byte == 10 {
      let start = at > 0 && document.bytes[at - 1] == 13 ? at - 1 : at
      if at + 1 - start != end.utf8.count { edits.append(TextEdit(start..<at + 1, end)) }
    }
    return [QuickFix("End every line in \(end == "\n" ? "LF" : "CRLF")", edits: edits)]
  }

  /// The suggested reading, and the one that is in force.
  var dialects: [QuickFix] {
    guard let suggestion = analysis.dialectSuggestion else { return [] }
    return [suggestion.preset, .auto].map { preset in
      QuickFix(
        "Read this file as \(preset.toolName) does (`# @dialect \(preset.rawValue)`)",
        inserting("# @dialect \(preset.rawValue)" + lineEnd, at: startOfFile))
    }
  }
}
