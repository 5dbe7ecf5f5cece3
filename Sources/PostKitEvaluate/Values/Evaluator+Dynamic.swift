// What `{{$name arguments}}` stands for.

import PostKitJSON
import PostKitSyntax
import PostKitText

extension Evaluator {
  /// The value of a dynamic variable, or what its name asks for otherwise.
  mutating func dynamic(
    _ name: String, _ arguments: String, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> Resolution {
    if name.hasPrefix("global."), arguments.isEmpty {
      return global(String(name.dropFirst(7)), at: range, place: place, offset: offset)
    }
    // A token stays the same for as long as it is valid.
    if let token = token(name, arguments, at: range, offset: offset) { return token }
    usedChangingValue = true
    if name == "index" {
      if let value = scope.loop["$index"] { return .value(value) }
      return .unresolved(.syntax("`$index` needs a `@loop`, and this request has none."))
    }
    if name.hasPrefix("env."), arguments.isEmpty {
      return dynamic(
        "processEnv", String(name.dropFirst(4)), at: range, place: place, offset: offset)
    }
    if let input = InputReference(name: name, arguments: arguments) {
      return resolve(input, at: range, place: place, offset: offset)
    }
    if name == "xpath" || name.hasPrefix("xpath:") {
      return xpath(String(name.dropFirst("xpath:".count)), arguments, at: range, offset: offset)
    }
    if name == "placeholder" {
      return .unresolved(.placeholder)
    }
    guard let variable = DynamicVariables.named(name) else {
      let known = DynamicVariables.all.map { "$" + $0.name }
      return .unresolved(
        .unresolvedVariable(
          name: "$" + name, suggestion: Suggestion.nearest(to: "$" + name, among: known)))
    }
    var arguments = arguments
    let readsEnvironment = name == "processEnv" || name == "dotenv"
    if readsEnvironment {
      let named = environmentName(arguments, at: offset)
      arguments = named.name
      if name == "processEnv", let kind = withheld(named.name, namedIn: named.path) {
        return .unresolved(kind)
      }
    }
    let parsed = DynamicArguments(text: arguments)
    guard let value = variable.value(parsed, context, scope.dialect) else {
      if name == "dotenv", parsed.words.count == 1 {
        return missingDotEnv(arguments, range, offset)
      }
      if name == "mock", parsed.text.isEmpty { return .unresolved(Evaluator.noMock) }
      return .unresolved(.dynamicArguments(name: name, expected: variable.signature))
    }
    if name == "processEnv", value.isEmpty { checkProcessVariable(arguments, at: range) }
    let isSecret = readsEnvironment && VariableDefinition.nameIsSecret(arguments)
    return .value(.string(shown(value, isSecret: isSecret)))
  }

  /// Said where `{{$mock}}` is read and no mock runs.
  private static let noMock = EvaluationProblem.Kind.unsupported(
    "No mock runs here. In an editor, use \"Start the mock of this folder\"; on the command line, "
      + "run `postkit mock` and write the address that it prints.")
}
