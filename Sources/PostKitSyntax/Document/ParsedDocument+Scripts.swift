// The scripts of a file that concern all of its requests (SC-25, SC-26).

extension ParsedDocument {
  /// Whether a script or an expression stands anywhere in the file.
  package var hasScripts: Bool { blocks.hasAny([.scripts, .expressions]) }

  /// Whether the file has a `={% %}` block.
  package var hasScriptImports: Bool { scriptImports != nil }

  /// The file's first `={% %}` block.
  package var scriptImports: (block: ParsedBlock, script: ScriptSyntax)? {
    guard blocks.hasAny(.scripts) else { return nil }
    for block in blocks.having(.scripts) {
      if let script = block.scripts.first(where: { $0.kind == .imports }) {
        return (block, script)
      }
    }
    return nil
  }
}

extension ParsedBlock {
  /// Whether a script is one in Lua: by its own word, the tag before it, its first line, or the
  /// name of its file (PK-28).
  package func isLua(_ script: ScriptSyntax) -> Bool {
    if let path = script.path { return text(path).lowercased().hasSuffix(".lua") }
    if let language = script.language { return text(language).lowercased() == "lua" }
    let tag = metadata.last {
      $0.kind == .scriptLanguage && $0.line.upperBound <= script.range.lowerBound
    }
    if let tag { return text(tag.value).lowercased() == "lua" }
    return script.text.map { ScriptNames.isLua(slice($0)) } ?? false
  }
}
