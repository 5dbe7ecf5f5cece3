// Words that the words of scripts are looked for among, which most of them are not.

/// Numbers of words, of which it is known at once that most words don't have one of them.
struct ScriptWordNumbers: Sendable {
  /// A bit for each number; as few numbers share one as words are few.
  private let bits: [UInt64]

  /// Keeps numbers.
  init(_ numbers: some Sequence<UInt32>, count: Int) {
    var size = 4
    while size < count { size *= 2 }
    var bits: [UInt64] = Array(repeating: 0, count: size)
    for number in numbers {
      bits[Int(number >> 6) & (size - 1)] |= 1 << UInt64(number & 63)
    }
    self.bits = bits
  }

  /// Whether a number may be among them.
  func mayHave(_ number: UInt32) -> Bool {
    bits[Int(number >> 6) & (bits.count - 1)] >> UInt64(number & 63) & 1 == 1
  }
}

/// A set of words in which a token is looked up without a text being made of it, unless it may be
/// one of them.
package struct ScriptWords: Sendable {
  private let words: Set<String>
  private let numbers: ScriptWordNumbers

  /// Keeps words.
  package init(_ words: Set<String>) {
    self.words = words
    numbers = ScriptWordNumbers(
      words.lazy.map { ScriptToken.number(ofWord: $0.utf8) }, count: words.count)
  }

  /// Whether a token is one of the words.
  package func contains(_ tokens: ScriptTokens, _ index: Int) -> Bool {
    guard index >= 0, index < tokens.count, tokens[index].kind == .word,
      numbers.mayHave(tokens[index].sign)
    else { return false }
    return words.contains(tokens.text(index))
  }
}
