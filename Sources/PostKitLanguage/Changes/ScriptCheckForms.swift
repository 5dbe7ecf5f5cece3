// The checks that scripts and `??` lines can both make (SC-80): twelve forms, each way.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A check in both languages: what it is about, what must hold, and the value to compare with.
struct ScriptCheckForm {
  /// The words behind `??`.
  let line: String
  /// The condition in JavaScript.
  let condition: String
}

extension ScriptCheckForm {
  /// The signs that compare, as scripts and as `??` lines write them.
  private static let operators: [(script: String, line: String)] = [
    ("===", "=="), ("==", "=="), ("!==", "!="), ("!=", "!="), (">=", ">="), ("<=", "<="),
    (">", ">"), ("<", "<"),
  ]

  /// The methods of a text.
  private static let methods: [(script: String, line: String)] = [
    ("startsWith", "startsWith"), ("endsWith", "endsWith"), ("includes", "contains"),
  ]

  /// The kinds of a value.
  private static let kinds: [(script: String, line: String)] = [
    ("number", "isNumber"), ("string", "isString"), ("boolean", "isBoolean"),
  ]

  /// Reads the condition that some tokens of a script are; `nil` for any other.
  init?(_ reading: ScriptReading, _ range: Range<Int>) {
    guard !range.isEmpty else { return nil }
    let tokens = reading.tokens
    let (first, last) = (tokens[range.lowerBound].range, tokens[range.upperBound - 1].range)
    condition = tokens.text(first.lowerBound..<last.upperBound)
    guard let line = ScriptCheckForm.line(reading, range) else { return nil }
    self.line = line
  }

  private static func line(_ reading: ScriptReading, _ range: Range<Int>) -> String? {
    let tokens = reading.tokens
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    // `typeof x === "number"` and `Array.isArray(x)`.
    if tokens.isWord(first, "typeof"), last > first + 2, tokens.isMark(last - 1, "===") {
      let kind = kinds.first { tokens.text(tokens[last].inside) == $0.script }
      guard let kind, tokens[last].isPlain,
        let subject = subject(reading, first + 1..<last - 1)
      else { return nil }
      return "\(subject.words) \(kind.line)"
    }
    if tokens.isWord(first, "Array"), tokens.isWord(first + 2, "isArray"),
      tokens.isMark(first + 3, "("), reading.closer(first + 3) == last
    {
      return subject(reading, first + 4..<last).map { "\($0.words) isArray" }
    }
    // `x.includes("y")`.
    if tokens.isMark(last, ")"), last - first > 3, let name = tokens.word(last - 3),
      let method = methods.first(where: { $0.script == name }), tokens.isMark(last - 2, "("),
      tokens[last - 1].kind == .string, let value = value(tokens, last - 1),
      let subject = subject(reading, first..<last - 4)
    {
      return "\(subject.words) \(method.line) \(value)"
    }
    // `x === 1`.
    guard last > first + 1,
      let sign = operators.first(where: { tokens.isMark(last - 1, text: $0.script) }),
      let subject = subject(reading, first..<last - 1)
    else { return nil }
    if tokens.isWord(last, "true"), sign.script == "===" { return "\(subject.words) isTrue" }
    if tokens.isWord(last, "false"), sign.script == "===" { return "\(subject.words) isFalse" }
    guard let value = value(tokens, last) else { return nil }
    return "\(subject.words) \(sign.line) \(value)"
  }

  /// A number or a text as a `??` line writes it; `nil` where it would be read otherwise.
  private static func value(_ tokens: ScriptTokens, _ token: Int) -> String? {
    switch tokens[token].kind {
    case .number: return tokens.text(token)
    case .string where tokens[token].isPlain:
      let text = tokens.text(tokens[token].inside)
      let isKept =
        !text.isEmpty && text == text.trimmingASCIIBlanks() && !text.contains("{{")
        && !text.contains("\"") && !text.contains("'") && !text.breaksLine
      return isKept ? text : nil
    case .string, .word, .template, .pattern, .mark: return nil
    }
  }

