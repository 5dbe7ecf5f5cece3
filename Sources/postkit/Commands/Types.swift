// `postkit types`: what scripts can use, for editors that read TypeScript (SC-71).

import PostKitHTTP
import PostKitLanguage
import PostKitSupport

extension Command {
  /// Writes the types of what scripts can use.
  static let types = Command(
    name: .types, operands: "[DIR]",
    summary: "Writes postkit.d.ts, by which editors complete and check scripts in .js files.",
    options: []
  ) { invocation throws(Arguments.Problem) in
    let folders = invocation.arguments.positional
    guard folders.count < 2 else { throw Arguments.Problem(message: "name one folder") }
    let (console, folder) = (invocation.console, FileSystem.absolute(folders.first ?? "."))
    guard FileSystem.isDirectory(folder) else {
      console.complain("\(folder) is not a folder. Make it, or name another.")
      return 2
    }
    let path = FilePath.join(folder, ScriptTypes.fileName)
    do throws(FileFailure) {
      try FileSystem.writeAtomically(
        Array(ScriptTypes.text.utf8), to: path, mode: FileSystem.mode(path) ?? 0o644)
    } catch {
      console.complain("\(error)")
      return 5
    }
    console.writeShown(Array((path + "\n").utf8))
    console.note("For jsconfig.json in this folder, so that scripts beside requests see it:")
    console.line(ScriptTypes.settings)
    return 0
  }
}
