// What is wrong with a block's form. Sentences are made elsewhere.

/// A mistake in a block, with its bytes.
package struct SyntaxProblem: Sendable, Hashable {
  /// The kinds of mistake; names follow dialects.md, section 9.
  package enum Kind: Sendable, Hashable {
    case indentedSeparator
    case missingSeparator
    case malformedHeader
    case missingBlankLine
    case missingRequestLine
    /// A line that begins with `@` but has no `=` (PK-31).
    case malformedVariable
    case unknownMethod(String)
    case unclosedReference
    case unterminatedScript
    case textAfterHandler
    case metadataInBody
    case graphQLVariables
    case assertionSyntax
    case invalidUTF8
  }
  package var kind: Kind
  package var range: Range<Int>

  /// Makes a problem.
  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}
