// Reads a text as a script without running it.

import CJavaScriptCore

/// What is wrong with texts.
enum SyntaxCheck {
  /// What the engine says of a text, and in which of its lines; `nil` where it can be read.
  static func error(
    _ text: String, _ kind: String?, in realm: Realm
  ) -> (message: String, line: Int)? {
    let (head, tail) =
      kind == "expression"
      ? ("(async function(){with({}){return(\n", "\n)}})")
      : ("(async function(){with({}){return(async function(){\n", "\n})}})")
    var exception: postkit_js_value?
    let isRight = realm.withString(Array((head + text + tail).utf8)) { source in
      realm.js.pointee.JSCheckScriptSyntax(realm.context, source, nil, 1, &exception)
    }
    if isRight { return nil }
    guard let exception else { return ("the text can't be read", 1) }
    let last = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
    let line = realm.property(exception, "line").map(realm.number) ?? 1
    let message = realm.property(exception, "message").map(realm.text) ?? ""
    return (message, min(max(1, (Int(exactly: line) ?? 1) - 1), last))
  }
}
