// What is wrong with a block's form. Sentences are made elsewhere.

/// A mistake in a block, with its bytes.
package struct SyntaxProblem: Sendable, Hashable {
  /// The kinds of mistake; names follow DIAGNOSTICS.md.
  package enum Kind: Sendable, Hashable {
    /// Blanks before the hashes of a separator (PK-2).
    case indentedSeparator
    /// A line of a body that looks like a request line (PK-3).
    case missingSeparator
    /// A line before the body that is neither header nor body (PK-15).
    case malformedHeader
    /// A body that follows the headers at once (PK-15).
    case missingBlankLine
    /// A request without a target, or a name without a request.
    case missingRequestLine
    /// A line that begins with `@` but has no `=` (PK-31).
    case malformedVariable
    /// A word in capitals that is no known method; it is sent as written (PK-9).
    case unknownMethod(String)
    /// `{{` without `}}` on its line, outside of a body.
    case unclosedReference
    /// A script whose end is missing; the rest of the block is read as the script.
    case unterminatedScript
    /// Text where only structural lines may stand; one for a run of lines (PK-24).
    case textAfterHandler
    /// A known key in a comment of a body, where it has no effect (PK-36).
    case metadataInBody
    /// A `??` line that is text of a body, as no blank line stands above it; one for a run (PK-25).
    case assertionInBody
    /// A `??` line that isn't a left side, a predicate and perhaps a value (PK-78).
    case assertionSyntax
    /// The first bytes of the block that are no UTF-8.
    case invalidUTF8
  }
  package var kind: Kind
  @Compact package var range: Range<Int>

  /// Makes a problem.
  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}
