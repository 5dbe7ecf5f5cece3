// What a request lacks and evaluation can't get by itself. Evaluation says so and calls nobody; the
// runner gets it, puts it into the scope, and the request is evaluated again.

package import PostKitAuth

/// One thing that a request lacks.
package enum Need: Sendable, Hashable {
  /// The answer to the question of a reference such as `$input`.
  case prompt(Prompt)
  /// The value of a JavaScript expression.
  case expression(ExpressionNeed)
  /// A token of OAuth 2.
  case token(TokenNeed)

  /// The question, where it is one.
  package var prompt: Prompt? {
    switch self {
    case .prompt(let prompt): prompt
    case .expression, .token: nil
    }
  }

  /// The expression, where it is one.
  package var expression: ExpressionNeed? {
    if case .expression(let need) = self { need } else { nil }
  }

  /// The token, where it is one.
  package var token: TokenNeed? {
    if case .token(let need) = self { need } else { nil }
  }
}

/// What was got for needs, as evaluation reads it.
package struct NeedAnswers: Sendable, Hashable {
  /// The answers to questions, by their labels.
  package var prompts: [String: String]
  /// What expressions came to.
  package var expressions: [ExpressionNeed: ExpressionAnswer] = [:]
  /// The tokens that were got.
  package var tokens: [TokenNeed: TokenAnswer] = [:]

  /// Makes answers.
  package init(prompts: [String: String] = [:]) { self.prompts = prompts }

  /// Whether a need is met.
  package func meet(_ need: Need) -> Bool {
    switch need {
    case .prompt(let prompt): prompts[prompt.name] != nil
    case .expression(let need): expressions[need] != nil
    case .token(let need): tokens[need] != nil
    }
  }
}

/// A value that is asked for before a request is sent (PK-54).
package struct Prompt: Sendable, Hashable {
  package var name: String
  package var label: String
  /// Whether the answer is hidden while it is typed and masked afterwards.
  package var isSecret: Bool
  /// What can be chosen; empty where any text will do.
  package var options: [String] = []
  /// What is offered as the answer.
  package var proposal: String?
  /// Whether the answer lasts for the session.
  package var asksOnce = false

  /// Makes a question.
  package init(name: String, label: String, isSecret: Bool) {
    self.name = name
    self.label = label
    self.isSecret = isSecret
  }
}
