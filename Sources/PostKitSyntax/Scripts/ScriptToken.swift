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
  /// Whether what stands between the quotes is the text that is meant: closed, and without escapes.
  package let isPlain: Bool
  /// All its bytes, the quotes included.
  @Compact package private(set) var range: Range<Int>
  /// What stands between the quotes; of others the same as `range`.
  @Compact package private(set) var inside: Range<Int>
  /// The bytes of a sign as one number, so that signs are compared at once; of a word a number that
  /// most others don't have, which is no sign's; 0 of all others.
  let sign: UInt32

  /// A number of a word that most other words don't have.
  package var number: UInt32 { sign }

  /// Makes a token; `sign` is the number of a sign or of a word.
  init(
    _ kind: Kind, _ range: Range<Int>, inside: Range<Int>? = nil, isPlain: Bool = false,
    sign: UInt32 = 0
  ) {
    self.kind = kind
    self.isPlain = isPlain
    self.sign = sign
    _range = Compact(wrappedValue: range)
    _inside = Compact(wrappedValue: inside ?? range)
  }

  /// The number of the bytes of a sign, which are four at most.
  static func sign(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var result: UInt32 = 0
    for byte in bytes { result = result << 8 | UInt32(byte) }
    return result
  }

  /// The number of the bytes of a word (FNV-1a); signs are of bytes below 0x80.
  static func number(ofWord bytes: some Sequence<UInt8>) -> UInt32 {
    var result: UInt32 = 2_166_136_261
    for byte in bytes { result = (result ^ UInt32(byte)) &* 16_777_619 }
    return result | 1 << 31
  }

  /// Whether a member's name follows behind it: it is `.` or `?.`.
  var isDot: Bool { kind == .mark && (sign == 0x2E || sign == 0x3F2E) }

  /// Whether an expression begins at its end: it is a piece of a text that ends in `${`.
  var opensExpression: Bool {
    kind == .template && range.upperBound - inside.upperBound == 2
  }

  /// The token where an edit before it has moved it.
  func moved(by distance: Int) -> ScriptToken {
    var result = self
    result.range = range.lowerBound + distance..<range.upperBound + distance
    result.inside = inside.lowerBound + distance..<inside.upperBound + distance
    return result
  }
}
