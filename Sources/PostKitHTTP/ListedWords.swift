// Words as a part of a sentence.

extension [String] {
  /// The words with commas between them, and `word`, such as "and", before the last of several.
  package func listed(_ word: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
