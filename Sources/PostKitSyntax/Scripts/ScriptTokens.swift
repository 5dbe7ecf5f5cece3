// The tokens of a script, read whole or as far as an edit has changed them.

package import PostKitText

/// The tokens of a script in JavaScript or Lua, with its comments apart from them.
package final class ScriptTokens: Sendable {
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

  /// Reads a script that has the ends of another one: only what lies between them is read, the line
  /// before it, and what follows as far as it is something else now. The result is the same as
  /// without the other one.
  package init(_ bytes: ArraySlice<UInt8>, reusing old: ScriptTokens, _ ends: CommonEnds) {
    self.bytes = bytes
    isLua = old.isLua
    let kept = old.count < Self.most ? old.keptCount(of: ends) : 0
    let distance = ends.newCount - ends.oldCount
    let prefix = min(ends.prefix, ends.oldCount, ends.newCount)
    let suffix = min(ends.suffix, ends.oldCount - prefix, ends.newCount - prefix)
    var scanner = ScriptScanner(bytes, isLua: isLua, behind: kept > 0 ? old[kept - 1] : nil)
    var tokens: [ScriptToken] = []
    tokens.reserveCapacity(min(old.count + 64, Self.most))
    tokens.append(contentsOf: old.tokens[..<kept])
    var tail = ScriptTail(old, from: ends.oldCount - suffix)
    var rest: Int?
    while tokens.count < Self.most {
      let (last, isOutside) = (scanner.last, scanner.isOutsideOfTexts)
      guard let token = scanner.next() else { break }
      if isOutside, old.count < Self.most,
        let found = tail.token(at: token.range.lowerBound - distance),
        ScriptScanner.isValue(last, in: bytes)
          == ScriptScanner.isValue(found > 0 ? old[found - 1] : nil, in: old.bytes)
      {
        rest = found
        break
      }
      tokens.append(token)
    }
    let start = kept > 0 ? old[kept - 1].range.upperBound : 0
    var comments = old.comments.prefix { $0.lowerBound < start } + scanner.comments
    if let rest {
      let place = old[rest].range.lowerBound
      for token in old.tokens[rest...].prefix(Self.most - tokens.count) {
        tokens.append(token.moved(by: distance))
      }
      comments += old.comments[old.comments.partitioningIndex { $0.lowerBound >= place }...].map {
        $0.lowerBound + distance..<$0.upperBound + distance
      }
    }
    self.tokens = tokens
    self.comments = Array(comments)
  }

  /// How many tokens are as they were whatever has changed behind the common start: those before
  /// its last line, as far as no text with expressions is open.
  private func keptCount(of ends: CommonEnds) -> Int {
    let common = bytes.prefix(min(ends.prefix, ends.newCount))
    guard let lineFeed = common.lastIndex(of: Byte.lineFeed) else { return 0 }
    let end = lineFeed - bytes.startIndex
    let count = tokens.partitioningIndex { $0.range.upperBound > end }
    var (depth, outermost) = (0, count)
    for index in 0..<count where tokens[index].kind == .template {
      let isFirst = slice(tokens[index].range).first == Byte.backtick
      if isFirst, depth == 0 { outermost = index }
      depth += (isFirst ? 1 : 0) - (tokens[index].opensExpression ? 0 : 1)
    }
    return depth > 0 ? outermost : count
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
  package func isMark(_ index: Int, _ mark: StaticString) -> Bool {
    isSign(index, mark.withUTF8Buffer { ScriptToken.sign($0) })
  }

  /// Whether a token is a sign that is not known before.
  package func isMark(_ index: Int, text mark: String) -> Bool {
    isSign(index, ScriptToken.sign(mark.utf8))
  }

  private func isSign(_ index: Int, _ sign: UInt32) -> Bool {
    index >= 0 && index < tokens.count && tokens[index].sign == sign && sign != 0
      && tokens[index].kind == .mark
  }

  /// Whether a token gives a value to what stands before it, as `=` and `+=` do.
  package func isAssignment(_ index: Int) -> Bool {
    guard index >= 0, index < tokens.count, tokens[index].kind == .mark else { return false }
    switch tokens[index].sign {
    case 0x3D, 0x2B3D, 0x2D3D, 0x2A3D, 0x2F3D, 0x3F3F3D, 0x7C7C3D, 0x26263D: return true
    default: return false
    }
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
  package func isDot(_ index: Int) -> Bool {
    index >= 0 && index < tokens.count && tokens[index].isDot
  }
}

/// The tokens behind an edit, passed from the front to the back.
private struct ScriptTail {
  private let old: ScriptTokens
  private var next: Int
  /// How many texts with expressions are open before the next one.
  private var depth = 0

  /// Begins with the first token from a place on.
  init(_ old: ScriptTokens, from place: Int) {
    self.old = old
    next = 0
    let first = old.tokens.partitioningIndex { $0.range.lowerBound >= place }
    pass(to: first)
  }

  private mutating func pass(to end: Int) {
    while next < end {
      if old[next].kind == .template {
        let isFirst = old.slice(old[next].range).first == Byte.backtick
        depth += (isFirst ? 1 : 0) - (old[next].opensExpression ? 0 : 1)
      }
      next += 1
    }
  }

  /// The token that begins at a place, behind those that were asked for before, unless a text with
  /// expressions holds it.
  mutating func token(at place: Int) -> Int? {
    while next < old.count, old[next].range.lowerBound < place { pass(to: next + 1) }
    return next < old.count && old[next].range.lowerBound == place && depth == 0 ? next : nil
  }
}

extension Array {
  /// The first place whose element fulfils a condition that all behind it fulfil, too.
  package func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
