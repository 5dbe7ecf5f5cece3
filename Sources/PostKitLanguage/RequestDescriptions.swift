// What a file's surroundings know of descriptions of APIs.

package import PostKitDescription
package import PostKitSyntax

/// What became of the description that a tag names.
package enum TaggedDescription: Sendable {
  /// It was read.
  case known(DescriptionIndex)
  /// It can't be used; a sentence says why.
  case failed(String)
  /// Nobody has looked.
  case unknown
}

/// The descriptions of APIs around a file.
package struct RequestDescriptions: Sendable {
  /// Another number for each state of the descriptions, so that findings are kept as long as it
  /// stays.
  package var revision: Int
  /// How serious it is where a request differs from its description; `nil` for not at all.
  package var severity: DiagnosticSeverity?
  /// The description that a request means.
  package var index: @Sendable (ParsedBlock, DescribedRequest) -> DescriptionIndex?
  /// The description that a tag names.
  package var tagged: @Sendable (DescriptionTag) -> TaggedDescription = { _ in .unknown }

  /// Makes them of what finds the one that a request means.
  package init(
    revision: Int, severity: DiagnosticSeverity?,
    index: @escaping @Sendable (ParsedBlock, DescribedRequest) -> DescriptionIndex?
  ) {
    self.revision = revision
    self.severity = severity
    self.index = index
  }

  /// The most findings of a file (IO-38).
  static let findingLimit = 50
}
