// Reads the filters of JSONPath and checks the types of function calls (RFC 9535, 2.3.5 and 2.4).

extension JSONPathParser {
  /// Reads a logical expression.
  mutating func parseCondition() throws(JSONPathError) -> JSONPathCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONPathParser.depthLimit else { throw error("this is nested too deeply") }
    var alternatives = [try parseConjunction()]
    skipBlanks()
    while take("||") {
      alternatives.append(try parseConjunction())
      skipBlanks()
    }
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  private mutating func parseConjunction() throws(JSONPathError) -> JSONPathCondition {
    var terms = [try parseTerm()]
    skipBlanks()
    while take("&&") {
      terms.append(try parseTerm())
      skipBlanks()
    }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func parseTerm() throws(JSONPathError) -> JSONPathCondition {
    skipBlanks()
    let isNegated = take("!")
    if isNegated { skipBlanks() }
    if take("(") {
      let inner = try parseCondition()
      skipBlanks()
      guard take(")") else { throw error("a closing parenthesis is missing") }
      return isNegated ? .not(inner) : inner
    }
    let start = at
    let left = try parseOperand()
    let end = at
    skipBlanks()
    if !isNegated, let comparison = takeComparison() {
      try requireValue(left, at: start)
      skipBlanks()
      let rightStart = at
      let right = try parseOperand()
      try requireValue(right, at: rightStart)
      return .comparison(left, comparison, right)
    }
    at = end
    let test = try makeTest(left, at: start)
    return isNegated ? .not(test) : test
  }

  private mutating func takeComparison() -> JSONPathComparison? {
    if take("==") { return .equal }
    if take("!=") { return .notEqual }
    if take("<=") { return .lessOrEqual }
    if take(">=") { return .greaterOrEqual }
    if take("<") { return .less }
    if take(">") { return .greater }
    return nil
  }

  private func makeTest(
    _ operand: JSONPathOperand, at start: Int
  ) throws(JSONPathError) -> JSONPathCondition {
    switch operand {
    case .query(let query): return .exists(query)
    case .function(let function) where function.isLogical: return .function(function)
    case .function, .literal:
      throw JSONPathError(offset: start, explanation: "a value must be compared to another")
    }
  }

  private func requireValue(_ operand: JSONPathOperand, at start: Int) throws(JSONPathError) {
    let explanation: String
    switch operand {
    case .literal: return
    case .query(let query):
      if query.isSingular { return }
      explanation = "only a query that selects at most one value can be used here"
    case .function(let function):
      if !function.isLogical { return }
      explanation = "match and search give no value to compare"
    }
    throw JSONPathError(offset: start, explanation: explanation)
  }

  private mutating func parseOperand() throws(JSONPathError) -> JSONPathOperand {
    guard let byte = peek() else { throw error("expected an expression") }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .literal(.string(try parseString()))
    case UInt8(ascii: "-"), 48...57: return .literal(.number(try parseNumber()))
    case UInt8(ascii: "@"), UInt8(ascii: "$"): return .query(try parseInnerQuery())
    case 97...122: return try parseWord()
    default: throw error("expected a path, a literal or a function")
    }
  }

  private mutating func parseInnerQuery() throws(JSONPathError) -> JSONPathQuery {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONPathParser.depthLimit else { throw error("this is nested too deeply") }
    let isFromRoot = take("$")
    guard isFromRoot || take("@") else { throw error("a path begins with `$` or `@` here") }
    return JSONPathQuery(isFromRoot: isFromRoot, segments: try parseSegments())
  }

  private mutating func parseNumber() throws(JSONPathError) -> JSONDecimal {
    let start = at
    _ = take("-")
    let whole = skipDigits()
    let hasLeadingZero = whole > 1 && bytes[at - whole] == 48
    var isValid = whole > 0 && !hasLeadingZero
    if take(".") { isValid = skipDigits() > 0 && isValid }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      isValid = skipDigits() > 0 && isValid
    }
    guard isValid else {
      throw JSONPathError(offset: start, explanation: "this is not a JSON number")
    }
    return JSONDecimal(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  private mutating func skipDigits() -> Int {
    let start = at
    while let byte = peek(), (48...57).contains(byte) { at += 1 }
    return at - start
  }

  private mutating func parseWord() throws(JSONPathError) -> JSONPathOperand {
    let start = at
    while let byte = peek(), (97...122).contains(byte) || (48...57).contains(byte) || byte == 0x5F {
      at += 1
    }
    let word = String(decoding: bytes[start..<at], as: UTF8.self)
    guard take("(") else {
      switch word {
      case "true": return .literal(.bool(true))
      case "false": return .literal(.bool(false))
      case "null": return .literal(.null)
      default:
        throw JSONPathError(offset: start, explanation: "strings need quotes here")
      }
    }
    skipBlanks()
    let function = try parseFunction(word, at: start)
    skipBlanks()
    guard take(")") else { throw error("expected `)` after the arguments") }
    return .function(function)
  }

  private mutating func parseFunction(
    _ name: String, at start: Int
  ) throws(JSONPathError) -> JSONPathFunction {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONPathParser.depthLimit else { throw error("this is nested too deeply") }
    switch name {
    case "length": return .length(try parseValueArgument())
    case "count": return .count(try parseInnerQuery())
    case "value": return .value(try parseInnerQuery())
    case "match", "search":
      let text = try parseValueArgument()
      skipBlanks()
      guard take(",") else { throw error("expected a pattern as second argument") }
      skipBlanks()
      let pattern = try parseValueArgument()
      return .regexp(text, JSONPathParser.compile(pattern), isWhole: name == "match")
    default:
      throw JSONPathError(
        offset: start,
        explanation: "the functions are length, count, match, search and value")
    }
  }

  private mutating func parseValueArgument() throws(JSONPathError) -> JSONPathOperand {
    let start = at
    let operand = try parseOperand()
    try requireValue(operand, at: start)
    return operand
  }

  private static func compile(_ pattern: JSONPathOperand) -> JSONPathPattern {
    switch pattern {
    case .literal(.string(let text)): .fixed(JSONPathRegexp(text))
    case .literal: .fixed(nil)
    case .query, .function: .computed(pattern)
    }
  }
}
