// The variables that the scripts of a file set: names without a value of their own, as scripts are
// read here and not run.

/// The variables that scripts set, each with the first block whose script sets it.
package final class ScriptVariables: BlockSummary {
  /// The number of the block by the name of the variable.
  package let blocks: [String: Int]
  /// The first block with a script that sets a variable whose name it puts together, so that it may
  /// be any; `nil` where there is none.
  package let openBlock: Int?

  init(_ blocks: BlockList) {
    var found: [String: Int] = [:]
    var open: Int?
    for block in blocks.having(.scripts) {
      for name in block.namesInScripts {
        switch name.role {
        case .globalVariable, .variable:
          if found[name.name] == nil { found[name.name] = block.index }
        case .openVariable: open = open ?? block.index
        case .globalReference, .reference, .environmentReference, .call, .word, .open: break
        }
      }
    }
    self.blocks = found
    openBlock = open
  }

  /// Whether both know the same.
  package func isSame(as other: ScriptVariables?) -> Bool {
    self === other || blocks == other?.blocks && openBlock == other?.openBlock
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

  /// The names in the scripts of the block.
  fileprivate var namesInScripts: [ScriptName] {
    scriptTexts.flatMap { ScriptNames.names(in: $0, isLua: ScriptNames.isLua($0)) }
  }
}
