// Texts that an editor inserts and lets the user fill in.

/// Texts with places to fill in, as editors read them.
enum Snippet {
  /// A text that an editor is to take as it is.
  static func literal(_ text: String) -> String {
    var result = ""
    for character in text {
      if "$}\\".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  /// A place to fill in, with what stands there until then.
  static func place(_ number: Int, _ text: String = "") -> String {
    text.isEmpty ? "$\(number)" : "${\(number):\(literal(text))}"
  }
}
