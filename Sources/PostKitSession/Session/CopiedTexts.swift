// What is to be copied, for clients that do nothing with the answer to a command: the protocol has
// no clipboard, so they are shown it.

/// The texts that were shown last, by id.
package struct CopiedTexts: Sendable {
  /// How many are kept: each was shown when it was made.
  private static let limit = 20
  private var texts: [(id: String, text: String)] = []

  /// Keeps a text.
  package mutating func keep(_ text: String, id: String) {
    texts.append((id, text))
    if texts.count > CopiedTexts.limit { texts.removeFirst() }
  }

  /// The text with an id; `nil` once it has been forgotten.
  package subscript(id: String) -> String? { texts.first { $0.id == id }?.text }
}
