// What is highlighted in a file together with what the caret stands on.

package import PostKitSyntax

/// A place of the same name in one file.
package struct NameHighlight: Sendable, Hashable {
  /// What is done with the name there.
  package enum Kind: Sendable, Hashable { case text, read, write }
  package var range: Range<Int>
  package var kind: Kind
}

extension ProjectIndex {
  /// The places in a file that name what stands at an offset.
  package func highlights(in path: String, at offset: Int) -> [NameHighlight] {
    guard let (meaning, occurrence) = meaning(in: path, at: offset) else { return [] }
    return uses(of: meaning, from: occurrence, in: path).first { $0.file.path == path }?
      .occurrences.map {
        NameHighlight(range: $0.range, kind: $0.isDefinition ? .write : .read)
      } ?? []
  }
}

extension ParsedDocument {
  /// The headers of the file with the name of the one at an offset.
  package func headerHighlights(at offset: Int) -> [NameHighlight] {
    guard let block = block(at: offset) else { return [] }
    let place = offset - block.range.lowerBound
    let header = block.request?.headers.first {
      !$0.isSpread && !$0.value.isEmpty && $0.name.lowerBound <= place
        && place <= $0.name.upperBound
    }
    guard let header else { return [] }
    let name = block.text(header.name).lowercased()
    return blocks.flatMap { block in
      (block.request?.headers.filter { !$0.value.isEmpty } ?? []).compactMap { header in
        block.text(header.name).lowercased() == name
          ? NameHighlight(range: block.absolute(header.name), kind: .text) : nil
      }
    }
  }
}
