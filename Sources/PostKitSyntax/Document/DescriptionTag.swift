// Which descriptions a file names by itself: `# @openapi PATH[#operationId]` and
// `# @graphql-schema PATH`.

/// The description that a tag names.
package struct DescriptionTag: Sendable, Hashable {
  /// The path as written, or the URL of one that was fetched before; never empty.
  package let path: String
  /// The operation that the request is, by the description's own word for it.
  package let operation: String?
  /// The bytes of the tag's value in the document.
  package let range: Range<Int>
}

extension ParsedDocument {
  /// The description that a block names, else the one that the first block names for the whole file
  /// (IO-34); an operation is that of the block's own tag alone.
  package func descriptionTag(of block: ParsedBlock?) -> DescriptionTag? {
    if let block, let own = block.descriptionTag { return own }
    guard let first = blocks.first, let shared = first.descriptionTag else { return nil }
    return DescriptionTag(path: shared.path, operation: nil, range: shared.range)
  }
}

extension ParsedDocument {
  /// The path of the GraphQL schema that a block names, else that the first block names for the
  /// whole file (IO-39), with the bytes of the tag's value.
  package func schemaTag(of block: ParsedBlock?) -> (path: String, range: Range<Int>)? {
    for block in [block, blocks.first] {
      guard let block,
        let tag = block.metadata.last(where: {
          $0.kind == .graphQLSchema && $0.region != .body && !$0.value.isEmpty
        })
      else { continue }
      return (block.text(tag.value), block.absolute(tag.value))
    }
    return nil
  }
}

extension ParsedBlock {
  /// The description that the block itself names: the last tag counts.
  fileprivate var descriptionTag: DescriptionTag? {
    guard let tag = metadata.last(where: { $0.kind == .openAPI && $0.region != .body }) else {
      return nil
    }
    let written = text(tag.value)
    let mark = written.lastIndex(of: "#")
    let path = String(mark.map { written[..<$0] } ?? written[...])
    guard !path.isEmpty else { return nil }
    let operation = mark.map { String(written[written.index(after: $0)...]) }
    return DescriptionTag(
      path: path, operation: operation.flatMap { $0.isEmpty ? nil : $0 },
      range: absolute(tag.value))
  }
}
