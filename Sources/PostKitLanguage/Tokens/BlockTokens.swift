// The tokens of one block as they go over the wire: each counts from the one before it, so that a
// block that moved has the same ones.

import PostKitText

/// A token that counts from the one before it, the first of a block from the block's start.
struct EncodedToken: Sendable, Hashable {
  /// Lines behind the token before.
  var line: UInt32
  /// Columns behind the token before where both stand on one line, else behind the line's start.
  var column: UInt32
  var length: UInt32
  /// The number of the type, and above it the bits of the modifiers.
  var code: UInt32

  /// Adds the five numbers of the protocol, with more lines before it.
  func append(to data: inout [Int], gap: Int) {
    data.append(Int(line) + gap)
    data.append(Int(column))
    data.append(Int(length))
    data.append(Int(code & 0xFF))
    data.append(Int(code >> 8))
  }
}

/// The tokens of one block; the same object as long as nothing about them has changed.
package final class BlockTokens: Sendable {
  let tokens: [EncodedToken]
  /// From the line of the last token, or from the block's start, to the start of the next block.
  let linesAfter: Int
  /// The names whose meaning the tokens show, as numbers that may mean several names.
  let names: [UInt32]

  /// Keeps tokens.
  init(_ tokens: [EncodedToken], linesAfter: Int, names: [UInt32]) {
    self.tokens = tokens
    self.linesAfter = linesAfter
    self.names = names
  }
}

/// Takes up tokens in the order of the text and says where they stand; one that spans lines becomes
/// one for each line.
struct TokenEncoder {
  private let bytes: [UInt8]
  private let lines: LineIndex
  private let legend: TokenLegend
  private let encoding: PositionEncoding
  private(set) var tokens: [EncodedToken] = []
  /// The line of the last token; before the first one, that of the block's start.
  private var lastLine: Int
  private var lastColumn = 0
  private var line: Int
  private var lineEnd: Int
  /// Up to where columns of the line are counted.
  private var at: Int
  private var column = 0

  /// Begins at the start of a block, which is that of a line.
  init(
    _ bytes: [UInt8], _ lines: LineIndex, from start: Int, _ legend: TokenLegend,
    _ encoding: PositionEncoding
  ) {
    self.bytes = bytes
    self.lines = lines
    self.legend = legend
    self.encoding = encoding
    line = lines.line(at: start)
    lastLine = line
    at = Int(lines.starts[line])
    lineEnd = lines.range(ofLine: line).upperBound
  }

  /// Adds a token, given by its bytes in the file, behind all before it.
  mutating func add(
    _ range: Range<Int>, _ type: SemanticTokenType, _ modifiers: SemanticTokenModifiers = []
  ) {
    guard let code = legend.code(type, modifiers) else { return }
    var start = range.lowerBound
    while start < range.upperBound {
      while start >= lineEnd, line + 1 < lines.lineCount { nextLine() }
      var end = min(range.upperBound, lineEnd)
      let next = max(end, start + 1)
      while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
      addPiece(start, end, code)
      start = next
    }
  }

  /// How many lines stand between the last token and a place behind it, where a line starts or the
  /// file ends.
  func lines(to end: Int) -> Int { lines.line(at: end) - lastLine }

  private mutating func nextLine() {
    line += 1
    at = Int(lines.starts[line])
    lineEnd = lines.range(ofLine: line).upperBound
    column = 0
  }

  private mutating func addPiece(_ start: Int, _ end: Int, _ code: UInt32) {
    advance(to: start)
    let first = column
    advance(to: end)
    guard column > first else { return }
    let isSameLine = line == lastLine && !tokens.isEmpty
    tokens.append(
      EncodedToken(
        line: UInt32(line - lastLine), column: UInt32(isSameLine ? first - lastColumn : first),
        length: UInt32(column - first), code: code))
    lastLine = line
    lastColumn = first
  }

  /// Counts columns up to a place of the line; inside of a scalar, up to its start.
  private mutating func advance(to place: Int) {
    if lines.isASCII || encoding == .utf8 {
      column += max(0, place - at)
      at = max(at, place)
      return
    }
    while at < place {
      let length = UTF8Scan.scalarLength(bytes, at: at, end: lineEnd)
      if at + length > place { return }
      column += encoding.units(ofScalarBytes: length)
      at += length
    }
  }
}
