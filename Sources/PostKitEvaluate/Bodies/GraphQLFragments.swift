// GraphQL fragments as httpYac has them: before requests, and sent with each query that uses them.

import PostKitSyntax

extension BlockLowering {
  /// The fragments of the file that a query uses and does not define, and those that these use,
  /// each on lines of its own.
  mutating func fragments(usedBy query: [UInt8], _ body: BodySyntax) -> [UInt8] {
    let document = evaluator.scope.document
    let places = document.names.fragments
    if places.isEmpty { return [] }
    var result: [UInt8] = []
    var (waiting, known) = GraphQLDocument.fragments(query)
    waiting.formIntersection(places.keys)
    while !waiting.isEmpty {
      let found = waiting.subtracting(known).compactMap { places[$0] }
      known.formUnion(waiting)
      waiting = []
      for place in found.sorted(by: { ($0.block, $0.index) < ($1.block, $1.index) }) {
        let owner = document.blocks[place.block]
        let text = text(of: owner.syntax.fragments[place.index], in: owner, body)
        result += [10] + text
        waiting.formUnion(GraphQLDocument.fragments(text).used)
      }
      waiting.formIntersection(places.keys)
    }
    return result
  }

  /// The text of a fragment; what is wrong with it is told where it is used.
  private mutating func text(
    of fragment: FragmentSyntax, in owner: ParsedBlock, _ body: BodySyntax
  ) -> [UInt8] {
    let use = use(of: owner.slice(fragment.name), in: body)
    let range = owner.absolute(fragment.path ?? fragment.range)
    let bytes = evaluator.expand(
      owner.bytes, in: range, reportedAt: use, place: fragment.path == nil ? .body : .path,
      offset: range.lowerBound)
    if fragment.path != nil { return included(bytes, reportedAt: use) }
    return bytes.filter { $0 != 13 }
  }

  /// Where a body uses a fragment; the request line where it does so by way of others.
  private func use(of name: ArraySlice<UInt8>, in body: BodySyntax) -> Range<Int> {
    let text = Array(block.slice(body.range))
    let wanted = Array("...".utf8) + name
    let start = text.indices.first { text[$0...].starts(with: wanted) }
    guard let start else { return block.requestLine }
    let place = block.absolute(body.range).lowerBound + start
    return place..<place + wanted.count
  }
}
