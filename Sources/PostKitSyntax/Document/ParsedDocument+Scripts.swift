// The scripts of a file that concern all of its requests (SC-25, SC-26).

extension ParsedDocument {
  /// Whether a script or an expression stands anywhere in the file.
  package var hasScripts: Bool { blocks.hasAny([.scripts, .expressions]) }

  /// Whether the file has a `={% %}` block.
  package var hasScriptImports: Bool { blocks.hasAny(.scriptImports) }
}

extension ParsedBlock {
  /// Whether a script is one in Lua: by its own word, the tag before it, its first line, or the
  /// name of its file (PK-28).
  package func isLua(_ script: ScriptSyntax) -> Bool {
    if let path = script.path { return text(path).lowercased().hasSuffix(".lua") }
    if let language = script.language { return text(language).lowercased() == "lua" }
    if let tag = script.tag { return text(tag).lowercased() == "lua" }
    return script.text.map { ScriptNames.isLua(slice($0)) } ?? false
  }

  /// The files that the block runs as scripts, but for those whose paths have references.
  package var scriptFiles: [ScriptFileName] {
    scripts.compactMap { script in
      guard let path = script.path.map(text), !isLua(script), !path.contains("{{") else {
        return nil
      }
      return ScriptFileName(path, isModule: false)
    }
  }
}
