// The scripts in files of their own: their texts, and which of them others name.

package import PostKitEvaluate
import PostKitSupport
package import PostKitSyntax

/// A script in a file of its own.
package struct ScriptFile: Sendable {
  /// The absolute path.
  package let path: String
  package let bytes: [UInt8]
  /// Whether other scripts require or import it; else it is run as a whole.
  package let isModule: Bool

  /// Makes one of a text.
  package init(path: String, bytes: [UInt8], isModule: Bool) {
    (self.path, self.bytes, self.isModule) = (path, bytes, isModule)
  }

  /// Whether a path is that of a script, by its ending.
  package static func isNamedSo(_ path: String) -> Bool {
    ["js", "mjs", "cjs"].contains(FilePath.fileExtension(path).lowercased())
  }
}

extension Workspace {
  /// How many script files of a document are looked at.
  private static let mostScriptFiles = 200

  /// The content of a file inside of the root, as the editor has it; trust doesn't matter here.
  package func scriptContent(_ path: String) -> FileContent {
    var workspace = self
    let refusal = "it lies outside of \(root), where scripts read nothing"
    workspace.outsideRefusal = refusal
    guard workspace.holds(path) else { return .outside(refusal) }
    if let open = workspace.unsavedBytes(path) { return .bytes(open) }
    return workspace.content(path)
  }

  /// The script files of those names, and those that they name, each once. What can't be read, and
  /// packages of others, are left out.
  package func scriptFiles(named names: [ScriptFileName]) -> [ScriptFile] {
    if names.isEmpty { return [] }
    let modules = ScriptModules(root: root, read: scriptContent)
    var seen: Set<String> = []
    var files: [ScriptFile] = []
    var waiting = names.map { ($0, folder) }[...]
    while let (name, folder) = waiting.popFirst(), files.count < Self.mostScriptFiles {
      guard let found = file(name, in: folder, modules), seen.insert(found.path).inserted else {
        continue
      }
      files.append(found)
      let own = ScriptTokens(found.bytes[...]).moduleFiles
      waiting += own.map { ($0, FilePath.parent(found.path)) }
    }
    return files
  }

  private func file(
    _ name: ScriptFileName, in folder: String, _ modules: ScriptModules
  ) -> ScriptFile? {
    if name.isModule {
      guard case .module(let path, let bytes)? = modules.find(name.text, folder),
        !path.hasSuffix(".json")
      else { return nil }
      return ScriptFile(path: path, bytes: bytes, isModule: true)
    }
    guard let path = resolve(name.text).map(FilePath.normalise),
      case .bytes(let bytes) = scriptContent(path)
    else { return nil }
    return ScriptFile(path: path, bytes: bytes, isModule: false)
  }
}
