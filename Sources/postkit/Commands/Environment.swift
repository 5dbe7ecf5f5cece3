// `postkit env`: which values are in force, and where they come from.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSupport

extension Command {
  /// Lists environments and their variables.
  static let environment = Command(
    name: .environment, operands: "FILE [--env NAME] [--json]",
    summary: "Lists the environments of a file and their variables.",
    options: [
      Option(
        names: ["--env", "-e"], value: "NAME", help: "list only this environment",
        isRepeatable: true),
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
    let file: RequestFile
    switch RequestFile.read(path, invocation) {
    case .success(let read): file = read
    case .failure(let failure):
      console.complain(failure.message)
      return 2
    }
    let dialect = file.dialect
    let set = { file.workspace.environments(active: $0, dialect) }
    let asked = invocation.arguments.environment
    let chosen = asked ?? file.settings[.environment]
    var names: [String?] = []
    do {
      let base = set(chosen)
      for problem in base.problems {
        console.note("postkit: warning: \(problem.message(on: .commandLine))")
      }
      if let asked, let missing = base.missing(in: asked) {
        let problem = EvaluationProblem(
          .environmentNotFound(name: missing, known: base.names), range: 0..<0)
        console.complain(problem.message)
        return 2
      }
      names = base.names
    }
    if names.isEmpty || chosen == nil { names.insert(nil, at: 0) }
    if let asked { names = [asked] }
    // One after another: each keeps what was read for it, and files can be large.
    if invocation.arguments.has("--json") {
      console.line(JSONValue.array(names.map { json($0, set($0), isActive: $0 == chosen) }))
    } else {
      for name in names { show(name, set(name), isActive: name == chosen) }
      showOwn(file, path, environment: chosen)
    }
    return 0
  }

  private func json(_ name: String?, _ set: EnvironmentSet, isActive: Bool) -> JSONValue {
    let variables = set.definitions.values.sorted { $0.name < $1.name }.map { variable in
      JSONValue.object([
        JSONMember("name", .string(variable.name)),
        JSONMember("value", variable.isSecret ? .null : .string(variable.shownText)),
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
    console.line((name.map(Display.line) ?? "(no environment)") + (isActive ? "  (active)" : ""))
    for variable in set.definitions.values.sorted(by: { $0.name < $1.name }) {
      show(variable, variable.name)
    }
    for header in set.defaultHeaders { show(header, header.name + ":") }
    if set.definitions.isEmpty { console.line("  no variables") }
  }

  /// Names what the file defines itself, whose values stand there.
  private func showOwn(_ file: RequestFile, _ path: String, environment: String?) {
    let scope = file.workspace.scope(
      of: file.document, environment: environment, dialect: file.dialect)
    let own = scope.definitions(at: .max).filter { $0.origin.layer == .file }
    if own.isEmpty { return }
    let names = own.sorted { ($0.origin.line, $0.name) < ($1.origin.line, $1.name) }.map {
      "\(Display.line($0.name)) (line \($0.origin.line))"
    }
    let rank = file.dialect.precedence == .fileFirst ? "above" : "below"
    invocation.console.line(
      "\(Display.line(path)) itself, \(rank) every environment: \(names.joined(separator: ", "))")
  }

  private func show(_ variable: VariableDefinition, _ name: String) {
    let text = Display.line(variable.shownText)
    let value = variable.isSecret ? SecretMask.text : text
    let place = "\(Display.line(variable.origin.path)):\(variable.origin.line)"
    let shown = Display.fitted(Display.line(name), 20)
    invocation.console.line("  \(shown)  \(Display.fitted(value, 32))  \(place)")
  }
}
