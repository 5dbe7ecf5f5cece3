// The variables that the scripts of a file set: names without a value of their own, as scripts are
// read here and not run.

/// The variables that scripts set, each with the first block whose script sets it.
package final class ScriptVariables: BlockSummary {
  /// The number of the block by the name of the variable.
  package let blocks: [String: Int]

  init(_ blocks: BlockList) {
    var found: [String: Int] = [:]
    for block in blocks.having(.scripts) {
      for name in block.namesSetByScripts where found[name] == nil { found[name] = block.index }
    }
    self.blocks = found
  }
}

extension BlockList {
  /// Whether the scripts of these blocks are those of others, which share so many trees with them
  /// at both ends.
  func hasSameScripts(as new: BlockList, from front: Int, back: Int) -> Bool {
    count == new.count
      && (front..<count - back).allSatisfy { index in
        if !has(.scripts, at: index), !new.has(.scripts, at: index) { return true }
        return self[index].scriptTexts == new[index].scriptTexts
      }
  }
}

extension ParsedBlock {
  fileprivate var scriptTexts: [ArraySlice<UInt8>] {
    syntax.scripts.compactMap { $0.text.map(slice) }
  }

  /// The variables that the scripts in the block set.
  fileprivate var namesSetByScripts: [String] {
    scriptTexts.flatMap { text in
      ScriptNames.names(in: text, isLua: ScriptNames.isLua(text)).lazy
        .filter { $0.role == .globalVariable || $0.role == .variable }.map(\.name)
    }
  }
}
