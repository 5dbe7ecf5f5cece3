// A piece of a script: a word, a text, a sign.

/// A piece of a script; ranges count from the script's start.
package struct ScriptToken: Sendable, Hashable {
  /// What a piece is.
  package enum Kind: Sendable, Hashable {
    /// A name or a keyword.
    case word
    case number
    /// A text in quotes, or one between backticks without an expression in it.
    case string
    /// A piece of a text with expressions: up to `${`, from `}` on, or between them.
    case template
    /// A regular expression with its slashes and letters.
    case pattern
    /// A sign, the longest that can be read: `=>` is one.
    case mark
  }

  package let kind: Kind
  /// All its bytes, the quotes included.
  package let range: Range<Int>
  /// What stands between the quotes; of others the same as `range`.
  package let inside: Range<Int>
  /// Whether what stands between the quotes is the text that is meant: closed, and without escapes.
  package let isPlain: Bool
  /// The bytes of a sign as one number, so that signs are compared at once; 0 of all others.
  let sign: UInt32

  /// Makes a token; `sign` are the bytes of one that is a sign.
  init(
    _ kind: Kind, _ range: Range<Int>, inside: Range<Int>? = nil, isPlain: Bool = false,
    sign: ArraySlice<UInt8> = []
  ) {
    self.kind = kind
    self.range = range
    self.inside = inside ?? range
    self.isPlain = isPlain
    self.sign = ScriptToken.sign(sign)
  }

  /// The number of the bytes of a sign, which are four at most.
  static func sign(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var result: UInt32 = 0
    for byte in bytes { result = result << 8 | UInt32(byte) }
    return result
  }
}

/// The tokens of a script in JavaScript or Lua, with its comments apart from them.
package struct ScriptTokens: Sendable {
  /// The text of the script.
  package let bytes: ArraySlice<UInt8>
  package let isLua: Bool
  /// The tokens in order.
  package let tokens: [ScriptToken]
  /// The comments in order, with their marks.
  package let comments: [Range<Int>]

  /// How many tokens are read: some megabytes of what people write. What follows them is for the
  /// engine alone.
  private static let most = 500_000

  /// Reads a script, whatever its bytes are.
  package init(_ bytes: ArraySlice<UInt8>, isLua: Bool = false) {
    self.bytes = bytes
    self.isLua = isLua
    var scanner = ScriptScanner(bytes, isLua: isLua)
    var tokens: [ScriptToken] = []
    while tokens.count < Self.most, let token = scanner.next() { tokens.append(token) }
    self.tokens = tokens
    comments = scanner.comments
  }

  /// How many tokens there are.
  package var count: Int { tokens.count }

  /// The token of a number.
  package subscript(index: Int) -> ScriptToken { tokens[index] }

  /// The bytes of a range of the script.
  package func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
  }

  /// The text of a range of the script.
  package func text(_ range: Range<Int>) -> String {
    String(decoding: slice(range), as: UTF8.self)
  }

  /// The text of a token; empty where there is none of that number.
  package func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? text(tokens[index].range) : ""
  }

  /// Whether a token is that sign.
  package func isMark(_ index: Int, _ mark: String) -> Bool {
    guard index >= 0, index < tokens.count else { return false }
    let sign = tokens[index].sign
    return sign != 0 && sign == ScriptToken.sign(mark.utf8)
  }

  /// Whether a token is that word.
  package func isWord(_ index: Int, _ word: String) -> Bool {
    guard index >= 0, index < tokens.count, tokens[index].kind == .word else { return false }
    let range = tokens[index].range
    return range.count == word.utf8.count && slice(range).elementsEqual(word.utf8)
  }

  /// The word of a token; `nil` for what is none.
  package func word(_ index: Int) -> String? {
    tokens.indices.contains(index) && tokens[index].kind == .word ? text(index) : nil
  }

  /// Whether a member's name follows behind a token: it is `.` or `?.`.
  package func isDot(_ index: Int) -> Bool { isMark(index, ".") || isMark(index, "?.") }
}
