// What an expression of Bruno's such as `res.body.items[0].id` looks at.

import PostKitEvaluate

/// The left side of an assertion or of a variable that a response sets.
struct BrunoSubject: Sendable, Hashable {
  /// What a `??` line has on its left; `nil` where the language has no word for it.
  private(set) var check: String?
  /// The same in the JavaScript of JetBrains; `nil` where it has no word for it.
  private(set) var handler: String?
  /// The expression in Bruno's JavaScript.
  let expression: String

  /// JavaScript that the script engine runs: a handler's where there is one, else Bruno's own.
  var script: String { handler ?? expression }

  /// Reads an expression; older files write `$res` for `res`.
  init(_ written: String) {
    let trimmed = written.trimmingBlanks
    let plain = trimmed.hasPrefix("$res") ? String(trimmed.dropFirst()) : trimmed
    expression = Self.withQuotedHeader(plain)
    var parser = StatementParser(expression, .bruno)
    guard let subject = parser.subject(), parser.isAtEnd else { return }
    // The whole body is JSON or a text by its type, as a `??` line and a handler have it, too.
    if subject == .json([]) || subject == .text {
      check = "body"
      handler = "response.body"
      return
    }
    handler = subject.expression
    // Arrays and texts have a length of their own, which is no member of JSON.
    if case .json(let steps) = subject, steps.last == .member("length") { return }
    check = subject.leftSide
  }

  /// `res.headers["content-type"]` for `res.headers.content-type`, which JavaScript takes for a
  /// difference and which nobody means so.
  private static func withQuotedHeader(_ expression: String) -> String {
    let prefix = "res.headers."
    let name = expression.dropFirst(prefix.count)
    guard expression.hasPrefix(prefix), name.contains("-"), ScriptSubject.isHeader(String(name))
    else { return expression }
    return "res.headers[\"\(name)\"]"
  }
}
