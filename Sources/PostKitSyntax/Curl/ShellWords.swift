// Splits a command line into words as `sh` does; references stay whole (PK-30).

/// A word of a command, with quotes and escapes resolved.
package struct ShellWord: Sendable, Hashable {
  /// What the command would get, references as written.
  package var bytes: [UInt8]
  /// Where the word stands, quotes included.
  package var range: Range<Int>
  /// Where its references stand.
  package var references: [Range<Int>]

  /// Makes a word.
  package init(bytes: [UInt8], range: Range<Int>, references: [Range<Int>]) {
    self.bytes = bytes
    self.range = range
    self.references = references
  }

  /// The text; bytes that are no UTF-8 become U+FFFD.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The word without its first bytes; they must not hold a reference.
  package func dropFirst(_ count: Int) -> ShellWord {
    ShellWord(bytes: Array(bytes.dropFirst(count)), range: range, references: references)
  }

  /// The place to report what is wrong: its only reference, else the whole word.
  package var reportedRange: Range<Int> { references.count == 1 ? references[0] : range }
}

/// The words of a command.
package struct ShellWords: Sendable, Hashable {
  package private(set) var words: [ShellWord] = []
  /// From the first operator on, such as a pipe: what is left to the shell.
  package private(set) var rest: Range<Int>?
  /// A quote that is never closed, to the end.
  package private(set) var unclosedQuote: Range<Int>?

  /// Splits a range of a text.
  package init(_ bytes: [UInt8], in range: Range<Int>) {
    var splitter = ShellSplitter(bytes: bytes, end: range.upperBound, at: range.lowerBound)
    for piece in TemplateParser.pieces(bytes, in: range) {
      switch piece {
      case .literal: break
      case .reference(let reference): splitter.add(whole: reference.range)
      // Four bytes of backslashes and braces stand on either side.
      case .escapedReference(let inside):
        splitter.add(whole: inside.lowerBound - 4..<inside.upperBound + 4)
      }
    }
    splitter.run()
    words = splitter.words
    rest = splitter.rest
    unclosedQuote = splitter.unclosedQuote
  }
}

/// The state of splitting.
private struct ShellSplitter {
  let bytes: [UInt8]
  let end: Int
  var at: Int
  var words: [ShellWord] = []
  var rest: Range<Int>?
  var unclosedQuote: Range<Int>?
  /// Ends of references by where they begin.
  var wholes: [Int: Int] = [:]
  /// The word that is being read. It is no optional: looking at one for each byte copies it.
  var word = ShellWord(bytes: [], range: 0..<0, references: [])
  var isInWord = false

  mutating func add(whole: Range<Int>) { wholes[whole.lowerBound] = whole.upperBound }

  mutating func run() {
    while at < end, rest == nil {
      let byte = bytes[at]
      if takeWhole() { continue }
      switch byte {
      case _ where byte.isBlank || byte == Byte.lineFeed:
        finishWord()
        at += 1
      case Byte.backslash: takeEscape()
      case UInt8(ascii: "'"): takeQuoted(from: at, opening: 1, escape: nil)
      case Byte.quote:
        takeQuoted(from: at, opening: 1, escape: ShellSplitter.takeDoubleQuotedEscape)
      case UInt8(ascii: "$") where next == UInt8(ascii: "'"): takeANSIQuoted()
      case Byte.hash where !isInWord: skipComment()
      default:
        if endsCommand(byte) {
          finishWord()
          rest = at..<end
        } else {
          append(byte)
          at += 1
        }
      }
    }
    finishWord()
  }

  private var next: UInt8? { at + 1 < end ? bytes[at + 1] : nil }

  private mutating func append(_ byte: UInt8) {
    begin(at)
    word.bytes.append(byte)
  }

  /// Begins a word, unless one has begun.
  private mutating func begin(_ start: Int) {
    if isInWord { return }
    isInWord = true
    word = ShellWord(bytes: [], range: start..<start, references: [])
  }

  private mutating func finishWord() {
    guard isInWord else { return }
    word.range = word.range.lowerBound..<at
    words.append(word)
    isInWord = false
  }

  /// Takes a reference as it stands.
  private mutating func takeWhole() -> Bool {
    guard let close = wholes[at] else { return false }
    let range = at..<close
    for place in range { append(bytes[place]) }
    word.references.append(range)
    at = close
    return true
  }

