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
  /// by halving, in as many checks as the number of tokens has binary digits.
  package func mistake(
    _ message: String, line: Int, check: (String) async -> String?
  ) async -> ScriptSyntaxMistake {
    let reworded = ScriptSyntaxMessage.reworded(message)
    if ScriptSyntaxMessage.isAboutEnd(message) {
      return ScriptSyntaxMistake(range: unclosed ?? last, message: reworded)
    }
    let end = self.end(ofLine: line)
    let candidates = tokens.prefix { $0.range.lowerBound < end }.count
    func says(_ count: Int) async -> Bool {
      await check(text(0..<tokens[count - 1].range.upperBound)) == message
    }
    guard candidates > 0, await says(candidates) else {
      return ScriptSyntaxMistake(range: lineRange(line), message: reworded)
    }
    var (low, high) = (1, candidates)
    while low < high {
      let middle = (low + high) / 2
      if await says(middle) { high = middle } else { low = middle + 1 }
    }
    return ScriptSyntaxMistake(range: whole(low - 1), message: reworded)
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

  /// The innermost bracket that nothing closes.
  private var unclosed: Range<Int>? {
    let reading = ScriptReading(self)
    return (0..<count).last { opens($0) && reading.closer($0) == nil }.map { tokens[$0].range }
  }

  /// The last token; the start of the script where there is none.
  private var last: Range<Int> { tokens.last?.range ?? 0..<0 }

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

/// The messages of the engine in plain words.
enum ScriptSyntaxMessage {
  /// Whether a message says that the text ends too early.
  static func isAboutEnd(_ message: String) -> Bool {
    message.hasPrefix("Unexpected end of script") || message.hasPrefix("Unexpected EOF")
  }

  /// A message in plain words; one that is not known as it is.
  static func reworded(_ message: String) -> String {
    if isAboutEnd(message) { return "The script ends before something in it is closed." }
    if let words = expectation(message) { return words }
    for (start, words) in patterns where message.hasPrefix(start) {
      return words(quoted(message) ?? "it")
    }
    return message
  }

  /// `Unexpected token ';'. Expected ')' to end an argument list.`
  private static func expectation(_ message: String) -> String? {
    guard message.hasPrefix("Unexpected "), let found = quoted(message),
      let place = message.firstRange(of: ". Expected ")
    else { return nil }
    let wanted = message[place.upperBound...]
    if let sign = quoted(String(wanted)), wanted.hasPrefix("'") {
      return "Expected `\(sign)` before `\(found)`."
    }
    let end = wanted.firstIndex(of: ".") ?? wanted.endIndex
    return "Expected \(wanted[..<end]) before `\(found)`."
  }

  /// What a message begins with, and how it is said with what it quotes.
  private static let patterns: [(start: String, words: @Sendable (String) -> String)] = [
    ("Unexpected identifier", { "`\($0)` can't stand here. Is an operator or a comma missing?" }),
    ("Unexpected keyword", { "The keyword `\($0)` can't stand here." }),
    ("Unexpected number", { "The number `\($0)` can't stand here." }),
    ("Unexpected string literal", { "The text `\($0)` can't stand here." }),
    ("Unexpected template", { _ in "A text in backticks can't stand here." }),
    ("Unexpected private name", { "The private name `\($0)` can't stand here." }),
    ("Unexpected use of reserved word", { "`\($0)` is a word of the language. Use another name." }),
    ("Unexpected token", { "`\($0)` can't stand here." }),
    ("Cannot declare a const variable twice", { "`\($0)` is declared twice. Rename one." }),
    ("Cannot declare a let variable twice", { "`\($0)` is declared twice. Rename one." }),
    ("Cannot declare a class twice", { "`\($0)` is declared twice. Rename one." }),
    ("Cannot declare a var variable that shadows", { "`\($0)` is declared twice. Rename one." }),
    ("Cannot use the reserved word", { "`\($0)` is a word of the language. Use another name." }),
    ("Cannot use the keyword", { "`\($0)` is a word of the language. Use another name." }),
    ("Left hand side of operator", { "Nothing can be given a value by `\($0)` here." }),
    ("Left side of assignment", { _ in "Nothing can be given a value here." }),
    ("'break' is only valid", { _ in "`break` stands only in a loop or a `switch`." }),
    ("'continue' is only valid", { _ in "`continue` stands only in a loop." }),
    ("Unterminated regular expression", { _ in "This regular expression has no end. Add `/`." }),
    ("Invalid regular expression", { _ in "This regular expression can't be read." }),
    ("Unterminated template literal", { _ in "This text has no end. Add a backtick." }),
  ]

  /// What stands in the first quotes of a message.
  private static func quoted(_ message: String) -> String? {
    guard let start = message.firstIndex(where: { $0 == "'" || $0 == "\"" }) else { return nil }
    let rest = message[message.index(after: start)...]
    guard let end = rest.firstIndex(of: message[start]), end > rest.startIndex else {
      // A quote itself, as in `'''`.
      return rest.first.map(String.init)
    }
    return String(rest[..<end])
  }
}
