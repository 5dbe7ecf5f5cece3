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
