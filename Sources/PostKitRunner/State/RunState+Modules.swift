// Files that scripts read: modules and data, inside of the folder only (SC-14, SC-59).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitSyntax

extension RunState {
  /// The text of a script's file; the failure says where it was looked for.
  mutating func scriptText(
    _ script: PlannedScript, _ caller: ScriptCaller, _ services: RunServices
  ) -> Result<ScriptText, ScriptError> {
    let block = script.block
    if let text = script.syntax.text {
      let range = block.absolute(text)
      var written = String(decoding: block.bytes[range], as: UTF8.self)
      if let language = script.syntax.language {
        // The words `lang=…` are no JavaScript; blanks keep the columns right.
        let count = language.upperBound - text.lowerBound
        written = String(repeating: " ", count: count) + written.dropFirst(count)
      }
      return .success(ScriptText(written, at: scriptPlace(script.file, at: range.lowerBound)))
    }
    let written = block.absolute(script.syntax.path ?? script.syntax.range)
    let place = RequestPlace(file: script.file, block: script.block.index)
    let (path, _) = evaluate(place, services) { evaluator, block in
      evaluator.text(written, block)
    }
    let standing = scriptPlace(script.file, at: written.lowerBound)
    func failure(_ message: String) -> Result<ScriptText, ScriptError> {
      .failure(ScriptError(name: "", message: message, place: standing))
    }
    guard let found = workspace(of: place).resolve(path) else {
      return failure("The script `\(path)` does not exist. Correct its path.")
    }
    switch input.workspace.scriptContent(found) {
    case .bytes(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      return .success(ScriptText(text, at: ScriptPlace(file: found, line: 1, column: 1)))
    case .missing: return failure("The script `\(path)` does not exist. Correct its path.")
    case .unreadable(let why): return failure("The script `\(path)` can't be read: \(why)")
    case .outside(let why): return failure("The script `\(path)` is not run: \(why)")
    }
  }

  /// What `require` and `import` mean by a name.
  mutating func module(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let id = call.argument(0).string else { return .failure("the module must be a string") }
    let from = call.argument(1).string ?? path(ofScriptFile: caller.file)
    let folder = from.hasSuffix("/") ? String(from.dropLast()) : FilePath.parent(from)
    let workspace = input.workspace
    let modules = ScriptModules(root: workspace.root, read: workspace.scriptContent)
    guard let found = modules.find(id, folder) else {
      return .error(
        name: "Error", message: "Cannot find module '\(id)' from '\(folder)'",
        code: "MODULE_NOT_FOUND")
    }
    switch found {
    case .refused(let why): return .error(name: "Error", message: why)
    case .module(let path, let bytes):
      scripts.modules[path] = bytes.count
      if let why = ScriptModules.excess(scripts.modules, adding: path) {
        scripts.modules[path] = nil
        return .error(name: "Error", message: why)
      }
      var blobs: [[UInt8]] = []
      let text = ScriptBlobs.reference(to: bytes, in: &blobs)
      let kind: JSONValue = path.hasSuffix(".json") ? "json" : "script"
      return .value(
        .object([
          JSONMember("path", .string(path)), JSONMember("text", text), JSONMember("kind", kind),
        ]), blobs)
    }
  }

  /// Bytes, facts or names of a file or folder that a script reads.
  func file(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let written = call.argument(0).string else {
      return .failure("the path must be a string")
    }
    let folder = FilePath.parent(path(ofScriptFile: caller.file))
    let path = FilePath.normalise(written.hasPrefix("/") ? written : folder + "/" + written)
    guard input.workspace.holds(path) else {
      return .error(
        name: "Error",
        message: "EACCES: \(written) lies outside of \(input.workspace.root), "
          + "where scripts read nothing", code: "EACCES")
    }
    switch call.argument(1).string {
    case "stat":
      guard FileSystem.exists(path) else { return .value(.null) }
      // A folder has no size that means anything.
      let size = (try? FileSystem.size(path)) ?? 0
      return .value(
        .object([
          JSONMember("size", .int(size)),
          JSONMember("isFile", .bool(FileSystem.isRegularFile(path))),
          JSONMember("isDirectory", .bool(FileSystem.isDirectory(path))),
        ]))
    case "list":
      // The script learns that there is no such folder.
      guard let names = try? FileSystem.list(path) else {
        return .error(
          name: "Error", message: "ENOENT: no such folder: \(written)", code: "ENOENT")
      }
      return .value(.array(names.sorted().map(JSONValue.string)))
    default:
      switch input.workspace.scriptContent(path) {
      case .bytes(let bytes): return .blob(bytes)
      case .missing:
        return .error(
          name: "Error", message: "ENOENT: no such file: \(written)", code: "ENOENT")
      case .unreadable(let why), .outside(let why):
        return .error(name: "Error", message: "EACCES: \(written): \(why)", code: "EACCES")
      }
    }
  }
}
