// Modules as texts that can be read as scripts: what only modules may say is left out, and all else
// stays at its place, so that mistakes are found where they are.

import PostKitSyntax

extension ScriptTokens {
  /// The text with blanks in the place of `export`, and of lists of exports.
  package var withoutExports: String {
    var result = Array(bytes)
    func blank(_ range: Range<Int>) {
      for place in range where result[place] != 10 && result[place] != 13 { result[place] = 32 }
    }
    for index in tokens.indices where isWord(index, "export") {
      if isDot(index - 1) || isMark(index + 1, ":") { continue }
      let word = tokens[index].range
      if isWord(index + 1, "default") {
        // A function or class may lack a name there, as it may as a value.
        blank(word.lowerBound..<tokens[index + 1].range.upperBound)
        result.replaceSubrange(word.prefix(2), with: "_=".utf8)
      } else {
        blank(word.lowerBound..<tokens[lastOfList(index)].range.upperBound)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The last token of `export { … } from "…"` or `export * from "…"`; the first one of any other.
  private func lastOfList(_ index: Int) -> Int {
    var last: Int?
    if isMark(index + 1, "{") {
      last = closer(of: index + 1)
    } else if isMark(index + 1, "*") {
      last = isWord(index + 2, "as") ? index + 3 : index + 1
    }
    guard let last, tokens.indices.contains(last) else { return index }
    let hasOrigin = isWord(last + 1, "from") && tokens.indices.contains(last + 2)
    return hasOrigin ? last + 2 : last
  }
}
