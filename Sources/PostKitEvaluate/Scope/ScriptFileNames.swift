// What scripts in files of their own set: `< ./login.js` and `> ./token.js`. The files are read
// only where a name has no other meaning.

package import PostKitSyntax

extension EvaluationContext {
  /// The names in a script of a block, which may be in a file of its own; none where that can't be
  /// read. A path in an imported file counts from that one first.
  package func scriptNames(
    _ script: ScriptSyntax, in block: ParsedBlock, importer: String? = nil
  ) -> [ScriptName] {
    if let text = script.text {
      return ScriptNames.names(in: block.slice(text), isLua: block.isLua(script))
    }
    guard let written = script.path.map({ block.text($0).withoutPathEscapes }),
      !written.contains("{{")
    else { return [] }
    var beside: String?
    if let importer, let slash = importer.lastIndex(of: "/"), !written.hasPrefix("/") {
      beside = resolvePath(importer[...slash] + written)
    }
    guard let path = beside ?? resolvePath(written) else { return [] }
    if let open = unsavedBytes(path) {
      return ScriptNames.names(in: open[...], isLua: block.isLua(script))
    }
    guard case .bytes(let bytes) = readFile(path) else { return [] }
    return ScriptNames.names(in: bytes[...], isLua: block.isLua(script))
  }
}

extension Evaluator {
  /// The problem that a name is one which a script sets; `nil` where none does. Scripts that put
  /// names together may set any.
  func setByScript(_ name: String, orWhole whole: String, called written: String)
    -> EvaluationProblem.Kind?
  {
    if let script = scope.scriptSetting(whole) ?? scope.scriptSetting(name) {
      return .setByScript(name: written, script: script)
    }
    let files = namesInScriptFiles
    func first(where isMeant: (ScriptName) -> Bool) -> String? {
      files.first { $0.names.contains(where: isMeant) }?.path
    }
    let setting = first {
      ($0.role == .variable || $0.role == .globalVariable)
        && ($0.name == whole || $0.name == name)
    }
    if let path = setting { return .setByScript(name: written, script: "The script `\(path)`") }
    let open = scope.scriptSettingAnyName
      ?? first { $0.role == .openVariable }.map { "The script `\($0)`" }
    return open.map { .setByScript(name: written, script: $0, isCertain: false) }
  }

  /// The names in the files with scripts that the file and those that it sees name.
  private var namesInScriptFiles: [(path: String, names: [ScriptName])] {
    ([scope.file] + scope.files.files[scope.file].visible).flatMap { index in
      let file = scope.files.files[index]
      let blocks = file.content.blocks
      guard blocks.hasAny(.scripts) else { return [(path: String, names: [ScriptName])]() }
      return blocks.having(.scripts).flatMap { block in
        block.scripts.compactMap { script in
          guard let path = script.path else { return nil }
          let importer = index == 0 ? nil : file.path
          return (block.text(path), context.scriptNames(script, in: block, importer: importer))
        }
      }
    }
  }
}
