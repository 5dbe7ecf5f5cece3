// The braces of a reference that is being written: which of them are there, and which are missing.

/// The braces that an item has to bring along, because they are not written yet.
package struct ReferenceBraces: Sendable, Hashable {
  /// The second brace before the name, where one alone is written.
  package var opening = ""
  /// What is missing behind the name: nothing, one brace or two.
  package var closing = ""

  /// Whether anything behind the caret belongs to the reference.
  var reachesBehindCaret: Bool { closing != "}}" }
}

extension CaretLine {
  /// The last `{{` before the caret, unless it is closed there.
  var openBraces: Int? {
    var at = caret - 2
    while at >= range.lowerBound {
      if bytes[at] == UInt8(ascii: "{"), bytes[at + 1] == UInt8(ascii: "{") { return at }
      if bytes[at] == UInt8(ascii: "}"), bytes[at + 1] == UInt8(ascii: "}") { return nil }
      at -= 1
    }
    return nil
  }

  /// A brace right before the name at the caret, of which the second one is not written.
  var singleBrace: Int? {
    var at = caret
    while at > range.lowerBound, bytes[at - 1].isWord || bytes[at - 1] == UInt8(ascii: ".") {
      at -= 1
    }
    let isBrace = at > range.lowerBound && bytes[at - 1] == UInt8(ascii: "{")
    return isBrace ? at - 1 : nil
  }

  /// What is missing behind the caret for a reference that begins at `open`.
  ///
  /// Braces may belong to objects around it, as in `{"a": {{na|}`: those that just close what is
  /// open before the reference are none of its own.
  func missingBraces(openAt open: Int) -> String {
    guard let first = firstClosingBrace else { return "}}" }
    var run = 0
    while first + run < range.upperBound, bytes[first + run] == UInt8(ascii: "}") { run += 1 }
    let objects = max(0, depth(paragraphStart..<open) + depth(range.upperBound..<paragraphEnd))
    let closed = -depth(caret..<range.upperBound)
    if objects > 0, closed == objects { return "}}" }
    if objects > 0, closed == objects + 1 { return "}" }
    if run > 1 { return "" }
    return closed > objects && isOnePiece(caret..<first) ? "}" : "}}"
  }

  /// The brace that may close the reference at the caret: no `{` stands between, nor half of a
  /// pair of quotes, as in `{"a": {"b": "{{na|"}}`.
  private var firstClosingBrace: Int? {
    var quotes = 0
    for at in caret..<range.upperBound {
      switch bytes[at] {
      case UInt8(ascii: "}"): return quotes % 2 == 0 ? at : nil
      case UInt8(ascii: "{"): return nil
      case UInt8(ascii: "\""): quotes += 1
      default: break
      }
    }
    return nil
  }

  /// Whether no blank stands in a range, but at its end.
  private func isOnePiece(_ range: Range<Int>) -> Bool {
    let text = bytes[range]
    return text.prefix { $0 != 32 && $0 != 9 }.count
      == text.reversed().drop { $0 == 32 || $0 == 9 }.count
  }

  /// Where the lines begin that stand around the caret's without a blank line or a separator
  /// between; of many, the nearest.
  private var paragraphStart: Int {
    let limit = max(0, range.lowerBound - CaretLine.shownBytes)
    var start = range.lowerBound
    while start > limit, start > 0, !isGap(at: start - 1) { start -= 1 }
    return start
  }

  /// Where those lines end.
  private var paragraphEnd: Int {
    let limit = min(bytes.count, range.upperBound + CaretLine.shownBytes)
    var end = range.upperBound
    while end < limit, !isGap(at: end) { end += 1 }
    return end
  }

  /// How much text above and below may belong to the object that the caret stands in.
  private static let shownBytes = 16 << 10

  /// Whether the line end at a place is followed by a blank line or a separator.
  private func isGap(at place: Int) -> Bool {
    guard bytes[place] == 10 else { return false }
    let rest = bytes[(place + 1)...]
    return ["\n", "\r\n", "###"].contains { rest.starts(with: $0.utf8) }
  }

  /// How many more braces are opened than closed in a range, those in quotes left out; of a range
  /// that ends within quotes, as in `{"a": "{{na|`, none count.
  private func depth(_ range: Range<Int>) -> Int {
    var depth = 0
    var isInText = false
    for byte in bytes[range] {
      if byte == UInt8(ascii: "\"") { isInText.toggle() }
      if isInText { continue }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
    }
    return isInText && range.upperBound <= caret ? 0 : depth
  }
}
