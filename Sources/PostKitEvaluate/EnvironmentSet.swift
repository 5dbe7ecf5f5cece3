// Environments: the files of all tools merged into one table of definitions (PK-47 to PK-51).

import PostKitJSON

/// A file that defines environments, with the tool's form it has.
package struct EnvironmentSource: Sendable, Hashable {
  /// The forms of environment files.
  package enum Kind: Sendable, Hashable {
    /// `.env`.
    case dotEnv
    /// `.env.NAME` or `NAME.env`.
    case namedDotEnv(String)
    /// `.vscode/settings.json`.
    case editorSettings
    /// `.httpyac.json`.
    case httpyacConfiguration
    /// `http-client.env.json`.
    case publicFile
    /// `http-client.env.json.user`.
    case userFile
    /// `http-client.private.env.json`.
    case privateFile
  }
  package var kind: Kind
  package var file: SourceFile

  /// Makes a source.
  package init(kind: Kind, file: SourceFile) {
    self.kind = kind
    self.file = file
  }
}

/// All environments that are in force for one request file.
package struct EnvironmentSet: Sendable {
  /// The names of the environments that can be chosen, in the order in which they were found.
  package private(set) var names: [String] = []
  /// The environment in force; `nil` for none.
  package let active: String?
  /// Files that could not be read as what they are.
  package private(set) var problems: [EvaluationProblem] = []
  /// The winning definition of each name.
  package private(set) var definitions: [String: VariableDefinition] = [:]
  /// The definitions that others cover, nearest first.
  package private(set) var shadowed: [String: [VariableDefinition]] = [:]

  /// Members that are never variables (PK-50).
  private static let reserved: Set<String> = [
    "$schema", "$default_headers", "$kulalaDefaultHeaders", "SSLConfiguration", "Security",
  ]
  private static let sharedNames = ["$shared", "$kulalaShared"]

  /// Merges sources, which come root first and nearest last (PK-47).
  package init(sources: [EnvironmentSource], active: String?) {
    self.active = active
    let parsed = sources.map { ParsedSource($0) }
    for source in parsed {
      if let problem = source.problem { problems.append(problem) }
      for name in source.environmentNames where !names.contains(name) { names.append(name) }
    }
    for step in Step.allCases {
      for source in parsed { merge(step, source) }
    }
  }

  /// Whether an environment of that name exists.
  package func contains(_ name: String) -> Bool { names.contains(name) }

  /// The layers of PK-48, the lowest first.
  private enum Step: CaseIterable {
    case dotEnv, settingsShared, settings, shared, publicFile, namedDotEnv, userFile, privateFile
  }

  private mutating func merge(_ step: Step, _ source: ParsedSource) {
    let kind = source.source.kind
    switch (step, kind) {
    case (.dotEnv, .dotEnv):
      addDotEnv(source)
    case (.namedDotEnv, .namedDotEnv(let name)) where name == active:
      addDotEnv(source)
    case (.settingsShared, .editorSettings), (.settingsShared, .httpyacConfiguration):
      addMembers(source, EnvironmentSet.sharedNames, .shared)
      if active == nil { addMembers(source, ["$default"], .shared) }
    case (.settings, .editorSettings), (.settings, .httpyacConfiguration):
      addMembers(source, [active].compactMap { $0 }, .editorSettings)
    case (.shared, .publicFile), (.shared, .userFile), (.shared, .privateFile):
      let isPrivate = kind == .privateFile
      addMembers(
        source, EnvironmentSet.sharedNames, isPrivate ? .privateEnvironment : .shared)
      if active == nil {
        addMembers(source, ["$default"], isPrivate ? .privateEnvironment : .shared)
      }
    case (.publicFile, .publicFile):
      addMembers(source, [active].compactMap { $0 }, .publicEnvironment)
    case (.userFile, .userFile):
      addMembers(source, [active].compactMap { $0 }, .userEnvironment)
    case (.privateFile, .privateFile):
      addMembers(source, [active].compactMap { $0 }, .privateEnvironment)
    default:
      break
    }
  }

  private mutating func addDotEnv(_ source: ParsedSource) {
    for entry in source.entries {
      let origin = VariableOrigin(
        layer: .dotEnv, path: source.source.file.path, range: entry.range, line: entry.line)
      add(
        VariableDefinition(
          name: entry.key, value: .string(entry.value), origin: origin,
          isSecret: VariableDefinition.nameIsSecret(entry.key)))
    }
  }

  private mutating func addMembers(
    _ source: ParsedSource, _ environments: [String], _ layer: VariableOrigin.Layer
  ) {
    for environment in environments {
      guard let object = source.environments?[environment], object.kind == .object else { continue }
      for (key, view) in object.members {
        guard let name = key.string, !EnvironmentSet.reserved.contains(name) else { continue }
        let origin = VariableOrigin(
          layer: layer, path: source.source.file.path, range: view.range,
          line: source.line(at: view.range.lowerBound),
          environment: EnvironmentSet.sharedNames.contains(environment) ? nil : environment)
        add(
          VariableDefinition(
            name: name, value: view.value, origin: origin, isSecret: layer == .privateEnvironment))
      }
    }
  }

  private mutating func add(_ definition: VariableDefinition) {
    var definition = definition
    if let below = definitions[definition.name] {
      definition.value = EnvironmentSet.merged(below.value, definition.value)
      definition.isSecret =
        definition.isSecret || isObjectMerge(below.value, definition) && below.isSecret
      shadowed[definition.name, default: []].insert(below, at: 0)
    }
    definitions[definition.name] = definition
  }

  private func isObjectMerge(_ below: JSONValue, _ above: VariableDefinition) -> Bool {
    if case .object = below, case .object = above.value { true } else { false }
  }

  /// Objects merge member by member, anything else is replaced (PK-48).
  private static func merged(_ below: JSONValue, _ above: JSONValue) -> JSONValue {
    guard case .object(var members) = below, case .object(let newer) = above else { return above }
    for member in newer {
      if let index = members.firstIndex(where: { $0.key == member.key }) {
        members[index].value = merged(members[index].value, member.value)
      } else {
        members.append(member)
      }
    }
    return .object(members)
  }
}

