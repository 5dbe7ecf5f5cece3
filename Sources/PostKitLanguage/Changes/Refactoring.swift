// Refactorings of a request: what can be done to it without changing what is sent, or on purpose.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

extension Analysis {
  /// The refactorings that are offered for a selection, which may be a place.
  package func refactorings(
    in range: Range<Int>, _ files: EnvironmentFiles? = nil
  ) -> [CodeChange] {
    let moved =
      [files.flatMap { privateMove(of: range, $0) }, inlining(at: range)].compactMap { $0 }
      + scriptRefactorings(in: range)
    guard let block = request(at: range.lowerBound), let request = block.syntax.request,
      range.upperBound <= block.range.upperBound
    else { return moved }
    let place = Refactoring(analysis: self, block: block, request: request, selection: range)
    if let curl = request.curl { return [place.conversion(of: curl)].compactMap { $0 } }
    return moved + [
      place.extraction, place.environmentExtraction(files), place.hostUse, place.hostExtraction,
      place.sharedHeaders, place.switching, place.queryLines, place.otherMethod,
      place.jsonLines, place.jsonLine, place.otherForm, place.contentType,
      place.encodedTarget, place.otherPlace, place.missingParameters,
    ].compactMap { $0 } + place.sampleBodies
  }
}

/// A request and what is selected in it.
struct Refactoring {
  let analysis: Analysis
  let block: ParsedBlock
  let request: RequestSyntax
  /// The bytes of the file that are selected.
  let selection: Range<Int>

  var document: ParsedDocument { analysis.document }
  var lineEnd: String { document.lineEndText }

  /// A curl command as a request of the file's own form.
  func conversion(of command: Range<Int>) -> CodeChange? {
    guard let text = CurlConversion.request(of: block) else { return nil }
    // A prompt of a shell before the command goes with it.
    let range = min(request.line.lowerBound, command.lowerBound)..<command.upperBound
    return CodeChange(.rewrite, "Convert to request", [TextEdit(block.absolute(range), text)])
  }

  /// The text of bytes of the file.
  func text(_ range: Range<Int>) -> String {
    String(decoding: document.bytes[range], as: UTF8.self)
  }

  /// Whether the selection touches bytes of the block.
  func touches(_ range: Range<Int>) -> Bool {
    let absolute = block.absolute(range)
    return absolute.lowerBound <= selection.upperBound
      && selection.lowerBound <= absolute.upperBound
  }

  /// The pieces of the target as bytes of the file.
  var target: [Range<Int>] { request.target.map { block.absolute($0) } }

  /// Whether the selection is in the request line or in a line of the target that follows it.
  var isInTarget: Bool { touches(request.line) || request.target.contains(where: touches) }

  /// The first header of a name.
  func header(_ name: String) -> HeaderSyntax? {
    request.headers.first { block.text($0.name).lowercased() == name }
  }

  /// The media type that the request names.
  var mediaType: MediaType? {
    guard let value = header("content-type")?.value.first else { return nil }
    return MediaType(block.text(value))
  }

  /// The whole line of a header with its line end.
  func wholeLine(_ header: HeaderSyntax) -> Range<Int> {
    let line = block.absolute(header.line)
    let first = document.lines.range(ofLine: document.line(at: line.lowerBound))
    let last = document.lines.range(ofLine: document.line(at: line.upperBound))
    return first.lowerBound..<last.upperBound
  }

  /// The end of the last line of the head.
  var endOfHead: Int {
    let ends =
      [request.line.upperBound] + request.target.map(\.upperBound)
      + request.headers.map(\.line.upperBound)
    return document.lineRange(at: block.range.lowerBound + (ends.max() ?? 0)).upperBound
  }

  /// The bytes of the body, where it is text alone.
  var bodyText: String? {
    guard let body = request.body, body.lines.allSatisfy({ $0.kind == .text }) else { return nil }
    return String(validating: document.bytes[block.absolute(body.range)], as: UTF8.self)
  }

  /// Where a definition for the whole file goes; in Markdown above the request.
  func definition(_ name: String, _ value: String) -> TextEdit {
    let top = document.bytes.byteOrderMarkLength
    let line = document.lineRange(at: block.absolute(request.line).lowerBound).lowerBound
    let at = document.format == .http ? top : line
    return TextEdit(at..<at, "@\(name) = \(value)\(lineEnd)")
  }
}
