// Names for variables and functions of programs, made from what people call things.

/// Gives things ASCII words that differ.
struct CodeWords {
  private var taken: Set<String>

  /// No word is taken but those given.
  init(taken: Set<String> = []) { self.taken = taken }

  /// A word for a title, in small letters unless `isCapital`; `fallback` where nothing is left.
  mutating func word(for title: String, fallback: String, isCapital: Bool = false) -> String {
    var stem = CodeWords.word(title)
    if stem.isEmpty { stem = fallback }
    if let first = stem.utf8.first, (48...57).contains(first) { stem = fallback + "_" + stem }
    stem = isCapital ? stem.uppercased() : stem.lowercased()
    var (word, number) = (stem, 1)
    while !taken.insert(word).inserted {
      number += 1
      word = "\(stem)_\(number)"
    }
    return word
  }

  /// The letters, digits and underscores of a text, with one `_` for all between them.
  static func word(_ text: String) -> String {
    var result = ""
    for byte in text.utf8.prefix(200) {
      if isWord(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else if !result.isEmpty, result.last != "_" {
        result += "_"
      }
    }
    while result.last == "_" { result.removeLast() }
    return result
  }

  /// Whether a byte is a letter, a digit or an underscore of ASCII.
  static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte == 95
  }

  /// The name of a variable of the process that stands above an exported value.
  static func setting(_ name: String) -> String { "POSTKIT_" + word(name).uppercased() }
}
