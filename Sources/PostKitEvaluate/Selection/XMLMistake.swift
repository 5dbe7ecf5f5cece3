// What is wrong with a text as XML: a closure of the context says it, for libxml2 is at the edge.

/// What keeps a text from being XML.
package struct XMLMistake: Sendable, Hashable {
  /// The bytes of the text at which it shows.
  package var range: Range<Int>
  /// What it is, as a clause.
  package var explanation: String

  /// Makes a mistake.
  package init(range: Range<Int>, explanation: String) {
    self.range = range
    self.explanation = explanation
  }
}
