// What blocks are looked for by, and the names that references read exchanges by: kept over edits,
// and always those of a look at all trees.

import PostKitSyntax
import Testing

private let pieces = [
  "### a\n", "###\n", "# @name a\n", "# @ref a\n", "# @forceRef b\n", "# @import ./c.http\n",
  "# @loop 3\n", "import ./d.http\n", "run ./e.http\n", "run #a\n", "GET http://a.test/{{x}}\n",
  "X-A: {{a.response.body.$.t}}\n", "X-B: {{bResponse.status}}{{$xpath:c //t}}\n",
  "X-C: {{$xpath //t}}{{$uuid}}\n", "\n", "text\n", "?? status == 200\n",
  "# @kulala-expect-status-code 200\n", "@x = {{d.response.body.$}}\n", "{{", "}}",
]

/// The blocks that have a trait, found by a look at all of them.
private func blocks(_ document: ParsedDocument, where isMeant: (ParsedBlock) -> Bool) -> [Int] {
  document.blocks.filter(isMeant).map(\.index)
}

private func hasTag(_ block: ParsedBlock, _ key: String) -> Bool {
  block.metadata.contains { MetadataTag.folded(block.text($0.key)) == key && $0.region != .body }
}

struct BlockTraitsTests {
  @Test(arguments: 0..<10)
  func `Traits and names that outlived edits are those of the trees`(seed: Int) {
    var file = EditedDocument(pieces, seed: seed)
    var kept = 0
    for _ in 0..<80 {
      let before = file.document
      file.edit()
      let document = file.document
      if document.exchangeNames === before.exchangeNames { kept += 1 }
      let all = document.blocks
      #expect(
        all.having(.namesFiles).map(\.index)
          == blocks(document) { block in
            block.directives.contains { $0.kind != .runRequest } || hasTag(block, "import")
          })
      #expect(
        all.having(.namesRequests).map(\.index)
          == blocks(document) { $0.hasRuns || !$0.dependencyTags.isEmpty })
      #expect(
        all.having(.repeats).map(\.index) == blocks(document) { hasTag($0, "loop") })
      #expect(
        all.having(.checks).map(\.index)
          == blocks(document) {
            !$0.assertions.isEmpty || hasTag($0, "kulalaexpectstatuscode")
          })
      #expect(
        document.exchangeNames.names
          == Set(all.flatMap { $0.references.compactMap(\.expression.exchangeName) }).sorted())
      #expect(all.hasAny(.repeats) == !all.having(.repeats).isEmpty)
    }
    #expect(kept > 10)
  }
}
