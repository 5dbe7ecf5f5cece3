// Keeps what was found in the GraphQL of a file, so that a keystroke costs one block.

package import PostKitSyntax

/// What was found in the GraphQL of the blocks of a file at the last look.
package struct GraphQLFindings: Sendable {
  private var trees: BlockTrees?
  private var fragments: [String] = []
  private var known = KnownFindings(count: 0)
  /// The blocks of this look that depend on files, which may change or are still being read.
  private var passing: [Int] = []
  /// What it depends on beside the blocks: by the schema that a tag names, "" for none.
  private var revisions: [String: String] = [:]

  /// Nothing was looked at yet.
  package init() {}

  /// The paths of the schemas that tags of known blocks name; "" for what counts without one.
  package var tags: [String] { Array(revisions.keys) }

  /// Keeps what is known of blocks that are as they were, and answers which are to be looked at.
  /// `now` has what they depend on, as far as it was known.
  package mutating func begin(_ document: ParsedDocument, _ now: [String: String]) -> [Int] {
    let blocks = document.blocks
    let names = document.names.fragments.keys.sorted()
    let isSame = revisions == now && names == fragments
    if let trees, isSame {
      let (front, back) = trees.equalEnds(with: blocks.trees)
      // What the first block names counts for all.
      let isFirst = front > 0 || blocks.isEmpty
      if isFirst || document.schemaTag(of: nil) == nil && revisions.keys.allSatisfy(\.isEmpty) {
        known.keepEnds(front: front, back: back, of: blocks.count)
      } else {
        known = KnownFindings(count: blocks.count)
      }
    } else {
      known = KnownFindings(count: blocks.count)
      revisions = [:]
    }
    (trees, fragments) = (blocks.trees, names)
    return blocks.indices.filter { !known.isClean($0) && known[$0] == nil }
  }

  /// Notes what blocks with a tag depend on.
  package mutating func note(_ revision: String, of tag: String?) {
    revisions[tag ?? ""] = revision
  }

  /// Keeps what was found in a block; only for this look where its schema is still being read.
  package mutating func keep(
    _ found: [Diagnostic], of block: ParsedBlock, isFinal: Bool = true
  ) {
    let start = block.range.lowerBound
    known[block.index] = BlockFindings(
      diagnostics: found.map { $0.moved(by: -start) }, names: [])
    if block.dependsOnFiles || !isFinal { passing.append(block.index) }
  }

  /// All that is known, in order. What is only for this look is forgotten then.
  package mutating func take(_ document: ParsedDocument) -> [Diagnostic] {
    var all: [Diagnostic] = []
    for index in document.blocks.indices where !known.isClean(index) {
      guard let found = known[index] else { continue }
      let block = document.blocks[index]
      all += found.diagnostics.map { $0.moved(by: block.range.lowerBound) }
    }
    for index in passing { known[index] = nil }
    passing = []
    return all
  }
}
