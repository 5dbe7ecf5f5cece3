// The requests of a file by name, for callers that know nothing else of the file.

/// Finds requests as references mean them, in constant time.
package struct RequestIndex: Sendable {
  private let document: ParsedDocument

  /// Looks into a file.
  package init(_ document: ParsedDocument) { self.document = document }

  /// The first request of a name, a title, or one that is equal when folded (PK-7).
  package func request(named name: String) -> ParsedBlock? {
    document.request(referredToAs: name)
  }
}