  /// Whether an operator begins here. Inside of a word `&`, `|` and the like are text, because
  /// authors write queries without quotes.
  private func endsCommand(_ byte: UInt8) -> Bool {
    if byte == UInt8(ascii: ";") {
      return !isInWord || next.map { $0.isBlank || $0 == Byte.lineFeed } ?? true
    }
    guard !isInWord else { return false }
    if byte == UInt8(ascii: "1") || byte == UInt8(ascii: "2") { return next == Byte.greater }
    return "|&<>".utf8.contains(byte)
  }

  private mutating func skipComment() {
    while at < end, bytes[at] != Byte.lineFeed { at += 1 }
  }

  /// A backslash outside of quotes: before a line end both vanish.
  private mutating func takeEscape() {
    at += 1
    guard at < end else { return append(Byte.backslash) }
    if skipLineEnd() { return }
    append(bytes[at])
    at += 1
  }

  private mutating func skipLineEnd() -> Bool {
    if bytes[at] == Byte.lineFeed {
      at += 1
    } else if bytes[at] == Byte.carriageReturn, next == Byte.lineFeed {
      at += 2
    } else {
      return false
    }
    return true
  }

  /// A text in quotes; a line end in it is LF whatever the file has.
  private mutating func takeQuoted(
    from start: Int, opening: Int, escape: ((inout ShellSplitter) -> Bool)?
  ) {
    begin(start)
    let quote = bytes[start + opening - 1]
    at = start + opening
    while at < end, bytes[at] != quote {
      if takeWhole() { continue }
      if bytes[at] == Byte.backslash, let escape, escape(&self) { continue }
      if bytes[at] == Byte.carriageReturn, next == Byte.lineFeed { at += 1 }
      append(bytes[at])
      at += 1
    }
    if at == end { unclosedQuote = start..<end } else { at += 1 }
  }

  /// Between double quotes a backslash counts before few characters only.
  private static func takeDoubleQuotedEscape(_ splitter: inout ShellSplitter) -> Bool {
    guard let next = splitter.next else { return false }
    if "$`\"\\".utf8.contains(next) {
      splitter.append(next)
      splitter.at += 2
      return true
    }
    guard next == Byte.lineFeed || next == Byte.carriageReturn else { return false }
    splitter.at += 1
    if splitter.skipLineEnd() { return true }
    splitter.at -= 1
    return false
  }

  /// `$'…'`, which browsers write when they copy a request as curl.
  private mutating func takeANSIQuoted() {
    takeQuoted(from: at, opening: 2, escape: ShellSplitter.takeANSIEscape)
  }

  private static func takeANSIEscape(_ splitter: inout ShellSplitter) -> Bool {
    guard let letter = splitter.next else { return false }
    let simple: [UInt8: UInt8] = [
      UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "a"): 7,
      UInt8(ascii: "b"): 8, UInt8(ascii: "e"): 27, UInt8(ascii: "f"): 12, UInt8(ascii: "v"): 11,
      Byte.backslash: Byte.backslash, UInt8(ascii: "'"): UInt8(ascii: "'"),
      Byte.quote: Byte.quote, Byte.question: Byte.question,
    ]
    if let byte = simple[letter] {
      splitter.append(byte)
      splitter.at += 2
      return true
    }
    switch letter {
    case UInt8(ascii: "x"): return splitter.takeNumber(skipping: 2, radix: 16, digits: 2)
    case UInt8(ascii: "u"): return splitter.takeNumber(skipping: 2, radix: 16, digits: 4)
    case UInt8(ascii: "U"): return splitter.takeNumber(skipping: 2, radix: 16, digits: 8)
    default: return splitter.takeNumber(skipping: 1, radix: 8, digits: 3)
    }
  }

  /// A byte or, of more than two digits in radix 16, a character by its number.
  private mutating func takeNumber(skipping: Int, radix: Int, digits: Int) -> Bool {
    let start = at + skipping
    var stop = start
    while stop < end, stop < start + digits,
      Int(String(decoding: [bytes[stop]], as: UTF8.self), radix: radix) != nil
    {
      stop += 1
    }
    let text = String(decoding: bytes[start..<stop], as: UTF8.self)
    guard let number = UInt32(text, radix: radix) else { return false }
    if digits <= 3 {
      append(UInt8(truncatingIfNeeded: number))
    } else {
      guard let scalar = Unicode.Scalar(number) else { return false }
      Character(scalar).utf8.forEach { append($0) }
    }
    at = stop
    return true
  }
}
