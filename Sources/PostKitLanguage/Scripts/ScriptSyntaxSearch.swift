// Where in a script a mistake of syntax is: the engine tells the message and the line only (SC-72).

package import PostKitSyntax

/// A mistake of syntax at its place in a script.
package struct ScriptSyntaxMistake: Sendable, Hashable {
  /// The bytes of the token that can't stand there, counted from the script's start.
  package let range: Range<Int>
  /// What is wrong, in plain words.
  package let message: String
}

extension ScriptTokens {
  /// Finds the place of a mistake whose message and line (counted from 1) the engine has told.
  ///
  /// A parser that reads from left to right says the same of each text that goes on behind the
  /// mistake, so the shortest beginning of which `check` says it ends with the mistake. It is found
  /// by halving, first in the line that was told.
  package func mistake(
    _ message: String, line: Int, check: (String) async -> String?
  ) async -> ScriptSyntaxMistake {
    if let open = openToken(message) { return open }
    if let extra = await extraCloser(check) { return extra }
    if ScriptSyntaxMessage.isAboutEnd(message) { return tooEarlyEnd }
    let end = self.end(ofLine: line)
    let start = line > 1 ? self.end(ofLine: line - 1) : 0
    let candidates = tokens.prefix { $0.range.lowerBound < end }.count
    func says(_ count: Int) async -> Bool {
      if count == 0 { return false }
      return await check(text(0..<tokens[count - 1].range.upperBound)) == message
    }
    guard await says(candidates) else {
      return ScriptSyntaxMistake(
        range: lineRange(line), message: ScriptSyntaxMessage.reworded(message))
    }
    let before = tokens.prefix { $0.range.lowerBound < start }.count
    var (low, high) = (before + 1, candidates)
    if await says(before) { (low, high) = (1, before) }
    while low < high {
      let middle = (low + high) / 2
      if await says(middle) { high = middle } else { low = middle + 1 }
    }
    let known = isInParentheses(low - 1) ? message : ScriptSyntaxMessage.withoutWrapper(message)
    return ScriptSyntaxMistake(
      range: range(of: low - 1, message), message: ScriptSyntaxMessage.reworded(known))
  }

  /// What is marked for a message that comes with a token.
  private func range(of index: Int, _ message: String) -> Range<Int> {
    if let name = ScriptSyntaxMessage.nameDeclaredTwice(message),
      let place = (0...index).last(where: { isWord($0, name) })
    {
      return tokens[place].range
    }
    if message.hasPrefix("Unterminated regular expression"),
      let slash = (0...index).last(where: { text($0).hasPrefix("/") })
    {
      return tokens[slash].range.lowerBound..<tokens[index].range.upperBound
    }
    return whole(index)
  }

  /// A range without the blanks at its end.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let blanks = slice(range).reversed().prefix { $0 == 32 || (9...13).contains($0) }.count
    return range.lowerBound..<range.upperBound - blanks
  }

  /// A text or a comment without an end, where the engine complains of one.
  private func openToken(_ message: String) -> ScriptSyntaxMistake? {
    if ScriptSyntaxMessage.isAboutComment(message), let comment = comments.last {
      return ScriptSyntaxMistake(
        range: trimmed(comment), message: "This comment has no end. Add `*/`.")
    }
    guard ScriptSyntaxMessage.isAboutText(message) else { return nil }
    for token in tokens where token.kind == .string {
      guard let quote = slice(token.range).first else { continue }
      let isClosed =
        token.inside.upperBound < token.range.upperBound && slice(token.range).last == quote
      if isClosed { continue }
      let mark = quote == UInt8(ascii: "`") ? "a backtick" : "`\(Character(UnicodeScalar(quote)))`"
      return ScriptSyntaxMistake(
        range: trimmed(token.range), message: "This text has no end. Add \(mark).")
    }
    guard let last = tokens.indices.last(where: { tokens[$0].kind == .template }) else {
      return nil
    }
    return ScriptSyntaxMistake(
      range: trimmed(whole(last)), message: "This text has no end. Add a backtick.")
  }

  /// A bracket that closes nothing, where all before it can be read.
  private func extraCloser(_ check: (String) async -> String?) async -> ScriptSyntaxMistake? {
    var depth = 0
    for index in 0..<count {
      if closes(index) { depth -= 1 }
      if depth < 0 {
        let before = await check(text(0..<tokens[index].range.lowerBound))
        guard before.map(ScriptSyntaxMessage.isAboutEnd) ?? true else { return nil }
        let sign = text(index).prefix(1)
        return ScriptSyntaxMistake(
          range: tokens[index].range, message: "This `\(sign)` closes nothing. Remove it.")
      }
      if opens(index) { depth += 1 }
    }
    return nil
  }

  /// What is wrong with a script that ends too early: a bracket that is open, else what lacks
  /// behind the last token.
  private var tooEarlyEnd: ScriptSyntaxMistake {
    let reading = ScriptReading(self)
    if let open = (0..<count).last(where: { opens($0) && reading.closer($0) == nil }) {
      let sign = text(open).suffix(1)
      return ScriptSyntaxMistake(
        range: tokens[open].range, message: "This `\(sign)` is not closed.")
    }
    guard let last = tokens.last else {
      return ScriptSyntaxMistake(range: 0..<0, message: "The script is empty.")
    }
    return ScriptSyntaxMistake(
      range: last.range, message: "The script ends behind `\(text(last.range))`, which needs more.")
  }

  /// Whether a token stands in parentheses of the script itself.
  private func isInParentheses(_ index: Int) -> Bool {
    let reading = ScriptReading(self)
    var at = reading.opener(index)
    while let open = at {
      if isMark(open, "(") { return true }
      at = reading.opener(open)
    }
    return false
  }

  /// The token of a number; in a text with expressions all of the text.
  private func whole(_ index: Int) -> Range<Int> {
    guard tokens[index].kind == .template else { return tokens[index].range }
    var (first, last) = (index, index)
    while first > 0, closes(first) {
      first -= 1
      while first > 0, tokens[first].kind != .template { first -= 1 }
    }
    while last + 1 < count, opens(last) {
      last += 1
      while last + 1 < count, tokens[last].kind != .template { last += 1 }
    }
    return tokens[first].range.lowerBound..<tokens[last].range.upperBound
  }

  /// Where a line ends, counted from 1, its line end included.
  private func end(ofLine line: Int) -> Int {
    var number = 1
    for (place, byte) in bytes.enumerated() where byte == 10 {
      if number == line { return place + 1 }
      number += 1
    }
    return bytes.count
  }

  /// A line without the blanks around its text.
  private func lineRange(_ line: Int) -> Range<Int> {
    let end = end(ofLine: line)
    let start = line > 1 ? self.end(ofLine: line - 1) : 0
    let inside = tokens.filter { start <= $0.range.lowerBound && $0.range.lowerBound < end }
    guard let first = inside.first, let last = inside.last else { return min(start, end)..<end }
    return first.range.lowerBound..<last.range.upperBound
  }
}
