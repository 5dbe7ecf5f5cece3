// Reads a text as a script without running it.

import CJavaScriptCore

/// What is wrong with texts.
enum SyntaxCheck {
  /// What the engine says of a text, and in which of its lines; `nil` where it can be read.
  static func error(
    _ text: String, _ kind: String?, in context: EngineContext
  ) -> (message: String, line: Int)? {
    let isExpression = kind == "expression"
    var text = text
    // What the engine has no words for is written in others when the script runs.
    if !isExpression, let rewritten = rewritten(text, isModule: kind == "module", in: context) {
      text = rewritten
    }
    let head = isExpression ? expressionHead : scriptHead
    let tail = isExpression ? "\n)}})" : "\n})}})"
    guard let whole = error(head + text + tail, in: context.realm) else { return nil }
    // Whatever follows the text may be what the engine complains of: without it, it doesn't.
    let found = error(head + text, in: context.realm) ?? whole
    let last = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
    return (found.message, min(max(1, found.line - 1), last))
  }

  private static let scriptHead = "(async function(){with({}){return(async function(){\n"
  private static let expressionHead = "(async function(){with({}){return(\n"

  private static func error(_ source: String, in realm: Realm) -> (message: String, line: Int)? {
    var exception: postkit_js_value?
    let isRight = realm.withString(Array(source.utf8)) { source in
      realm.js.pointee.JSCheckScriptSyntax(realm.context, source, nil, 1, &exception)
    }
    if isRight { return nil }
    guard let exception else { return ("the text can't be read", 1) }
    let line = realm.property(exception, "line").map(realm.number) ?? 1
    let message = realm.property(exception, "message").map(realm.text) ?? ""
    return (message, Int(exactly: line) ?? 1)
  }

  /// The text as it is run, line for line; `nil` where it stays as it is.
  private static func rewritten(
    _ text: String, isModule: Bool, in context: EngineContext
  ) -> String? {
    guard isModule || ["import", "export", "method"].contains(where: text.contains) else {
      return nil
    }
    let realm = context.realm
    let arguments = [realm.value(text), realm.value(isModule ? 1 : 0)]
    guard let value = context.value("rewritten", arguments) else { return nil }
    return realm.text(value)
  }
}
