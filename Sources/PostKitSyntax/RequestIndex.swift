// The requests of a file by name, for callers that ask often.

/// Finds requests by name in constant time where the name is exact.
package struct RequestIndex: Sendable {
  private let document: ParsedDocument
  private let exact: [String: Int]
  private let folded: [String: Int]

  /// Collects the names of a file.
  package init(_ document: ParsedDocument) {
    self.document = document
    var exact: [String: Int] = [:]
    var folded: [String: Int] = [:]
    exact.reserveCapacity(document.blocks.count)
    folded.reserveCapacity(document.blocks.count)
    for block in document.blocks where block.isRequest {
      let (name, title) = (block.box.name, block.box.title)
      if let name, exact[name] == nil { exact[name] = block.index }
      if let title, title != name, exact[title] == nil { exact[title] = block.index }
      for key in block.box.foldedNames where folded[key] == nil { folded[key] = block.index }
    }
    self.exact = exact
    self.folded = folded
  }

  /// The first request of a name, a title, or one that is equal when folded (PK-7). Positions and
  /// `METHOD url` can't stand in a reference; `ParsedDocument.request(named:)` knows them, too.
  package func request(named name: String) -> ParsedBlock? {
    let index = exact[name] ?? folded[ParsedDocument.foldedName(name)]
    return index.map { document.blocks[$0] }
  }
}
