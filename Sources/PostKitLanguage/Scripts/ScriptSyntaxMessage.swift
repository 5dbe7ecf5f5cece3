// What the engine says of mistakes of syntax, in plain words (SC-72).

/// The messages of the engine in plain words.
enum ScriptSyntaxMessage {
  /// Whether a message says that the text ends too early.
  static func isAboutEnd(_ message: String) -> Bool {
    message.hasPrefix("Unexpected end of script") || message.hasPrefix("Unexpected EOF")
  }

  /// Whether a message may say that a text in quotes has no end.
  static func isAboutText(_ message: String) -> Bool {
    message.hasPrefix("Unexpected EOF") || message.hasPrefix("Unterminated string")
      || message.hasPrefix("Unterminated template")
  }

  /// Whether a message says that a comment has no end.
  static func isAboutComment(_ message: String) -> Bool { message.hasPrefix("Multiline comment") }

  /// The name that a message calls declared twice; `nil` for any other message.
  static func nameDeclaredTwice(_ message: String) -> String? {
    message.hasPrefix("Cannot declare a ") ? quotes(in: message).first : nil
  }

  /// A message without what the engine expects for our own lines around the script.
  static func withoutWrapper(_ message: String) -> String {
    for end in ["Expected ')' to end a compound expression.", "Expected a closing '}' after"] {
      guard let place = message.firstRange(of: ". " + end) else { continue }
      return String(message[..<place.lowerBound])
    }
    return message
  }

  /// A message in plain words; one that is not known as it is.
  static func reworded(_ message: String) -> String {
    if isAboutEnd(message) { return "The script ends before something in it is closed." }
    for (part, words) in phrases where message.contains(part) {
      return words(quotes(in: message))
    }
    if let words = expectation(message) { return words }
    for (start, words) in patterns where message.hasPrefix(start) {
      return words(quotes(in: message).first ?? "it")
    }
    return message
  }

  /// `Unexpected token ';'. Expected ')' to end an argument list.`
  private static func expectation(_ message: String) -> String? {
    guard message.hasPrefix("Unexpected "), let found = quotes(in: message).first,
      let place = message.firstRange(of: ". Expected ")
    else { return nil }
    let wanted = String(message[place.upperBound...])
    let signs = quotes(in: wanted)
    if wanted.hasPrefix("either "), signs.count > 1 {
      return "Expected `\(signs[0])` or `\(signs[1])` before `\(found)`."
    }
    if let sign = signs.first, ["'", "a '", "an opening '"].contains(where: wanted.hasPrefix) {
      return "Expected `\(sign)` before `\(found)`."
    }
    if wanted.hasPrefix("a property name after "), let sign = signs.first {
      return "Expected a name behind `\(sign)`, not `\(found)`."
    }
    let end = wanted.firstIndex(of: ".") ?? wanted.endIndex
    return "Expected \(wanted[..<end]) before `\(found)`."
  }

  /// What a message has somewhere in it, and how it is said with what it quotes.
  private static let phrases: [(part: String, words: @Sendable ([String]) -> String)] = [
    (
      "must have an initializer",
      { "The constant `\($0.dropFirst().first ?? "")` needs a value. Write `= …` behind it." }
    ),
    (
      "import call expects",
      { _ in "This import is not complete. Write `import { name } from './file.js'`." }
    ),
    (
      "Expected a parameter pattern",
      { "Expected a parameter or `)` before `\($0.first ?? "")`." }
    ),
    ("redeclare the label", { "The label `\($0.last ?? "")` is declared twice. Rename one." }),
  ]

  /// What a message begins with, and how it is said with what it quotes.
  private static let patterns: [(start: String, words: @Sendable (String) -> String)] = [
    ("Unexpected identifier", { "`\($0)` can't stand here. Is an operator or a comma missing?" }),
    ("Unexpected keyword 'export'", { _ in "`export` stands only in files of scripts." }),
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
    ("Cannot have a newline after 'throw'", { _ in "What is thrown stands behind `throw`." }),
    ("Left hand side of operator", { "Nothing can be given a value by `\($0)` here." }),
    ("Left side of assignment", { _ in "Nothing can be given a value here." }),
    ("Prefix ++", { _ in "`++` needs a variable." }),
    ("Prefix --", { _ in "`--` needs a variable." }),
    ("Postfix ++", { _ in "`++` needs a variable." }),
    ("Postfix --", { _ in "`--` needs a variable." }),
    ("'break' is only valid", { _ in "`break` stands only in a loop or a `switch`." }),
    ("'continue' is only valid", { _ in "`continue` stands only in a loop." }),
    ("super is not valid", { _ in "`super` stands only in a class." }),
    ("Function statements must have a name", { _ in "This function needs a name." }),
    ("No identifiers allowed directly after", { _ in "A name can't follow a number directly." }),
    ("No hexadecimal digits", { _ in "This number has no digits." }),
    ("Non-number found after exponent", { _ in "This number has no exponent behind `e`." }),
    ("Invalid character", character),
    ("Unterminated regular expression", { _ in "This regular expression has no end. Add `/`." }),
    ("Invalid regular expression", { _ in "This regular expression can't be read." }),
    ("Unterminated template literal", { _ in "This text has no end. Add a backtick." }),
  ]

  /// The sentence about a character, which the engine may write as `\u201c`.
  @Sendable private static func character(_ quoted: String) -> String {
    var shown = quoted
    if quoted.hasPrefix("\\u"), let code = UInt32(quoted.dropFirst(2), radix: 16),
      let scalar = UnicodeScalar(code)
    {
      shown = String(Character(scalar))
    }
    switch shown {
    case "“", "”", "„": return "`\(shown)` is no quote of the language. Write `\"`."
    case "‘", "’", "‚": return "`\(shown)` is no quote of the language. Write `'`."
    default: return "The character `\(shown)` can't stand here."
    }
  }

  /// What stands in the quotes of a message, in order.
  private static func quotes(in message: String) -> [String] {
    var found: [String] = []
    var rest = message[...]
    while let start = rest.firstIndex(where: { $0 == "'" || $0 == "\"" }) {
      let mark = rest[start]
      let inner = rest[rest.index(after: start)...]
      guard let end = inner.firstIndex(of: mark) else { break }
      if end == inner.startIndex {
        // A quote itself, as in `'''`.
        found.append(String(mark))
        rest = inner.dropFirst(2)
      } else {
        found.append(String(inner[..<end]))
        rest = inner[inner.index(after: end)...]
      }
    }
    return found
  }
}
