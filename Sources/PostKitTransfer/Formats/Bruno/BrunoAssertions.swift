// What Bruno asserts of a response, as `??` lines where the language has them, else as a script.

import PostKitEvaluate
import PostKitJSON

/// An assertion of Bruno's, such as `res.status: eq 200`.
struct BrunoAssertion: Sendable, Hashable {
  /// What is looked at, in JavaScript.
  var expression: String
  /// A word such as `eq`.
  var comparison: String
  /// What it is compared with, as written.
  var value: String
  /// What people call it.
  var title: String?

  /// The operators that no value follows.
  private static let unary: Set<String> = [
    "isEmpty", "isNotEmpty", "isNull", "isUndefined", "isDefined", "isTruthy", "isFalsy", "isJson",
    "isNumber", "isString", "isBoolean", "isArray",
  ]
  /// The operators that one follows.
  private static let binary: Set<String> = [
    "eq", "neq", "gt", "gte", "lt", "lte", "in", "notIn", "contains", "notContains", "length",
    "matches", "notMatches", "startsWith", "endsWith", "between",
  ]

  /// Makes an assertion of an expression, an operator and a value that are apart.
  init(expression: String, comparison: String, value: String, title: String? = nil) {
    self.expression = expression
    self.comparison = comparison
    self.value = value
    self.title = title
  }

  /// Makes one of a pair; a value without an operator is what must be equal.
  init(expression: String, written: String, title: String? = nil) {
    let word = String(written.prefix { $0 != " " && $0 != "\t" })
    let rest = String(written.dropFirst(word.count)).trimmingBlanks
    if Self.unary.contains(word) {
      self.init(expression: expression, comparison: word, value: "", title: title)
    } else if Self.binary.contains(word) {
      self.init(expression: expression, comparison: word, value: rest, title: title)
    } else {
      self.init(expression: expression, comparison: "eq", value: written, title: title)
    }
  }

  /// What is written for it.
  enum Form: Sendable, Hashable {
    case checks([OriginCheck])
    /// A handler in JavaScript.
    case script(String)
  }

  /// The `??` lines that say the same, else a handler that tests it.
  var form: Form {
    if let lines = BrunoSubject(expression).check.flatMap(lines) {
      return .checks(lines.map { OriginCheck(line: $0, title: title) })
    }
    return .script(script)
  }

  /// The assertion as its author reads it.
  var written: String { "\(expression): \(comparison) \(value)".trimmingBlanks }

  // MARK: `??` lines

  private func lines(_ subject: String) -> [String]? {
    guard !value.utf8.contains(0x0A) else { return nil }
    func one(_ rest: String?) -> [String]? { rest.map { ["\(subject) \($0)"] } }
    switch comparison {
    case "eq": return one(equalValue.map { "== \($0)" })
    case "neq": return one(equalValue.map { "!= \($0)" })
    case "gt": return one(number(value).map { "> \($0)" })
    case "gte": return one(number(value).map { ">= \($0)" })
    case "lt": return one(number(value).map { "< \($0)" })
    case "lte": return one(number(value).map { "<= \($0)" })
    case "contains", "startsWith", "endsWith": return one(plainValue.map { "\(comparison) \($0)" })
    case "matches": return one(pattern.map { "matches \($0)" })
    case "between":
      let ends = value.split(separator: ",").map { number(String($0).trimmingBlanks) }
      guard ends.count == 2, let low = ends[0], let high = ends[1] else { return nil }
      return ["\(subject) >= \(low)", "\(subject) <= \(high)"]
    case "isNull": return ["\(subject) == null"]
    case "isUndefined": return ["\(subject) == undefined"]
    case "isDefined": return ["\(subject) != undefined"]
    case "isTruthy": return ["\(subject) isTrue"]
    case "isFalsy": return ["\(subject) isFalse"]
    case "isNumber", "isString", "isBoolean", "isArray": return ["\(subject) \(comparison)"]
    default: return nil
    }
  }

  /// The text without quotes around it; `nil` where it is not quoted.
  private var unquoted: String? {
    guard value.utf8.count >= 2, let first = value.utf8.first, first == value.utf8.last,
      first == 0x22 || first == 0x27
    else { return nil }
    return String(value.utf8.dropFirst().dropLast())
  }

  /// What a `??` line is equal to: a quoted text in the quotes that it knows.
  private var equalValue: String? {
    guard let text = unquoted else { return value.isEmpty ? "\"\"" : value }
    // Both tools resolve the escapes in double quotes.
    if value.hasPrefix("\""), (try? JSONTree(parsing: Array(value.utf8))) != nil { return value }
    return JSONValue.string(text).text
  }

  /// A text that a `??` line compares with, which begins and ends with no blank.
  private var plainValue: String? {
    let text = unquoted ?? value
    return text.isEmpty || text.trimmingBlanks != text ? nil : text
  }

