// References to tokens: `$auth.token("id")` and `$auth.idToken("id")` (AU-4, section 4.1).

package import PostKitAuth
import PostKitJSON
import PostKitText

/// A token that a reference names.
package struct TokenReference: Sendable, Hashable {
  package let id: String
  package let kind: TokenNeed.Kind

  /// The names of the references without `$`, each with its token.
  static let kinds: [String: TokenNeed.Kind] = ["auth.token": .access, "auth.idToken": .id]

  /// Reads a dynamic variable; `nil` for one that is no token, or that names none. Quotes of either
  /// kind may be left out, and blanks may stand anywhere.
  package init?(name: String, arguments: String) {
    guard let kind = TokenReference.kinds[name] else { return nil }
    var text = arguments.trimmingBlanks
    if text.hasPrefix("("), text.hasSuffix(")"), text.utf8.count > 1 {
      text = String(text.dropFirst().dropLast()).trimmingBlanks
    }
    for quote in ["\"", "'"] where text.utf8.count > 1 {
      guard text.hasPrefix(quote), text.hasSuffix(quote) else { continue }
      text = String(text.dropFirst().dropLast()).trimmingBlanks
      break
    }
    guard !text.isEmpty else { return nil }
    self.kind = kind
    id = text
  }
}

/// What is known of a token that a text or a script names.
package enum TokenFinding: Sendable {
  /// Somebody has to get it.
  case need(TokenNeed)
  /// It was handed in for this run (AU-50).
  case given(String)
  /// Its configuration needs something else first, which was noted, or has a mistake, which was
  /// reported.
  case pending
  /// It can't be got.
  case problem(EvaluationProblem.Kind)
}

extension Evaluator {
  /// What a dynamic variable stands for that is a token in any tool's words; `nil` for another.
  mutating func token(
    _ name: String, _ arguments: String, at range: Range<Int>, offset: Int
  ) -> Resolution? {
    guard TokenReference.kinds[name] != nil else {
      return restClientToken(name, arguments, at: range, offset: offset)
    }
    guard let reference = TokenReference(name: name, arguments: arguments) else {
      let signature = DynamicVariables.named(name)?.signature ?? ""
      return .unresolved(.dynamicArguments(name: name, expected: signature))
    }
    return resolve(reference, at: range, offset: offset)
  }

  /// What a reference to a token stands for.
  mutating func resolve(
    _ reference: TokenReference, at range: Range<Int>, offset: Int
  ) -> Resolution {
    switch token(reference, at: range, offset: offset) {
    case .given(let text): return .value(.string(shown(text, isSecret: true)))
    case .pending: return .value(.string(Evaluator.standIn(for: reference.id)))
    case .problem(let kind): return .unresolved(kind)
    case .need(let need):
      guard let answer = answer(to: need) else {
        return .value(.string(Evaluator.standIn(for: reference.id)))
      }
      return .value(.string(shown(answer.text, isSecret: true)))
    }
  }

  /// What is known of the token of a client, as names mean at an offset; mistakes of its fields are
  /// reported at a range. For scripts, too, whose calls get what is needed.
  package mutating func token(
    _ reference: TokenReference, at range: Range<Int>, offset: Int
  ) -> TokenFinding {
    if let found = handedIn(reference.id) { return found }
    switch client(reference.id, at: range, offset: offset) {
    case .known(let configuration): return .need(TokenNeed(configuration, kind: reference.kind))
    case .pending: return .pending
    case .problem(let kind): return .problem(kind)
    }
  }

  /// The token of an id that was given for this run: `--var auth.ID=…`, `POSTKIT_TOKEN_ID`
  /// (AU-50).
  mutating func handedIn(_ id: String) -> TokenFinding? {
    if let given = scope.overrides["auth." + id], !given.isEmpty {
      return .given(Evaluator.bare(given))
    }
    let name = "POSTKIT_" + Evaluator.standIn(for: id)
    guard let value = context.processEnvironment(name), !value.isEmpty else { return nil }
    return withheld(name, namedIn: textPath).map { .problem($0) }
      ?? .given(Evaluator.bare(value))
  }

  /// A token that somebody hands in, without what was copied along: blanks, a line end, a scheme.
  private static func bare(_ text: String) -> String {
    let inner = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    let token = String(inner)
    guard token.lowercased().hasPrefix("bearer ") else { return token }
    return String(token.dropFirst("bearer ".count).drop(while: \.isWhitespace))
  }

  /// What stands for a token that is not there yet: it means the same wherever it stands.
  static func standIn(for id: String) -> String {
    "TOKEN_"
      + id.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }
      .joined()
  }

  /// The answer to a need; one that nobody has got yet is noted. Fields that change at each use
  /// make another configuration in each round, so that the id has to do then.
  mutating func answer(to need: TokenNeed) -> TokenAnswer? {
    if let answer = scope.answers.tokens[need] { return answer }
    if clientNotes.changing.contains(need.configuration.id) {
      let known = scope.answers.tokens.first { other, _ in
        other.configuration.id == need.configuration.id && other.kind == need.kind
          && other.configuration.dialect == need.configuration.dialect
      }
      if let known { return known.value }
    }
    note(.token(need))
    return nil
  }
}

extension TokenNeed {
  /// What stands for the token where nothing is sent, such as `TOKEN_SHOP`.
  package var standIn: String { Evaluator.standIn(for: configuration.id) }

  /// What a person should know of a request that is shown before there is a token.
  package var standInRemark: String {
    let id = configuration.id
    return "`\(standIn)` stands for the token of `\(id)`, which PostKit gets when it sends the "
      + "request. `--var auth.\(id)=TOKEN` gives another one."
  }
}

/// What comes of reading a configuration.
enum ConfigurationFinding {
  case known(AuthConfiguration)
  /// Something is lacking or wrong in it, which was noted or reported.
  case pending
  case problem(EvaluationProblem.Kind)
}

/// What an evaluator remembers of clients.
struct ClientNotes: Sendable {
  /// Those that are being worked out, the innermost last.
  var open: [String] = []
  /// Those of which a mistake was reported.
  var broken: Set<String> = []
  /// Those with a value that changes at each use.
  var changing: Set<String> = []
}

extension DynamicVariables {
  /// Those that stand for tokens.
  static let tokens: [DynamicVariable] = [
    token(
      "auth.token", "$auth.token(\"ID\")",
      "The access token of `ID` in `Security.Auth`; PostKit gets it when it sends the request."),
    token(
      "auth.idToken", "$auth.idToken(\"ID\")",
      "The ID token of `ID` in `Security.Auth`; PostKit gets it when it sends the request."),
  ]

  /// A variable that stands for a token.
  static func token(
    _ name: String, _ signature: String, _ summary: String
  ) -> DynamicVariable {
    DynamicVariable(name: name, signature: signature, summary: summary) { _, _, _ in nil }
  }
}
