// Constructs of values: definitions, references and dynamic variables.

import PostKitSyntax

extension Construct {
  /// Definitions and references.
  static let values: [Construct] = definitions + references + dynamicVariables

  private static let definitions: [Construct] = [
    definition(
      "A definition with `:=`", .unknown([.restclient, .jetbrains, .kulala, .plain])
    ) { _, variable in variable.isLazy },
    definition(
      "A definition after the request",
      .differs([.restclient, .jetbrains, .kulala, .plain], "reads the line as text of the body")
    ) { _, variable in variable.isAfterResponse },
    definition(
      "A definition with `@global.`", .unknown([.restclient, .jetbrains, .kulala, .plain])
    ) { _, variable in variable.isGlobal },
    definition("A definition without a value", .unknown([.httpyac, .restnvim])) { _, variable in
      variable.value.isEmpty
    },
    definition(
      "A value in quotes", .differs(.httpyac, "leaves out the first quote")
    ) { block, variable in
      let value = block.slice(variable.value)
      return value.count > 1 && value.first == value.last && "\"'".utf8.contains(value.first ?? 0)
    },
    definition(
      "A value with a backslash", .differs(.restclient, "reads it as the start of an escape")
    ) { block, variable in block.slice(variable.value).contains(92) },
  ]

  private static func definition(
    _ name: String, _ reading: Reading,
    _ isWanted: @escaping @Sendable (ParsedBlock, VariableSyntax) -> Bool
  ) -> Construct {
    Construct(name, reading) { block in
      block.syntax.variables.filter { $0.form == .text && isWanted(block, $0) }.map(\.line)
    }
  }

  private static let references: [Construct] = [
    reference(
      "A percent-encoded reference", .unknown([.jetbrains, .httpyac, .kulala, .plain])
    ) { $0.isPercentEncoded },
    reference(
      "A JavaScript expression", .unknown([.restclient, .jetbrains, .kulala, .plain])
    ) { if case .script = $0.expression { true } else { false } },
    reference(
      "A reference to another request", .unknown([.jetbrains, .httpyac, .restnvim])
    ) {
      guard case .path(_, let rest) = $0.expression else { return false }
      return rest.hasPrefix(".response.") || rest.hasPrefix(".request.")
    },
    reference("An XPath", .unknown([.jetbrains, .httpyac, .restnvim])) {
      guard case .path(_, let rest) = $0.expression else { return false }
      return rest.contains(".body./")
    },
    reference("A cookie of a response", .unknown([.restclient, .jetbrains, .httpyac, .plain])) {
      guard case .path(_, let rest) = $0.expression else { return false }
      return rest.hasPrefix(".response.cookies")
    },
    reference("`$random`", .unknown([.restclient, .plain])) {
      if case .dynamic(let name, _) = $0.expression { name.hasPrefix("random.") } else { false }
    },
    reference("`$env`", .unknown([.restclient, .httpyac, .plain])) {
      if case .dynamic(let name, _) = $0.expression { name.hasPrefix("env.") } else { false }
    },
  ]

  private static func reference(
    _ name: String, _ reading: Reading,
    _ isWanted: @escaping @Sendable (ReferenceSyntax) -> Bool
  ) -> Construct {
    Construct(name, reading) { block in block.syntax.references.filter(isWanted).map(\.range) }
  }

  private static let dynamicVariables: [Construct] =
    dynamic(["guid"], .unknown([.jetbrains, .kulala, .restnvim]))
    + dynamic(["uuid"], .unknown([.restclient, .visualstudio]))
    + dynamic(["isoTimestamp"], .unknown([.restclient, .plain]))
    + dynamic(
      ["datetime", "localDatetime", "processEnv"], .unknown([.jetbrains, .kulala, .restnvim]))
    + dynamic(["dotenv"], .unknown([.jetbrains, .kulala]))
    + dynamic(["date"], .unknown([.restclient, .jetbrains, .httpyac, .visualstudio]))
    + dynamic(
      ["input", "prompt", "password", "pick", "xpath"],
      .unknown([.restclient, .jetbrains, .kulala, .plain]))
    + dynamic(["projectRoot", "historyFolder"], .unknown([.restclient, .httpyac, .kulala, .plain]))
    + dynamic(["exampleServer", "mock"], .unknown(.all, "does not know it; it is PostKit's own"))
    + dynamic(
      ["randomInt", "timestamp"], .unknown([.jetbrains, .kulala, .restnvim]), withArguments: true)
    + dynamic(["randomInt"], .unknown(.restclient, "needs its two bounds"), withArguments: false)
    + dynamic(["timestamp"], .differs(.httpyac, "counts milliseconds"), withArguments: false)

  /// Dynamic variables; with arguments, without, or either way.
  private static func dynamic(
    _ names: [String], _ reading: Reading, withArguments: Bool? = nil
  ) -> [Construct] {
    let suffix = withArguments.map { $0 ? " with arguments" : " without arguments" } ?? ""
    return names.map { wanted in
      reference("`$\(wanted)`\(suffix)", reading) {
        guard case .dynamic(wanted, let arguments) = $0.expression else { return false }
        return withArguments.map { $0 != arguments.isEmpty } ?? true
      }
    }
  }
}
