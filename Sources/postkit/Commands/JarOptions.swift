// What the commands share that list what belongs to a workspace folder and an environment.

import PostKitHTTP
import PostKitJSON
import PostKitSupport

/// The options that choose a workspace folder and an environment.
enum JarOptions {
  /// The options, in the order of the help.
  static let all = [
    Option(
      names: ["--env", "-e"], value: "NAME",
      help: "those of this environment; '' for those of none"),
    Option(names: ["--folder"], value: "DIR", help: "those of this workspace folder"),
  ]

  /// The folder that a command line chooses.
  static func folder(_ arguments: Arguments) -> String? {
    arguments.value("--folder").map { FilePath.normalise(FileSystem.absolute($0)) }
  }

  /// What a list says of whose something is.
  static func title(_ owner: WorkspaceEnvironment) -> String {
    let folder = owner.folder.isEmpty ? "(no folder)" : Display.safe(owner.folder)
    return folder + (owner.environment.isEmpty ? "" : "  (\(Display.safe(owner.environment)))")
  }
}

extension Invocation {
  /// Prints rows as JSON where the command line asks for it, else a line each under the title of
  /// whose they are; `empty` where there are none.
  func list<Row>(
    _ rows: [Row], of owner: (Row) -> WorkspaceEnvironment, line: (Row) -> String,
    json: (Row) -> JSONValue, empty: @autoclosure () -> String
  ) {
    if arguments.has("--json") { return console.line(JSONValue.array(rows.map(json)).text) }
    if rows.isEmpty { return console.line(empty()) }
    var last: WorkspaceEnvironment?
    for row in rows {
      let now = owner(row)
      if now != last { console.line(JarOptions.title(now)) }
      last = now
      console.line("  " + line(row))
    }
  }
}
