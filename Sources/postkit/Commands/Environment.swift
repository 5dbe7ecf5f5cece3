// `postkit env`: which values are in force, and where they come from.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSupport

extension Command {
  /// Lists environments and their variables.
  static let environment = Command(
    name: "env", operands: "FILE [--env NAME] [--json]",
    summary: "Lists the environments of a file and their variables.",
    options: [
      Option(names: ["--env", "-e"], value: "NAME", help: "list only this environment"),
      Option(names: ["--json"], value: nil, help: "print JSON"),
    ]
  ) { invocation throws(Arguments.Problem) in
    guard invocation.arguments.positional.count == 1 else {
      throw Arguments.Problem(message: "name one request file")
    }
    return EnvironmentCommand(invocation: invocation)
      .run(path: invocation.arguments.positional[0])
  }
}

/// One call of `postkit env`.
struct EnvironmentCommand: Sendable {
  let invocation: Invocation

  /// Prints the environments around a file; 2 where the file or the environment is not there.
  func run(path: String) -> Int32 {
    let console = invocation.console
    do throws(FileFailure) { _ = try FileSystem.size(path) } catch {
      console.complain("\(error)")
      return 2
    }
    let workspace = Workspace(file: path)
    let settings = Settings.file(FilePath.join(workspace.root, "postkit.json")).settings
    let chosen = invocation.arguments.value("--env") ?? settings.environment
    let base = set(workspace, nil)
    for problem in base.problems { console.note("postkit: warning: \(problem.message)") }
    if let name = invocation.arguments.value("--env"), !base.contains(name),
      !set(workspace, name).contains(name)
    {
      let problem = EvaluationProblem(
        .environmentNotFound(name: name, known: base.names), range: 0..<0)
      console.complain(problem.message)
      return 2
    }
    var names: [String?] = base.names
    if names.isEmpty || chosen == nil { names.insert(nil, at: 0) }
    if let name = invocation.arguments.value("--env") { names = [name] }
    let sets = names.map { ($0, set(workspace, $0)) }
    if invocation.arguments.has("--json") {
      console.line(JSONValue.array(sets.map { json($0.0, $0.1, isActive: $0.0 == chosen) }).text)
    } else {
      for (name, set) in sets { show(name, set, isActive: name == chosen) }
    }
    return 0
  }

  private func set(_ workspace: Workspace, _ name: String?) -> EnvironmentSet {
    EnvironmentSet(sources: workspace.environmentSources(active: name), active: name)
  }

  private func json(_ name: String?, _ set: EnvironmentSet, isActive: Bool) -> JSONValue {
    let variables = set.definitions.values.sorted { $0.name < $1.name }.map { variable in
      JSONValue.object([
        JSONMember("name", .string(variable.name)),
        JSONMember("value", variable.isSecret ? .null : .string(variable.value.substitutionText)),
        JSONMember("masked", .bool(variable.isSecret)),
        JSONMember(
          "origin",
          ["file": .string(variable.origin.path), "line": .int(variable.origin.line)]),
      ])
    }
    return [
      "environment": .optional(name), "active": .bool(isActive), "variables": .array(variables),
    ]
  }

  private func show(_ name: String?, _ set: EnvironmentSet, isActive: Bool) {
    let console = invocation.console
    console.line((name ?? "(no environment)") + (isActive ? "  (active)" : ""))
    for variable in set.definitions.values.sorted(by: { $0.name < $1.name }) {
      let text = Display.safe(variable.value.substitutionText)
      let value = variable.isSecret ? SecretMask.text : text
      let place = "\(variable.origin.path):\(variable.origin.line)"
      let name = Display.fitted(Display.safe(variable.name), 20)
      console.line("  \(name)  \(Display.fitted(value, 32))  \(place)")
    }
    if set.definitions.isEmpty { console.line("  no variables") }
  }
}
