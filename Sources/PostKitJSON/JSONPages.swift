// Cuts a long JSON text into pages of laid-out lines, each of which begins between two elements.

/// The pages of a JSON text, read in one pass that keeps nothing of the text.
package struct JSONPages: Sendable {
  /// Where a page begins.
  package struct Start: Sendable, Hashable {
    /// The first byte of the first element or member.
    package let offset: Int
    /// The arrays and objects around it, the outermost first.
    package let frames: [JSONFrame]
  }

  /// How long a page is. A page ends where the fewest brackets are open between `lines.lowerBound`
  /// and `lines.upperBound` of its lines, or of its bytes if these come first.
  package struct Size: Sendable {
    /// The lines of a page.
    package var lines: ClosedRange<Int>
    /// The bytes of the text that a page shows, before they are laid out.
    package var bytes: ClosedRange<Int>

    /// Makes a size.
    package init(lines: ClosedRange<Int>, bytes: ClosedRange<Int>) {
      self.lines = lines
      self.bytes = bytes
    }
  }

  /// Where each page begins; the first one begins with the text.
  package let starts: [Start]
  /// Whether the text ended with its outermost value; else it is cut off.
  package let isComplete: Bool

  /// Reads a text of `count` bytes through `piece(offset, count)`; `nil` where it is not JSON.
  package init?(count: Int, size: Size, _ piece: (Int, Int) -> [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var at = JSONPages.bytes(0..<min(mark.count, count), piece) == mark ? mark.count : 0
    let first = Start(offset: at, frames: [])
    var scanner = JSONScanner(at: at, in: [])
    var finder = PageFinder(size: size)
    while at < count, !scanner.isBroken {
      let bytes = piece(at, min(JSONPages.pieceBytes, count - at))
      guard !bytes.isEmpty else { break }
      at += bytes.count
      bytes.withUnsafeBufferPointer { scanner.read($0, &finder) }
    }
    scanner.finish(&finder)
    guard !scanner.isBroken, finder.line > 0 else { return nil }
    starts = [first] + finder.starts
    isComplete = scanner.isComplete
  }

  /// All bytes of a range: a piece may be shorter than was asked for.
  package static func bytes(_ range: Range<Int>, _ piece: (Int, Int) -> [UInt8]) -> [UInt8] {
    var found: [UInt8] = []
    while found.count < range.count {
      let next = piece(range.lowerBound + found.count, range.count - found.count)
      guard !next.isEmpty else { break }
      found += next
    }
    return found
  }

  /// Bytes that are read at once.
  static let pieceBytes = 256 << 10

  /// A page laid out: the brackets around it, its elements, and the closing brackets, so that the
  /// text is JSON, too. `cut` counts the strings of which it shows only the first `longest` bytes.
  package func text(
    of page: Int, count: Int, indent: Int = 2, longest: Int, _ piece: (Int, Int) -> [UInt8]
  ) -> (text: [UInt8], cut: Int) {
    let start = starts[page]
    let end = page + 1 < starts.count ? starts[page + 1].offset : count
    var writer = JSONPageWriter(indent: indent, longest: longest)
    for (depth, frame) in start.frames.enumerated() {
      let holder = depth > 0 ? start.frames[depth - 1] : nil
      let key = holder.flatMap { $0.isObject ? $0.key : nil }
      writer.reopen(frame, key.map { JSONPages.bytes($0, piece) })
    }
    var scanner = JSONScanner(at: start.offset, in: start.frames)
    var at = start.offset
    while at < end {
      let bytes = piece(at, min(JSONPages.pieceBytes, end - at))
      guard !bytes.isEmpty else { break }
      at += bytes.count
      bytes.withUnsafeBufferPointer { scanner.read($0, &writer) }
    }
    scanner.finish(&writer)
    writer.finish()
    return (writer.output, writer.cut)
  }
}

/// Finds where pages begin.
private struct PageFinder: JSONSink {
  let size: JSONPages.Size
  private(set) var starts: [JSONPages.Start] = []
  private(set) var line = 0
  /// The first line and byte of the page that is being read.
  private var page = (line: 0, offset: 0)
  /// The best place so far for the page to end.
  private var best: (start: JSONPages.Start, line: Int)?

  init(size: JSONPages.Size) { self.size = size }

  mutating func begin(at offset: Int, in frames: [JSONFrame]) {
    line += 1
    guard
      line - page.line >= size.lines.lowerBound || offset - page.offset >= size.bytes.lowerBound,
      let inner = frames.last, inner.count > 1
    else { return }
    let middle = (size.lines.lowerBound + size.lines.upperBound) / 2
    let isBetter = best.map {
      frames.count < $0.start.frames.count
        || frames.count == $0.start.frames.count && line - page.line <= middle
    }
    if isBetter != false {
      best = (JSONPages.Start(offset: offset, frames: frames), line)
    }
    let isFull =
      line - page.line >= size.lines.upperBound || offset - page.offset >= size.bytes.upperBound
    guard isFull, let found = best else { return }
    starts.append(found.start)
    page = (found.line, found.start.offset)
    best = nil
  }

  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
  mutating func endText(isString: Bool) {}
  mutating func colon() {}
  mutating func open(isObject: Bool) {}
  mutating func close(isObject: Bool, isEmpty: Bool) { if !isEmpty { line += 1 } }
}

/// Writes a page.
private struct JSONPageWriter: JSONSink {
  let indent: Int
  let longest: Int
  var output: [UInt8] = []
  /// How many strings are shown in part.
  var cut = 0
  /// The open brackets, and whether something stands in them.
  var brackets: [(isObject: Bool, isFilled: Bool)] = []
  /// The bytes of the token that is being written, of which those above `longest` are left out if
  /// it is a string: a number without its last digits would be another one.
  var written = 0
  var isString = false

  /// Writes a bracket that was opened on an earlier page, with the name that it has there.
  mutating func reopen(_ frame: JSONFrame, _ key: [UInt8]?) {
    if !brackets.isEmpty { begin() }
    if let key {
      output += key
      colon()
    }
    open(isObject: frame.isObject)
  }

  /// Closes what is open at the end of a page.
  mutating func finish() {
    if written > 0 {
      // The text ends inside of a string.
      written = longest + 1
      endText(isString: true)
    }
    while let last = brackets.last { close(isObject: last.isObject, isEmpty: !last.isFilled) }
    output.append(0x0A)
  }

  mutating func begin(at offset: Int, in frames: [JSONFrame]) { if !brackets.isEmpty { begin() } }

  private mutating func begin() {
    let last = brackets.count - 1
    if brackets[last].isFilled { output.append(UInt8(ascii: ",")) }
    brackets[last].isFilled = true
    newLine()
  }

  private mutating func newLine() {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: brackets.count * indent))
  }

  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if written == 0 { isString = bytes.first == UInt8(ascii: "\"") }
    let room = isString ? max(0, longest - written) : bytes.count
    written += bytes.count
    output.append(contentsOf: bytes.prefix(room))
  }

  mutating func endText(isString: Bool) {
    if isString, written > longest {
      cutBack(from: output.count)
      output += Array("…\"".utf8)
      cut += 1
    }
    written = 0
  }

  /// Removes what may be the beginning of a character or of an escape at the end of a part.
  private mutating func cutBack(from end: Int) {
    // The longest escape is a pair of `\uXXXX`.
    let tail = output[max(0, end - 12)..<end]
    if let escape = tail.firstIndex(of: UInt8(ascii: "\\")) {
      output.removeLast(end - escape)
    } else if let lead = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }), output[lead] >= 0xC0 {
      output.removeLast(end - lead)
    }
  }

  mutating func colon() { output += [UInt8(ascii: ":"), 0x20] }

  mutating func open(isObject: Bool) {
    output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    brackets.append((isObject, false))
  }

  mutating func close(isObject: Bool, isEmpty: Bool) {
    brackets.removeLast()
    if !isEmpty { newLine() }
    output.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }
}
