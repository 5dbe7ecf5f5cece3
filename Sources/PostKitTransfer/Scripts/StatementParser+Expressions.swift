// Expressions of scripts that read a response, and literals.

import PostKitJSON
import PostKitSyntax

extension StatementParser {
  /// Reads an expression that is a part of the response; `nil` where it is anything else.
  mutating func subject() -> ScriptSubject? {
    let start = at
    guard var subject = base() else {
      at = start
      return nil
    }
    while true {
      let step = at
      if let member = member(of: subject) {
        subject = member
      } else {
        at = step
        return subject
      }
    }
  }

  /// A step into what was read: `.a`, `["a"]`, `[0]`, or a header that a call names.
  private mutating func member(of subject: ScriptSubject) -> ScriptSubject? {
    if take("[") {
      if let name = takeString() { return take("]") ? subject.stepping(.member(name)) : nil }
      guard case .word(let number)? = literal(), let index = Int(number), index >= 0, take("]")
      else { return nil }
      return subject.stepping(.element(index))
    }
    guard takeDot() else { return nil }
    if subject == .headers, take(word: "get") {
      guard take("("), let name = takeString(), take(")") else { return nil }
      return subject.stepping(.member(name))
    }
    guard let name = takeName(), !tokens.isMark(at, "(") else { return nil }
    return subject.stepping(.member(name))
  }

  /// Where an expression begins: JSON that is parsed, or a name.
  private mutating func base() -> ScriptSubject? {
    let start = at
    if take(path: ["JSON", "parse"]), take("(") {
      return named() == .text && take(")") ? .json([]) : nil
    }
    at = start
    return named()
  }

  /// A name of the tool, or one that the script has declared.
  private mutating func named() -> ScriptSubject? {
    let start = at
    if let name = tokens.word(at), let bound = subject(named: name) {
      at += 1
      return bound
    }
    for reading in words.readings where take(path: reading.path) {
      if reading.isCall {
        if take("("), take(")") { return reading.subject }
      } else if !tokens.isMark(at, "(") {
        return reading.subject
      }
      at = start
    }
    // A header that a call names, such as `res.getHeader("x")`.
    guard take(oneOf: words.headers), take("("), let name = takeString(), take(")") else {
      return nil
    }
    return ScriptSubject.headers.stepping(.member(name))
  }

  /// Reads a literal: a string, number, `true`, `false`, `null`, or JSON in brackets.
  mutating func literal() -> ScriptLiteral? {
    guard !isAtEnd else { return nil }
    if let text = takeString() { return .text(text) }
    let start = at
    let isNegative = take("-")
    guard !isAtEnd else {
      at = start
      return nil
    }
    let token = tokens[at]
    let text = tokens.text(at)
    switch token.kind {
    case .number:
      let number = (isNegative ? "-" : "") + text
      // JavaScript's other spellings of numbers are not ours.
      guard (try? JSONTree(parsing: Array(number.utf8)))?.root.numberText != nil else { break }
      at += 1
      return .word(number)
    case .word where !isNegative && ["true", "false", "null"].contains(text):
      at += 1
      return .word(text)
    case .mark where !isNegative && (tokens.isMark(at, "{") || tokens.isMark(at, "[")):
      guard let close = tokens.closer(of: at) else { break }
      let range = token.range.lowerBound..<tokens[close].range.upperBound
      // What is no JSON is an expression that the table does not have.
      guard let tree = try? JSONTree(parsing: Array(tokens.slice(range))) else { break }
      at = close + 1
      return .json(tree.root.value.text)
    default: break
    }
    at = start
    return nil
  }
}
