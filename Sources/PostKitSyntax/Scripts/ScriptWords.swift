// Words that the words of scripts are looked for among, which most of them are not.

/// A set of words in which a token is looked up without a text being made of it, unless it may be
/// one of them.
package struct ScriptWords: Sendable {
  private let words: Set<String>
  /// A bit for the number of each word; as few numbers share one as words are few.
  private let bits: [UInt64]

  /// Keeps words.
  package init(_ words: Set<String>) {
    self.words = words
    var count = 4
    while count < words.count { count *= 2 }
    var bits: [UInt64] = Array(repeating: 0, count: count)
    for word in words {
      let number = ScriptToken.number(ofWord: word.utf8)
      bits[ScriptWords.place(number, count)] |= 1 << UInt64(number & 63)
    }
    self.bits = bits
  }

  private static func place(_ number: UInt32, _ count: Int) -> Int {
    Int(number >> 6) & (count - 1)
  }

  /// Whether a token is one of the words.
  package func contains(_ tokens: ScriptTokens, _ index: Int) -> Bool {
    guard index >= 0, index < tokens.count, tokens[index].kind == .word else { return false }
    let number = tokens[index].sign
    let bit = bits[ScriptWords.place(number, bits.count)] >> UInt64(number & 63) & 1
    return bit == 1 && words.contains(tokens.text(index))
  }
}
