// Reads a script as statements of the closed table. It goes through the tokens once, and gives up
// at the first that the table doesn't have.

import PostKitJSON
import PostKitSyntax

/// Reads statements; those that it has read are in `statements`.
struct StatementParser {
  let tokens: ScriptTokens
  /// The words of the tool.
  let words: ScriptWordTable
  private(set) var statements: [OriginStatement] = []
  /// What the names stand for that the script has declared.
  private var names: [String: ScriptSubject] = [:]
  /// The names of legacy tests so far: a later one of the same name takes the place of the first.
  private var legacyTests: Set<String> = []
  /// The name of the test that is being read, until a check has taken it.
  private var title: String?
  private var isInTest = false
  /// The next token.
  var at = 0

  /// Reads a script of that tool.
  init(_ text: String, _ family: ScriptFamily) {
    tokens = ScriptTokens(Array(text.utf8)[...])
    words = .of(family)
  }

  /// Whether all tokens are read.
  var isAtEnd: Bool { at >= tokens.count }

  /// Reads the whole script; `false` where something is not in the table.
  mutating func readAll() -> Bool {
    while !isAtEnd { guard statement() else { return false } }
    return true
  }

  // MARK: Tokens

  /// Takes a sign, if it is the next token.
  mutating func take(_ mark: StaticString) -> Bool {
    guard tokens.isMark(at, mark) else { return false }
    at += 1
    return true
  }

  /// Takes a word, if it is the next token.
  mutating func take(word: String) -> Bool {
    guard tokens.isWord(at, word) else { return false }
    at += 1
    return true
  }

  /// Takes a name, if the next token is one.
  mutating func takeName() -> String? {
    guard let word = tokens.word(at) else { return nil }
    at += 1
    return word
  }

  /// Takes a path of names such as `pm.test`, if the next tokens are exactly that.
  mutating func take(path: [String]) -> Bool {
    let start = at
    for (index, step) in path.enumerated() {
      if index > 0, !takeDot() { return back(to: start) }
      guard take(word: step) else { return back(to: start) }
    }
    return true
  }

  /// Takes the first of these paths that the next tokens are.
  mutating func take(oneOf paths: [[String]]) -> Bool {
    for path in paths where take(path: path) { return true }
    return false
  }

  /// Takes a dot before a member.
  mutating func takeDot() -> Bool {
    guard tokens.isDot(at) else { return false }
    at += 1
    return true
  }

  /// Goes back to a token, as nothing was found behind it.
  mutating func back(to start: Int) -> Bool {
    at = start
    return false
  }

  /// Takes a string, if the next token is one.
  mutating func takeString() -> String? {
    guard at < tokens.count, let text = ScriptLiteral.text(of: tokens[at], in: tokens) else {
      return nil
    }
    at += 1
    return text
  }

  /// Whether a statement may end here: a `;`, a brace, the end, or a line end.
  private mutating func takeEnd() -> Bool {
    if take(";") || isAtEnd || tokens.isMark(at, "}") { return true }
    guard at > 0, tokens[at].kind == .word else { return false }
    let between = tokens[at - 1].range.upperBound..<tokens[at].range.lowerBound
    return tokens.slice(between).contains(0x0A)
      && !["in", "instanceof"].contains(tokens.text(at))
  }

  // MARK: Statements

  private mutating func statement() -> Bool {
    if take(";") { return true }
    let start = at
    let isRead =
      declaration() || consoleCall() || test() || legacyTest() || change() || check()
    guard isRead, takeEnd() else { return back(to: start) }
    return true
  }

  /// `const jsonData = pm.response.json()`, or `const { id } = …`.
  private mutating func declaration() -> Bool {
    let start = at
    guard take(word: "const") || take(word: "let") || take(word: "var") else { return false }
    if take("{") {
      var members: [String] = []
      while let name = takeName() {
        members.append(name)
        if !take(",") { break }
      }
      guard take("}"), take("="), let value = subject() else { return back(to: start) }
      for name in members {
        guard let member = value.stepping(.member(name)) else { return back(to: start) }
        names[name] = member
      }
      return true
    }
    guard let name = takeName(), take("="), let value = subject() else { return back(to: start) }
    names[name] = value
    return true
  }

  /// `console.log(…)`, which shows something to people alone.
  private mutating func consoleCall() -> Bool {
    let start = at
    guard take(word: "console"), takeDot(), let method = takeName(),
      ["log", "info", "warn", "error", "debug"].contains(method), tokens.isMark(at, "("),
      let close = tokens.closer(of: at), tokens.isMark(close, ")"), isPure(at + 1..<close)
    else { return back(to: start) }
    at = close + 1
    let range = tokens[start].range.lowerBound..<tokens[close].range.upperBound
    statements.append(.dropped(tokens.text(range)))
    return true
  }

