// Scripts of other tools as lines of ours, where a closed table has every statement (IO-19a).

import PostKitSyntax

/// The tools whose scripts are read.
enum ScriptFamily: Sendable, Hashable {
  case postman, insomnia, bruno, hoppscotch
}

/// What the closed table makes of scripts.
enum ScriptTranslation {
  /// The statements of a script in our words, or `nil` where one of them is not in the table: then
  /// the whole script is kept as it is. A script without statements has none.
  static func statements(
    of text: String, _ phase: OriginScriptPhase, _ family: ScriptFamily
  ) -> [OriginStatement]? {
    var parser = StatementParser(text, family)
    guard parser.readAll() else { return nil }
    let result = parser.statements
    // Before the request there is no response to check or to take something from.
    let isDone = phase == .afterResponse || result.allSatisfy { $0.isDropped }
    return isDone ? result : nil
  }

  /// The left side of a `??` line for an expression alone, such as `body $.a` for `res.body.a`;
  /// `nil` where the table has none for it.
  static func leftSide(of expression: String, _ family: ScriptFamily) -> String? {
    subject(of: expression, family)?.leftSide
  }

  /// What an expression alone reads of the response; `nil` where it is anything else.
  static func subject(of expression: String, _ family: ScriptFamily) -> ScriptSubject? {
    var parser = StatementParser(expression, family)
    guard let subject = parser.subject(), parser.isAtEnd else { return nil }
    return subject
  }

  /// A statement that sets a name to what an expression says, such as `res.body.token`; `nil` where
  /// the table has none for it.
  static func setting(
    _ name: String, to expression: String, _ family: ScriptFamily
  ) -> OriginStatement? {
    subject(of: expression, family)?.expression.map {
      .handler(StatementParser.call("set", name, $0))
    }
  }
}

extension OriginStatement {
  /// Whether it has no effect.
  fileprivate var isDropped: Bool {
    if case .dropped = self { return true }
    return false
  }
}
