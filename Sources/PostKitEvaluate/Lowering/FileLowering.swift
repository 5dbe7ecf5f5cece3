// Many blocks of one file lowered one after the other.

package import PostKitSyntax

/// Lowers the blocks of one file, each as if it were alone. What an evaluator holds takes longer to
/// copy than most blocks take to lower, so that it is made once.
package struct FileLowering {
  private var work: BlockLowering

  /// Is going to lower blocks as an evaluator that has seen nothing yet sees them; any of them will
  /// do to begin with.
  package init(_ block: ParsedBlock, evaluator: consuming Evaluator, defaults: RequestDefaults) {
    work = BlockLowering(block: block, evaluator: evaluator, defaults: defaults)
  }

  /// Lowers one block; it must have a request.
  package mutating func lower(_ block: ParsedBlock) -> LoweredRequest {
    work.begin(block)
    let spec = work.run()
    return work.result(spec)
  }
}

extension BlockLowering {
  /// Begins anew, with another block.
  mutating func begin(_ block: ParsedBlock) {
    self.block = block
    signature = nil
    fragmentTexts = [:]
    evaluator.beginBlock()
    settings = RequestSettings(block, defaults: defaults.options, evaluator: &evaluator)
  }
}
