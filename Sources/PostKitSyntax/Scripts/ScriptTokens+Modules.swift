// The modules and files that scripts name.

/// A script in a file of its own, as another text names it.
package struct ScriptFileName: Sendable, Hashable {
  /// The path or the name as it is written.
  package let text: String
  /// Whether another script requires or imports it; else it is run as a whole.
  package let isModule: Bool

  /// Makes a name.
  package init(_ text: String, isModule: Bool) { (self.text, self.isModule) = (text, isModule) }
}

extension ScriptTokens {
  /// Whether a token is the name in `require("name")`, `from "name"` or `import "name"`.
  package func isModuleName(_ index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens[index].isPlain else { return false }
    if isWord(index - 1, "from") || isWord(index - 1, "import") { return true }
    return isMark(index - 1, "(") && isWord(index - 2, "require") && !isDot(index - 3)
      && isMark(index + 1, ")")
  }

  /// The files that the script requires or imports by their paths.
  package var moduleFiles: [ScriptFileName] {
    tokens.indices.compactMap { index in
      guard isModuleName(index) else { return nil }
      let name = text(tokens[index].inside)
      let isPath = ["./", "../", "/"].contains { name.hasPrefix($0) }
      return isPath ? ScriptFileName(name, isModule: true) : nil
    }
  }
}
