// Regular expressions as JavaScript writes them, for searches whose time is bounded.

/// A pattern to be searched for. It is matched in time linear in the text, so that no pattern can
/// keep a run from ending; what can't be matched like that is refused: looking around, and
/// references to what a group has matched.
package struct TextPattern: Sendable, Hashable {
  private let regexp: JSONPathRegexp

  /// Why a text is no pattern.
  package struct Mistake: Error, Sendable, Hashable {
    /// What is wrong, as the end of a sentence.
    package let explanation: String
  }

  /// Compiles a pattern.
  package init(_ pattern: String) throws(Mistake) {
    var parser = TextPatternParser(pattern)
    let tree = try parser.parse()
    guard let regexp = JSONPathRegexp(tree) else {
      throw Mistake(
        explanation: "it is too large, since repeats are written out up to "
          + "\(JSONPathRegexp.stepLimit) steps")
    }
    self.regexp = regexp
  }

  /// Whether some part of a text matches; `nil` where a large pattern would take too long on a
  /// large text.
  package func isFound(in text: String) -> Bool? {
    regexp.matches(text, isWhole: false, limit: 2_000_000 + 64 * text.utf8.count)
  }
}
