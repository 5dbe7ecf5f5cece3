// A value of a description, and where it stands.

package import PostKitJSON

/// A value of a description's documents.
package struct DescribedValue: Sendable {
  /// The value.
  package let view: JSONView
  /// The document it stands in, as an index of `DescriptionDocuments.paths`.
  package let document: Int

  /// Makes a value of a document.
  package init(_ view: JSONView, document: Int = 0) {
    self.view = view
    self.document = document
  }

  /// The member of that name.
  package subscript(name: String) -> DescribedValue? {
    view[name].map { DescribedValue($0, document: document) }
  }

  /// The text of a member that is a string.
  package func string(_ name: String) -> String? { view[name]?.string }

  /// Whether a member is `true`.
  package func isTrue(_ name: String) -> Bool { view[name]?.bool == true }

  /// The elements of an array; none for any other value.
  package var elements: [DescribedValue] {
    view.elements.map { DescribedValue($0, document: document) }
  }

  /// The members of an object in order; none for any other value.
  package var members: [(name: String, value: DescribedValue)] {
    view.members.map { ($0.key.string ?? "", DescribedValue($0.value, document: document)) }
  }

  /// What tells the value from every other one of the same documents.
  package var identity: DescribedIdentity {
    DescribedIdentity(document: document, start: view.range.lowerBound)
  }
}

/// What tells a value of a description from every other one.
package struct DescribedIdentity: Sendable, Hashable {
  let document: Int
  /// The offset of its first byte.
  let start: Int
}
