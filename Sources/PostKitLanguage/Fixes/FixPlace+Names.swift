// Fixes of names: requests, methods, tags and variables that were meant otherwise.

import PostKitEvaluate
import PostKitSyntax
import PostKitText

extension FixPlace {
  /// A name that no request has yet.
  var rename: [QuickFix] {
    let name = text
    let free = (2...).lazy.map { "\(name)-\($0)" }.first { document.blocks(named: $0).isEmpty }
    return free.map { [QuickFix("Rename it to `\($0)`", replacing($0))] } ?? []
  }

  /// The method that was meant.
  var method: [QuickFix] {
    writing(Suggestion.nearest(to: text, among: MethodCatalog.all.map(\.name)))
  }

  /// The tag that was meant, or no tag.
  var tag: [QuickFix] {
    guard let tag = block.syntax.metadata.first(where: { block.absolute($0.line).overlaps(range) })
    else { return [] }
    let key = block.absolute(tag.key)
    let known = MetadataTable.offered.map(\.key)
    if let meant = Suggestion.nearest(to: text(key), among: known) {
      return [QuickFix("Write `@\(meant)`", TextEdit(key, meant))]
    }
    return [QuickFix("Remove the `@`", TextEdit(key.lowerBound - 1..<key.lowerBound, ""))]
  }

  /// The request that a tag means.
  var requestOfTag: [QuickFix] {
    let tag = block.syntax.metadata.first { block.absolute($0.line).overlaps(range) }
    return tag.map { request(block.absolute($0.value)) } ?? []
  }

  /// The request that was meant.
  func request(_ name: Range<Int>) -> [QuickFix] {
    writing(Suggestion.nearest(to: text(name), among: requestNames), at: name)
  }

  private var requestNames: [String] {
    analysis.scope.files.files.flatMap { $0.document.requests.compactMap(\.name) }
  }

  /// The client of a sign-in that was meant.
  var client: [QuickFix] {
    let text = block.slice(0..<block.range.count)
    guard let reference = block.references.first(where: { block.absolute($0.range) == range }),
      let found = NamedReference(reference.expression, reference.inner, in: text)
    else { return [] }
    let known = analysis.scope.environments.clients.keys.sorted()
    return writing(
      Suggestion.nearest(to: found.name, among: known), at: block.absolute(found.range))
  }

  /// The variable that was meant, or a definition of the one that is written.
  var variable: [QuickFix] {
    guard
      let reference = block.syntax.references.first(where: { block.absolute($0.range) == range }),
      case .path(let name, let rest) = reference.expression,
      let start = text.utf8Offset(of: name)
    else { return [] }
    let place = range.lowerBound + start..<range.lowerBound + start + name.utf8.count
    let known = analysis.scope.definitions(at: range.lowerBound).map(\.name)
    // A path leads into what a request got, or into an object.
    guard rest.isEmpty else {
      return writing(Suggestion.nearest(to: name, among: requestNames + known), at: place)
    }
    let meant = Suggestion.nearest(to: name, among: known).map {
      QuickFix("Write `{{\($0)}}`", TextEdit(place, $0))
    }
    // Above the request in Markdown, whose first line is prose.
    let request = block.syntax.request.map { block.absolute($0.line) } ?? block.range
    let top = document.lineRange(at: request.lowerBound).lowerBound
    let at = document.format == .http ? startOfFile : top
    let definition = QuickFix(
      "Define `\(name)` in this file", inserting("@\(name) = " + lineEnd, at: at))
    return [meant, definition].compactMap { $0 }
  }
}

extension String {
  /// Where another text begins, in bytes.
  fileprivate func utf8Offset(of other: String) -> Int? {
    let (whole, part) = (Array(utf8), Array(other.utf8))
    return whole.indices.first { whole[$0...].starts(with: part) }
  }
}