  /// Whether tokens only read: no call but those that give a value, and no assignment.
  private func isPure(_ range: Range<Int>) -> Bool {
    let harmless: Set<String> = ["json", "text", "get", "stringify", "toString", "getBody"]
    return range.allSatisfy { index in
      if tokens.isAssignment(index) || tokens.isMark(index, "++") || tokens.isMark(index, "--") {
        return false
      }
      guard tokens.isMark(index, "("), let word = tokens.word(index - 1) else { return true }
      return harmless.contains(word)
    }
  }

  /// `pm.test("name", function () { … })`, with statements or one expression.
  private mutating func test() -> Bool {
    let start = at
    guard !isInTest, take(oneOf: words.tests), take("("), let name = takeString(), take(","),
      takeFunctionHead()
    else { return back(to: start) }
    let (outerNames, count) = (names, statements.count)
    (title, isInTest) = (name, true)
    defer { (title, isInTest, names) = (nil, false, outerNames) }
    if take("{") {
      while !tokens.isMark(at, "}") {
        guard !isAtEnd, statement() else { return back(to: start) }
      }
      at += 1
    } else if !check() {
      return back(to: start)
    }
    // A test without a check would vanish although it is counted there.
    guard take(")"),
      statements[count...].contains(where: { if case .check = $0 { true } else { false } })
    else { return back(to: start) }
    return true
  }

  /// `function () ` or `() =>`, without parameters.
  private mutating func takeFunctionHead() -> Bool {
    if take(word: "function") {
      _ = takeName()
      return take("(") && take(")") && tokens.isMark(at, "{")
    }
    return take("(") && take(")") && take("=>")
  }

  /// `tests["name"] = responseCode.code === 200`.
  private mutating func legacyTest() -> Bool {
    let start = at
    guard words.hasLegacyTests, !isInTest, take(word: "tests") else { return false }
    var name: String?
    if take("[") {
      name = takeString()
      guard take("]") else { return back(to: start) }
    } else if takeDot() {
      name = takeName()
    }
    guard let name, legacyTests.insert(name).inserted, take("=") else { return back(to: start) }
    title = name
    defer { title = nil }
    guard comparison() else { return back(to: start) }
    return true
  }

  /// `responseCode.code === 200` and its like, also in parentheses.
  private mutating func comparison() -> Bool {
    var depth = 0
    while take("(") { depth += 1 }
    guard bareComparison() else { return false }
    for _ in 0..<depth { guard take(")") else { return false } }
    return true
  }

  private mutating func bareComparison() -> Bool {
    guard let subject = subject() else { return false }
    if subject == .text, takeDot() {
      guard take(word: "has") || take(word: "includes"), take("("), let part = literal()?.part,
        take(")")
      else { return false }
      return add("\(subject.leftSide ?? "") contains \(part)")
    }
    let isStrict = tokens.isMark(at, "===") || tokens.isMark(at, "==")
    let signs: [(StaticString, String)] = [
      ("===", "=="), ("==", "=="), ("<", "<"), ("<=", "<="), (">", ">"), (">=", ">="),
    ]
    guard let sign = signs.first(where: { tokens.isMark(at, $0.0) })?.1 else { return false }
    at += 1
    guard let value = literal() else { return false }
    if !isStrict || subject == .status || subject == .duration {
      guard case .word(let number) = value, number.first.map({ $0.isNumber || $0 == "-" }) == true
      else { return false }
    }
    if case .json = value { return false }
    return add(subject.leftSide, sign, value.expected)
  }

  /// `pm.environment.set("k", jsonData.a)` and its like.
  private mutating func change() -> Bool {
    if isInTest { return false }
    let start = at
    if take(oneOf: words.setters) {
      guard take("("), let name = takeString(), take(","), let value = subject(), take(")"),
        let expression = value.expression
      else { return back(to: start) }
      statements.append(.handler(Self.call("set", name, expression)))
      return true
    }
    if take(oneOf: words.clearers) {
      guard take("("), let name = takeString(), take(")") else { return back(to: start) }
      statements.append(.handler(Self.call("clear", name)))
      return true
    }
    return false
  }

  /// A call of a JetBrains handler.
  static func call(_ method: String, _ name: String, _ value: String? = nil) -> String {
    "client.global.\(method)(\(ScriptLiteral.quoted(name))\(value.map { ", " + $0 } ?? ""));"
  }

  // MARK: Checks

  /// Adds a check; the first of a test carries its name.
  mutating func add(_ line: String) -> Bool {
    statements.append(
      .check(OriginCheck(line: line, title: title.flatMap { $0.isEmpty ? nil : $0 })))
    title = nil
    return true
  }

  /// Adds a check of three parts; `false` where one of them can't be written.
  mutating func add(_ left: String?, _ predicate: String, _ right: String?) -> Bool {
    guard let left, let right else { return false }
    return add("\(left) \(predicate) \(right)")
  }

  /// The subject that a name stands for.
  func subject(named name: String) -> ScriptSubject? { names[name] }
}
