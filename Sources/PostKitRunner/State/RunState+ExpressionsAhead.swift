// Expressions of the next request that go to the engine with the last script of the one before, so
// that the engine works while that one is recorded and told of (SC-95).

import PostKitEvaluate
import PostKitScripting
import PostKitSyntax

/// Expressions that were handed over ahead of their request's turn.
struct ExpressionsAhead: Sendable {
  let place: RequestPlace
  let needs: [ExpressionNeed]
  let job: Int
  /// What they came to; `nil` until the engine has said it.
  var outcome: ExpressionOutcome?
}

extension RunState {
  /// Hands over the expressions of the request that follows while a script runs.
  mutating func handOverExpressions(
    of next: RequestPlace, after script: RunScript, _ text: String, _ services: RunServices
  ) async {
    scripts.ahead = nil
    guard let needs = expressionsAhead(of: next, after: text, services) else { return }
    let caller = ScriptCaller(place: next, phase: .pre, script: nil, exchange: latest)
    // They read no variable, so that they need none of the stores.
    var expressions = job(of: needs, caller, ScriptStores())
    expressions.predecessor = script.id
    if await scripts.session?.follow(with: expressions) == true {
      scripts.ahead = ExpressionsAhead(place: next, needs: needs, job: expressions.id)
    }
  }

  /// The expressions of the next request that mean the same whatever a script does to variables;
  /// `nil` where there are others, or none.
  private func expressionsAhead(
    of next: RequestPlace, after script: String, _ services: RunServices
  ) -> [ExpressionNeed]? {
    guard Self.leavesOrder(script), hasOwnExpressions(next) else { return nil }
    var probe = self
    probe.scope.answers = lastingAnswers
    let needs = probe.lowerAhead(next, services).needs
    let open = needs.compactMap(\.expression)
    guard !open.isEmpty, open.count == needs.count, open.allSatisfy({ $0.file == next.file }),
      open.allSatisfy({ OwnExpression.readsNoVariable($0.text) })
    else { return nil }
    return open
  }

  /// Whether a request has expressions, and nothing that runs or is asked before it is evaluated.
  private func hasOwnExpressions(_ place: RequestPlace) -> Bool {
    let block = scope.files.block(place)
    return block.syntax.kind == .request && block.sharing == nil && block.disabledTag == nil
      && !block.mayRepeat && !asks(about: block) && scope.sharedBlocks(for: block).isEmpty
      && block.references.contains { if case .script = $0.expression { true } else { false } }
  }

  /// Words by which a script decides what comes next, or has other requests sent.
  private static let orderWords: Set<String> = [
    "replay", "setNextRequest", "execute", "runRequest", "import", "stopExecution", "eval",
  ]

  /// Whether a script leaves it to the run what comes next.
  private static func leavesOrder(_ script: String) -> Bool {
    ScriptWords([script]).names.isDisjoint(with: orderWords)
  }

  /// Takes over what the expressions of a request came to ahead of its turn.
  mutating func takeExpressionsAhead(_ place: RequestPlace, _ services: RunServices) async {
    if await useExpressionsAhead(place, services) { dropExpressionsAhead(of: place) }
    scripts.ahead = nil
  }

  /// Makes the values of expressions that were handed over known to the evaluation of their
  /// request, and keeps them for its turn; `false` where there are none.
  mutating func useExpressionsAhead(
    _ place: RequestPlace, _ services: RunServices
  ) async -> Bool {
    guard let ahead = scripts.ahead, ahead.place == place else { return false }
    if ahead.outcome == nil {
      let caller = ScriptCaller(place: place, phase: .pre, script: nil, exchange: latest)
      // Where this fails they are evaluated once more, and the failure is told then.
      guard case .success(let outcome) = await outcome(of: ahead.job, caller, services) else {
        scripts.ahead = nil
        return false
      }
      scripts.ahead?.outcome = outcome
    }
    guard let outcome = scripts.ahead?.outcome else { return false }
    _ = note(outcome, ahead.needs)
    return true
  }

  /// Counts the evaluation that was done ahead: its request is on its way, or its turn has come.
  mutating func dropExpressionsAhead(of place: RequestPlace) {
    guard scripts.ahead?.place == place else { return }
    scripts.ahead = nil
    evaluations[place, default: 0] += 1
  }
}

/// JavaScript that reads what the language has, and no variable.
enum OwnExpression {
  private static let language: Set<String> = [
    "true", "false", "null", "undefined", "NaN", "Infinity", "typeof", "void", "new", "in",
    "instanceof", "Math", "Date", "JSON", "Number", "String", "Boolean", "Array", "Object",
    "BigInt", "Intl", "RegExp", "parseInt", "parseFloat", "isNaN", "isFinite",
    "encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI", "response",
  ]

  /// Whether every name of an expression is one that no variable can hide. Names in quotes and
  /// behind a dot are none of its own; what isn't simple enough to say is taken for a variable.
  static func readsNoVariable(_ text: String) -> Bool {
    let tokens = ScriptTokens(Array(text.utf8)[...])
    return tokens.tokens.indices.allSatisfy { index in
      switch tokens[index].kind {
      case .word: tokens.isDot(index - 1) || language.contains(tokens.text(index))
      case .string: tokens[index].isPlain
      case .template: false
      case .number, .pattern, .mark: true
      }
    }
  }
}
