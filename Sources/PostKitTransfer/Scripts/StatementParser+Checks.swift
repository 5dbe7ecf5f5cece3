// Expectations of scripts, in the words of chai, as `??` lines.

import PostKitSyntax

extension StatementParser {
  /// `pm.expect(…).to.eql(…)` or `pm.response.to.have.status(200)`.
  mutating func check() -> Bool {
    let start = at
    let count = statements.count
    guard responseCheck() || expectation(), statements.count > count else {
      return back(to: start)
    }
    return true
  }

  /// What is said of a response as a whole.
  private mutating func responseCheck() -> Bool {
    let start = at
    guard take(oneOf: words.responses), takeDot(), let word = takeName(), take("(")
    else { return back(to: start) }
    switch word {
    case "status":
      guard case .word(let number)? = literal(), Int(number) != nil, take(")") else {
        return back(to: start)
      }
      return add("status == \(number)")
    case "header":
      guard let name = takeString(), ScriptSubject.isHeader(name) else { return back(to: start) }
      if take(")") { return add("header \(name) exists") }
      guard take(","), let value = literal(), take(")") else { return back(to: start) }
      return add("header \(name)", "==", value.expected)
    default: return back(to: start)
    }
  }

  /// `expect(…)` and the words behind it.
  private mutating func expectation() -> Bool {
    let start = at
    guard take(oneOf: words.expectations), take("("), let subject = subject(), take(")"),
      let left = subject.leftSide, chain(of: subject, left)
    else { return back(to: start) }
    return true
  }

  /// Words that only lead to others.
  private static let leading: Set<String> = [
    "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same",
    "does", "still", "also",
  ]

  /// Reads the words behind `expect(…)`, up to the one that decides.
  private mutating func chain(of subject: ScriptSubject, _ left: String) -> Bool {
    var (isDeep, isNegated) = (false, false)
    while takeDot() {
      guard let word = takeName() else { return false }
      if tokens.isMark(at, "(") {
        return call(word, subject, left, isDeep: isDeep, isNegated: isNegated)
      }
      switch word {
      case "not": isNegated = true
      case "deep": isDeep = true
      case _ where Self.leading.contains(word): break
      default:
        guard !isNegated, !tokens.isDot(at), let predicate = Self.predicate(of: word) else {
          return false
        }
        return add("\(left) \(predicate)")
      }
    }
    return false
  }

  private static func predicate(of word: String) -> String? {
    switch word {
    case "true", "ok": "isTrue"
    case "false": "isFalse"
    case "exist": "exists"
    case "null": "== null"
    default: nil
    }
  }

  /// Reads a word with its argument.
  private mutating func call(
    _ word: String, _ subject: ScriptSubject, _ left: String, isDeep: Bool, isNegated: Bool
  ) -> Bool {
    guard take("("), let value = literal(), take(")"), !tokens.isDot(at) else { return false }
    switch word {
    case "equal", "equals", "eq", "eql", "eqls":
      // Two objects are never the same one.
      if case .json = value, word.hasPrefix("equal") || word == "eq", !isDeep { return false }
      return add(left, isNegated ? "!=" : "==", value.expected)
    case "include", "includes", "contain", "contains":
      guard !isNegated, !isDeep, subject != .status, subject != .duration else { return false }
      return add(left, "contains", value.part)
    case "a", "an":
      guard !isNegated, case .text(let kind) = value,
        let predicate = Self.kinds[kind.lowercased()]
      else { return false }
      return add("\(left) \(predicate)")
    default:
      guard !isNegated, let sign = Self.signs[word], case .word(let number) = value,
        number.first.map({ $0.isNumber || $0 == "-" }) == true
      else { return false }
      return add("\(left) \(sign) \(number)")
    }
  }

  private static let kinds = [
    "string": "isString", "number": "isNumber", "boolean": "isBoolean", "array": "isArray",
  ]

  private static let signs = [
    "below": "<", "lessThan": "<", "lt": "<", "above": ">", "greaterThan": ">", "gt": ">",
    "most": "<=", "lte": "<=", "least": ">=", "gte": ">=",
  ]
}
