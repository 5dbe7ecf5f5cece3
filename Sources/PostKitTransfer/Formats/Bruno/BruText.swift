// The text of a `.bru` file as blocks of lines. What the lines of a block mean depends on its name
// and is read when it is asked for: pairs, a list, a text, or blocks in a block.

import PostKitEvaluate

/// A `.bru` file, or the inside of one of its blocks.
struct BruText: Sendable, Hashable {
  /// Pairs outside of blocks, such as `color: red` of an environment.
  private(set) var pairs: [BruPair] = []
  private(set) var blocks: [BruBlock] = []

  /// Reads a whole file.
  init(_ source: String) throws(BruMistake) { try self.init(lines: BruLine.lines(of: source)) }

  /// Reads lines. A block ends at the first line that is `}` in column 0, whatever stands in it.
  init(lines: [BruLine]) throws(BruMistake) {
    var at = 0
    while at < lines.count {
      let line = lines[at]
      let text = line.text.trimmingBlanks
      if text.isEmpty || BruLine.isComment(text) {
        at += 1
        continue
      }
      guard let opening = BruOpening(text) else {
        var reader = BruPairReader(lines: lines, at: at)
        let pair = try reader.next()
        at = max(reader.at, at + 1)
        if let pair { pairs.append(pair) }
        continue
      }
      if let items = opening.items {
        let inner = items.map { BruLine(number: line.number, text: $0) }
        blocks.append(
          BruBlock(name: opening.name, line: line.number, lines: inner, isList: opening.isList))
        at += 1
        continue
      }
      guard let end = lines[(at + 1)...].firstIndex(where: opening.isClosed) else {
        let closing = opening.isList ? "]" : "}"
        throw BruMistake(
          line.number,
          "The block `\(opening.name)` is never closed. Put `\(closing)` at the beginning of a "
            + "line behind it.")
      }
      blocks.append(
        BruBlock(
          name: opening.name, line: line.number, lines: Array(lines[(at + 1)..<end]),
          isList: opening.isList))
      at = end + 1
    }
  }

  /// The last block of that name.
  func block(_ name: String) -> BruBlock? { blocks.last { $0.name == name } }
}

/// A line of a file.
struct BruLine: Sendable, Hashable {
  /// Counted from 1.
  var number: Int
  /// The text without its end.
  var text: String

  /// The lines of a text; LF and CRLF end one.
  static func lines(of source: String) -> [BruLine] {
    source.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().map {
      let text = $1.last == 0x0D ? $1.dropLast() : $1
      return BruLine(number: $0 + 1, text: String(decoding: text, as: UTF8.self))
    }
  }

  /// Whether a trimmed line is one for people.
  static func isComment(_ text: String) -> Bool { text.hasPrefix("#") || text.hasPrefix("//") }

  /// The line without that many columns of indentation, or without all it has.
  func dedented(by columns: Int) -> BruLine {
    let blanks = text.utf8.prefix(columns).prefix { $0 == 0x20 || $0 == 0x09 }.count
    return BruLine(number: number, text: String(text.utf8.dropFirst(blanks)) ?? text)
  }
}

/// The line that begins a block.
private struct BruOpening {
  let name: String
  let isList: Bool
  /// What stands in a block of one line; `nil` where the block goes on below.
  var items: [String]?

  /// Reads a trimmed line such as `headers {`, `request: {` or `vars:secret [a, b]`.
  init?(_ text: String) {
    let bytes = text.utf8
    guard let bracket = bytes.firstIndex(where: { $0 == 0x7B || $0 == 0x5B }) else { return nil }
    isList = bytes[bracket] == 0x5B
    var name = String(text[..<bracket]).trimmingBlanks
    let isNested = name.hasSuffix(":")
    if isNested { name.removeLast() }
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isNamePart) else { return nil }
    self.name = name
    let rest = String(text[bytes.index(after: bracket)...]).trimmingBlanks
    if rest.isEmpty { return }
    // `name: [` begins the list of a pair, `name: {}` is a pair with such a value.
    guard !isNested, rest.hasSuffix(isList ? "]" : "}") else { return nil }
    let inside = String(rest.dropLast()).trimmingBlanks
    if !isList, !inside.isEmpty { return nil }
    items = isList && !inside.isEmpty ? [inside] : []
  }

  /// Whether a line closes the block.
  func isClosed(_ line: BruLine) -> Bool {
    if isList { return line.text.trimmingBlanks == "]" }
    return line.text.utf8.first == 0x7D && line.text.trimmingBlanks == "}"
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x3A, 0x2D, 0x5F: true
    default: false
    }
  }
}

/// A block of a file.
struct BruBlock: Sendable, Hashable {
  /// Its name, such as `body:json`.
  var name: String
  /// The line on which it begins, counted from 1.
  var line: Int
  /// The lines in it.
  var lines: [BruLine]
  /// Whether it stands in `[` and `]`.
  var isList: Bool

  /// The lines as a text: two columns of indentation and empty lines at the beginning left out.
  var text: String {
    lines.drop { $0.text.isEmpty }.map { $0.dedented(by: 2).text }.joined(separator: "\n")
  }

  /// The elements of a list, which commas or line ends separate.
  var items: [(text: String, line: Int)] {
    lines.flatMap { line in
      line.text.split(separator: ",").map { (String($0).trimmingBlanks, line.number) }
    }.filter { !$0.text.isEmpty && !BruLine.isComment($0.text) }
  }

  /// The pairs of a dictionary in order.
  func pairs() throws(BruMistake) -> [BruPair] {
    var reader = BruPairReader(lines: lines)
    var pairs: [BruPair] = []
    while let pair = try reader.next() { pairs.append(pair) }
    return pairs
  }

  /// The blocks and pairs in the block.
  func inside() throws(BruMistake) -> BruText {
    try BruText(lines: lines.map { $0.dedented(by: 2) })
  }
}

/// Why a text is no `.bru` file.
struct BruMistake: Error, Sendable, Hashable {
  /// The line, counted from 1.
  let line: Int
  /// What is wrong and what to do, as a sentence without any value of the file.
  let message: String

  init(_ line: Int, _ message: String) {
    self.line = line
    self.message = message
  }
}
