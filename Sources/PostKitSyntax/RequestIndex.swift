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
    for block in document.blocks where block.isRequest {
      for name in [block.name, block.title].compactMap({ $0 }) {
        if exact[name] == nil { exact[name] = block.index }
        let key = ParsedDocument.foldedName(name)
        if !key.isEmpty, folded[key] == nil { folded[key] = block.index }
      }
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
