// Completion at a caret in marked text: what the list begins with, and the line once an item is in.

import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import Testing

/// The items of a kind at the caret as `label | detail | origin`, the best first.
func checkCompletion(
  _ marked: String, bench: Bench = Bench(), with sources: CompletionSources = CompletionSources(),
  kind: CompletionKind? = nil, limit: Int = 4, is expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = MarkedText(marked)
  let items = bench.analysis(text.bytes).completion(at: text.offset(), with: sources).items
  let shown = items.filter { kind == nil || $0.kind == kind }.prefix(limit).map { item in
    [item.label, item.detail, item.origin].compactMap { $0 }.joined(separator: " | ")
  }
  #expect(shown.joined(separator: "\n") == expected, sourceLocation: sourceLocation)
}

/// The text once the item with a label is in; the caret is marked.
func checkInsertion(
  _ marked: String, _ label: String, bench: Bench = Bench(),
  with sources: CompletionSources = CompletionSources(), is expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = MarkedText(marked)
  let offset = text.offset()
  let items = bench.analysis(text.bytes).completion(at: offset, with: sources).items
  let labels = items.map(\.label)
  let item = try #require(
    items.first { $0.label == label }, "\(labels)", sourceLocation: sourceLocation)
  #expect(
    item.replaced.lowerBound <= offset && offset <= item.replaced.upperBound,
    sourceLocation: sourceLocation)
  var bytes = text.bytes
  bytes.replaceSubrange(item.replaced, with: Array(item.text.utf8))
  let caret = item.replaced.lowerBound + item.text.utf8.count
  #expect(
    MarkedText.mark(String(decoding: bytes, as: UTF8.self), at: [caret]) == expected,
    sourceLocation: sourceLocation)
}