  /// A number, or a template that may stand for one.
  private func number(_ text: String) -> String? {
    let isNumber = (try? JSONTree(parsing: Array(text.utf8)))?.root.kind == .number
    return isNumber || text.hasPrefix("{{") ? text : nil
  }

  /// A regular expression that the language runs; one between slashes may have no flags.
  private var pattern: String? {
    guard var text = plainValue else { return nil }
    if text.hasPrefix("/") {
      guard text.hasSuffix("/"), text.utf8.count > 2 else { return nil }
      text = String(text.dropFirst().dropLast())
    }
    // One that our patterns can't read has no line of its own.
    return (try? TextPattern(text)) == nil ? nil : text
  }

  // MARK: A script

  private var script: String {
    let name = JSONValue.string(title ?? written).text
    let condition = condition(BrunoSubject(expression).script)
    return "client.test(\(name), function () { client.assert(\(condition)); });"
  }

  private func condition(_ left: String) -> String {
    let right = Self.literal(value)
    switch comparison {
    case "eq": return "\(left) === \(right)"
    case "neq": return "\(left) !== \(right)"
    case "gt": return "\(left) > \(right)"
    case "gte": return "\(left) >= \(right)"
    case "lt": return "\(left) < \(right)"
    case "lte": return "\(left) <= \(right)"
    case "in": return "\(list).includes(\(left))"
    case "notIn": return "!\(list).includes(\(left))"
    case "contains": return "\(left).includes(\(right))"
    case "notContains": return "!\(left).includes(\(right))"
    case "length": return "\(left).length === \(right)"
    case "matches": return "\(expressionOfPattern).test(\(left))"
    case "notMatches": return "!\(expressionOfPattern).test(\(left))"
    case "startsWith", "endsWith": return "String(\(left)).\(comparison)(\(text))"
    case "between":
      let ends = value.split(separator: ",").map { Self.literal(String($0).trimmingBlanks) }
      guard ends.count == 2 else { return "false" }
      return "\(left) >= \(ends[0]) && \(left) <= \(ends[1])"
    case "isEmpty": return "Object.keys(\(left)).length === 0"
    case "isNotEmpty": return "Object.keys(\(left)).length > 0"
    case "isNull": return "\(left) === null"
    case "isUndefined": return "\(left) === undefined"
    case "isDefined": return "\(left) !== undefined"
    case "isTruthy": return "!!(\(left))"
    case "isFalsy": return "!(\(left))"
    case "isJson":
      return "typeof \(left) === \"object\" && \(left) !== null && !Array.isArray(\(left))"
    case "isNumber": return "typeof \(left) === \"number\""
    case "isString": return "typeof \(left) === \"string\""
    case "isBoolean": return "typeof \(left) === \"boolean\""
    case "isArray": return "Array.isArray(\(left))"
    default: return "false"
    }
  }

  /// Whether there is such an operator; with another one nothing is tested.
  var isKnown: Bool { Self.unary.contains(comparison) || Self.binary.contains(comparison) }

  /// The value as JavaScript; a text with a template is filled in when the script runs.
  private static func literal(_ value: String) -> String {
    if value == "undefined" { return value }
    if !value.contains("{{"), (try? JSONTree(parsing: Array(value.utf8))) != nil { return value }
    let isQuoted = value.utf8.count >= 2 && value.utf8.first == value.utf8.last
      && (value.utf8.first == 0x22 || value.utf8.first == 0x27)
    let inside = isQuoted ? String(value.utf8.dropFirst().dropLast()) ?? value : value
    let text = quoted(inside)
    if isQuoted || !inside.contains("{{") { return text }
    // The template is filled in before the value is read.
    return "(v => { try { return JSON.parse(v); } catch { return v; } })(\(text))"
  }

  private static func quoted(_ text: String) -> String {
    let quoted = JSONValue.string(text).text
    return text.contains("{{") ? "bru.interpolate(\(quoted))" : quoted
  }

  /// The value as a text.
  private var text: String { Self.quoted(unquoted ?? value) }

  /// The elements that `in` names, between brackets or not.
  private var list: String {
    var inside = value
    if inside.hasPrefix("["), inside.hasSuffix("]") {
      inside = String(inside.dropFirst().dropLast())
    }
    let items = inside.split(separator: ",").map { Self.literal(String($0).trimmingBlanks) }
    return "[" + items.joined(separator: ", ") + "]"
  }

  /// The regular expression as JavaScript; one between slashes may have flags.
  private var expressionOfPattern: String {
    let source = unquoted ?? value
    if source.hasPrefix("/"), let end = source.utf8.lastIndex(of: 0x2F), end > source.startIndex {
      let flags = String(source[source.utf8.index(after: end)...])
      let inside = String(source[source.utf8.index(after: source.startIndex)..<end])
      if flags.allSatisfy({ "dgimsuvy".contains($0) }) {
        return "new RegExp(\(JSONValue.string(inside).text), \(JSONValue.string(flags).text))"
      }
    }
    return "new RegExp(\(Self.quoted(source)))"
  }
}
