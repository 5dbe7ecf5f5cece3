// Headers that all requests of a file have, written once in a block that they share (PK-40).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

extension Refactoring {
  /// How many requests are compared while an editor waits for the list of actions.
  private static let mostShared = 100

  /// The selected headers, or without a selection those that all requests have alike, in a block
  /// that is shared.
  var sharedHeaders: CodeChange? {
    guard analysis.scope.dialect.sharesBlocks, document.format == .http, block.sharing == nil,
      request.headers.contains(where: { touches($0.line) })
    else { return nil }
    let blocks = document.requests.filter { $0.sharing == nil }
    let chosen = chosenHeaders
    guard (2...Refactoring.mostShared).contains(blocks.count), !chosen.isEmpty,
      blocks.allSatisfy({ $0.request?.curl == nil })
    else { return nil }
    let lines = chosen.map { block.text($0.line) }
    let places = blocks.map { other in lines.map { place(of: $0, in: other) } }
    let isCommon = lines.indices.map { index in places.allSatisfy { $0[index] != nil } }
    let kept = selection.isEmpty ? lines.indices.filter { isCommon[$0] } : Array(lines.indices)
    guard let first = kept.first else { return nil }
    let count = kept.count == 1 ? "`\(block.text(chosen[first].name))`" : "\(kept.count) headers"
    let title = "Share \(count) between all \(blocks.count) requests"
    if let index = kept.first(where: { !isCommon[$0] }),
      let other = blocks.indices.first(where: { places[$0][index] == nil })
    {
      let name = block.text(chosen[index].name)
      return CodeChange(
        .extract, title,
        disabled: "`\(blocks[other].caption)` has another `\(name)` or none, so it would change.")
    }
    let edits = sharing(kept.map { lines[$0] }, above: blocks[0])
      + places.flatMap { lines in kept.compactMap { lines[$0] } }.map { TextEdit($0, "") }
    guard isSame(after: edits) else {
      return CodeChange(.extract, title, disabled: "This would change what a request sends.")
    }
    return CodeChange(.extract, title, edits)
  }

  /// The headers that can be shared: a body's own belong to it.
  private var chosenHeaders: [HeaderSyntax] {
    request.headers.filter { header in
      let line = block.absolute(header.line)
      let isChosen =
        selection.isEmpty
        || line.lowerBound < selection.upperBound && selection.lowerBound < line.upperBound
      return isChosen && !header.isSpread && !header.value.isEmpty
        && !block.text(header.name).lowercased().hasPrefix("content-")
        && String(validating: block.slice(header.line), as: UTF8.self) != nil
    }
  }

  /// The whole line of a header in a request.
  private func place(of line: String, in block: ParsedBlock) -> Range<Int>? {
    guard let request = block.request,
      let header = request.headers.first(where: { block.slice($0.line).elementsEqual(line.utf8) })
    else { return nil }
    let place = Refactoring(
      analysis: analysis, block: block, request: request, selection: selection)
    return place.wholeLine(header)
  }

  /// The lines in the shared block that there is, or in a new one.
  private func sharing(_ lines: [String], above first: ParsedBlock) -> [TextEdit] {
    let text = lines.map { $0 + lineEnd }.joined()
    if let shared = document.sharedBlocks.first(where: \.isPlaceholder), let head = shared.request {
      let ends = [head.line.upperBound] + head.headers.map(\.line.upperBound)
      let end = shared.absolute(0..<(ends.max() ?? 0)).upperBound
      let line = document.lines.range(ofLine: document.line(at: end))
      return [TextEdit(line.upperBound..<line.upperBound, text)]
    }
    let start = first.range.lowerBound
    let rest = first.syntax.separator == nil ? "###" + lineEnd : ""
    return [TextEdit(start..<start, "### Shared" + lineEnd + text + lineEnd + rest)]
  }

  /// Whether each request is sent as before, but for the order of its headers.
  private func isSame(after edits: [TextEdit]) -> Bool {
    guard let bytes = TextEdit.apply(edits, to: document.bytes) else { return false }
    let before = sent(document)
    return before == sent(ParsedDocument(bytes: bytes, rules: document.rules))
  }

  private func sent(_ document: ParsedDocument) -> [RequestSpec?] {
    var context = analysis.context
    (context.now, context.random) = ({ 0 }, { 7 })
    let scope = Scope(
      document: document, environments: analysis.scope.environments,
      dialect: analysis.scope.dialect)
    return document.requests.filter { $0.sharing == nil }.map { block in
      let lowered = Lowering.lower(
        block, evaluator: Evaluator(context: context, scope: scope), defaults: analysis.defaults)
      guard var spec = lowered.spec else { return nil }
      spec.headers.fields.sort { ($0.name, $0.value) < ($1.name, $1.value) }
      return spec
    }
  }
}
