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
    switch scriptFile(found) {
    case .bytes(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      return .success(ScriptText(text, at: ScriptPlace(file: found, line: 1, column: 1)))
    case .missing: return failure("The script `\(path)` does not exist. Correct its path.")
    case .unreadable(let why): return failure("The script `\(path)` can't be read: \(why)")
    case .outside(let why): return failure("The script `\(path)` is not run: \(why)")
    }
  }

  /// The content of a file inside of the folder, as the editor has it; trust doesn't matter here.
  private func scriptFile(_ path: String) -> FileContent {
    var workspace = input.workspace
    let refusal = "it lies outside of \(workspace.root), where scripts read nothing"
    workspace.outsideRefusal = refusal
    guard workspace.holds(path) else { return .outside(refusal) }
    if let open = workspace.unsavedBytes(path) { return .bytes(open) }
    return workspace.content(path)
  }

  /// What `require` and `import` mean by a name.
  mutating func module(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let id = call.argument(0).string else { return .failure("the module must be a string") }
    let from = call.argument(1).string ?? path(ofScriptFile: caller.file)
    let folder = from.hasSuffix("/") ? String(from.dropLast()) : FilePath.parent(from)
    let state = self
    let modules = ScriptModules(root: input.workspace.root, read: state.scriptFile)
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
      switch scriptFile(path) {
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

/// Finds the files of modules (SC-14).
struct ScriptModules {
  /// What a name comes to.
  enum Found {
    case module(path: String, bytes: [UInt8])
    case refused(String)
  }

  let root: String
  let read: (String) -> FileContent

  /// What the modules of a run may be at most (SC-15).
  private static let most = (count: 1_000, bytes: 8 << 20, bytesTogether: 32 << 20)

  /// Why a module is one too many, by the sizes of all that a run has with it.
  static func excess(_ sizes: [String: Int], adding path: String) -> String? {
    let size = sizes[path] ?? 0
    if size > most.bytes {
      return "'\(path)' has \(size) bytes, more than the \(most.bytes) that a module may have"
    }
    let remedy = "require fewer, or bundle what is used of them"
    if sizes.count > most.count {
      return "'\(path)' is one too many: scripts may have \(most.count) modules; \(remedy)"
    }
    guard sizes.values.reduce(0, +) > most.bytesTogether else { return nil }
    return "'\(path)' is too much: all modules of scripts may have \(most.bytesTogether) bytes; "
      + remedy
  }

  /// The module that a file in a folder means by a name.
  func find(_ id: String, _ folder: String) -> Found? {
    if id.hasSuffix(".node") { return .refused("'\(id)' is native code, which is not run") }
    if id.hasPrefix("./") || id.hasPrefix("../") || id == "." || id == ".." || id.hasPrefix("/") {
      return file(FilePath.normalise(id.hasPrefix("/") ? id : folder + "/" + id))
    }
    var folder = folder
    while true {
      if let found = package(id, in: folder + "/node_modules") { return found }
      if folder == root || folder.isEmpty || folder == "/" { return nil }
      folder = FilePath.parent(folder)
    }
  }

  /// A file by its path, with the endings and the index that Node tries.
  private func file(_ path: String) -> Found? {
    let endings = ["", ".js", ".mjs", ".cjs", ".json", "/index.js"]
    for ending in endings {
      switch read(path + ending) {
      case .bytes(let bytes): return .module(path: path + ending, bytes: bytes)
      case .outside(let why): return .refused("'\(path)' can't be required: \(why)")
      case .missing, .unreadable: continue
      }
    }
    return nil
  }

  /// A package by its name, or a file in it.
  private func package(_ id: String, in folder: String) -> Found? {
    let parts = id.split(separator: "/").map(String.init)
    let count = id.hasPrefix("@") ? 2 : 1
    guard parts.count >= count else { return nil }
    let home = folder + "/" + parts.prefix(count).joined(separator: "/")
    let rest = parts.dropFirst(count).joined(separator: "/")
    // A manifest that can't be read is as good as none.
    guard case .bytes(let bytes) = read(home + "/package.json"),
      let manifest = try? JSONTree(parsing: bytes).root.value
    else { return file(rest.isEmpty ? home : home + "/" + rest) }
    let key = rest.isEmpty ? "." : "./" + rest
    if let exports = manifest["exports"] {
      let entry = exports[key] ?? (rest.isEmpty ? exports : .null)
      if let target = ScriptModules.target(entry) {
        return file(FilePath.normalise(home + "/" + target))
      }
    }
    if !rest.isEmpty { return file(home + "/" + rest) }
    return manifest["main"]?.string.flatMap { file(FilePath.normalise(home + "/" + $0)) }
      ?? file(home + "/index")
  }

  /// The path of an entry of `exports`.
  private static func target(_ entry: JSONValue) -> String? {
    if case .string(let text) = entry { return text }
    guard case .object = entry else { return nil }
    for condition in ["require", "node", "default"] {
      if let found = entry[condition].flatMap(target) { return found }
    }
    return nil
  }
}