  /// What tokens are about, as words of a `??` line.
  private static func subject(
    _ reading: ScriptReading, _ range: Range<Int>
  ) -> (words: String, isBody: Bool)? {
    guard let whole = reading.chain(startingAt: range.lowerBound) else {
      return nil
    }
    // Behind it the method may follow that the predicate is.
    let steps = whole.steps.prefix { $0.lastToken < range.upperBound }
    let chain = ScriptChain(steps: Array(steps), danglingDot: nil)
    guard !steps.isEmpty, chain.last == range.upperBound - 1 else { return nil }
    let tokens = reading.tokens
    switch reading.path(of: chain) {
    case "response.status", "response.statusCode": return ("status", false)
    case "response.body": return ("body", true)
    default: break
    }
    if case .call(let open, _) = chain.steps.last, chain.steps.count == 4,
      reading.path(of: ScriptChain(steps: Array(chain.steps.dropLast()), danglingDot: nil))
        == "response.headers.valueOf",
      reading.arguments(open).count == 1, tokens[open + 1].isPlain
    {
      return ("header \(tokens.text(tokens[open + 1].inside))", false)
    }
    guard chain.steps.count > 2, tokens.isWord(chain.first, "response"),
      case .member(let body) = chain.steps[1], tokens.isWord(body, "body")
    else { return nil }
    let start = tokens[body].range.upperBound
    let path = tokens.text(start..<tokens[chain.last].range.upperBound)
    let isPlain = chain.steps.dropFirst(2).allSatisfy { step in
      switch step {
      case .member: true
      case .element(let open, let close):
        close == open + 2 && tokens[open + 1].kind == .number
      case .call: false
      }
    }
    return isPlain && !path.contains("?.") ? ("body $\(path)", true) : nil
  }

  /// Makes the condition of a `??` line; `nil` for what has no form in a script.
  init?(_ form: AssertionForm, in block: ParsedBlock, line: String) {
    func text(_ range: Range<Int>) -> String {
      String(decoding: block.bytes[range], as: UTF8.self)
    }
    let expected = text(form.expected)
    guard !line.contains("{{") else { return nil }
    let subject: String
    switch form.subject {
    case .status: subject = "response.status"
    case .header(let name):
      subject = "response.headers.valueOf(\(ScriptCheckForm.quoted(text(name))))"
    case .body(member: .none): subject = "response.body"
    case .body(member: .some(let member)):
      let path = text(member)
      guard path.hasPrefix("$."), ScriptCheckForm.isPlain(path.dropFirst(2)) else { return nil }
      subject = "response.body" + path.dropFirst()
    case .duration, .xpath, .expression, .openAPI: return nil
    }
    let isNumber = !expected.isEmpty && expected.allSatisfy { $0.isNumber && $0.isASCII }
    let isHeader = if case .header = form.subject { true } else { false }
    let value = isNumber && !isHeader ? expected : ScriptCheckForm.quoted(expected)
    guard let condition = ScriptCheckForm.condition(subject, form.predicate, value) else {
      return nil
    }
    self.line = line
    self.condition = condition
  }

  private static func condition(
    _ subject: String, _ predicate: AssertionForm.Predicate, _ value: String
  ) -> String? {
    switch predicate {
    case .equal: "\(subject) === \(value)"
    case .notEqual: "\(subject) !== \(value)"
    case .greater: "\(subject) > \(value)"
    case .greaterOrEqual: "\(subject) >= \(value)"
    case .less: "\(subject) < \(value)"
    case .lessOrEqual: "\(subject) <= \(value)"
    case .startsWith: "\(subject).startsWith(\(value))"
    case .endsWith: "\(subject).endsWith(\(value))"
    case .contains: "\(subject).includes(\(value))"
    case .isTrue: "\(subject) === true"
    case .isFalse: "\(subject) === false"
    case .isNumber: "typeof \(subject) === \"number\""
    case .isString: "typeof \(subject) === \"string\""
    case .isBoolean: "typeof \(subject) === \"boolean\""
    case .isArray: "Array.isArray(\(subject))"
    case .matches, .sha256, .sha512, .md5: nil
    }
  }

  /// A text in quotes as scripts write it.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "\""
  }

  /// Whether a path is names and places alone.
  private static func isPlain(_ path: Substring) -> Bool {
    path.allSatisfy { $0.isLetter || $0.isNumber || "_$.[]".contains($0) } && !path.contains("..")
  }
}