/// A source with its text parsed.
private struct ParsedSource {
  let source: EnvironmentSource
  var entries: [DotEnvEntry] = []
  /// The object whose members are environments.
  var environments: JSONView?
  var problem: EvaluationProblem?

  init(_ source: EnvironmentSource) {
    self.source = source
    switch source.kind {
    case .dotEnv, .namedDotEnv:
      entries = DotEnv.entries(source.file.bytes)
    default:
      parse()
    }
  }

  private mutating func parse() {
    do throws(JSONSyntaxError) {
      let options = JSONParsingOptions(allowsComments: true)
      let root = try JSONTree(parsing: source.file.bytes, options: options).root
      switch source.kind {
      case .editorSettings:
        environments = root["rest-client.environmentVariables"]
      case .httpyacConfiguration:
        environments = root["environments"]
      default:
        environments = root
      }
    } catch {
      problem = EvaluationProblem(
        .environmentFileBroken(
          path: source.file.path, line: line(at: error.offset), explanation: error.explanation),
        range: error.offset..<error.offset, severity: .warning, path: source.file.path)
    }
  }

  /// The environments that a person can choose in this file.
  var environmentNames: [String] {
    if case .namedDotEnv(let name) = source.kind { return [name] }
    guard let environments else { return [] }
    return environments.members.compactMap { member in
      guard let name = member.key.string, !name.hasPrefix("$"), member.value.kind == .object else {
        return nil
      }
      return name
    }
  }

  func line(at offset: Int) -> Int {
    1 + source.file.bytes.prefix(offset).reduce(0) { $1 == 0x0A ? $0 + 1 : $0 }
  }
}
