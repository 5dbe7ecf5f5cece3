// The names of variables in scripts, which must be identifiers.

/// The name by which scripts know a variable.
package enum ScriptVariableName {
  /// A name as an identifier: `who-am-i` becomes `whoAmI`; empty where none can be made.
  package static func folded(_ name: String) -> String {
    var result = ""
    var isBehindGap = false
    for character in name {
      if character.isLetter || character.isNumber || character == "_" || character == "$" {
        if result.isEmpty, character.isNumber { return "" }
        result += isBehindGap && !result.isEmpty ? character.uppercased() : String(character)
        isBehindGap = false
      } else {
        isBehindGap = true
      }
    }
    return result
  }
}
