// GraphQL fragments as httpYac has them: before requests, and sent with each query that uses them.

import PostKitSyntax

/// A fragment of the file as it is sent.
struct FragmentText {
  let text: [UInt8]
  /// The names of the fragments that it uses.
  let used: Set<String>
}

extension BlockLowering {
  /// The fragments of the file that a query uses and does not define, and those that these use,
  /// each on lines of its own.
  mutating func fragments(usedBy query: [UInt8], _ body: BodySyntax?) -> [UInt8] {
    let places = evaluator.scope.document.names.fragments
    if places.isEmpty { return [] }
    var result: [UInt8] = []
    var (waiting, known) = GraphQLDocument.fragments(query)
    let uses = body.map(uses) ?? [:]
    while !waiting.isEmpty {
      let found = waiting.compactMap { known.insert($0).inserted ? places[$0] : nil }
      waiting = []
      for fragment in texts(of: found, uses) {
        result += fragment.text
        waiting.formUnion(fragment.used)
      }
    }
    return result
  }

  /// The fragments of the file that a text, to which those that it uses belong, does not have.
  mutating func fragments(beside text: [UInt8]) -> [UInt8] {
    let places = evaluator.scope.document.names.fragments
    if places.isEmpty { return [] }
    let known = GraphQLDocument.fragments(text).defined
    return texts(of: places.filter { !known.contains($0.key) }.map(\.value), [:]).flatMap(\.text)
  }

  private mutating func texts(
    of places: [(block: Int, index: Int)], _ uses: [[UInt8]: Range<Int>]
  ) -> [FragmentText] {
    let document = evaluator.scope.document
    var result: [FragmentText] = []
    for place in places.sorted(by: { ($0.block, $0.index) < ($1.block, $1.index) }) {
      let owner = document.blocks[place.block]
      let fragment = owner.syntax.fragments[place.index]
      let name = owner.text(fragment.name)
      if let known = fragmentTexts[name] {
        result.append(known)
        continue
      }
      let text: [UInt8] = [10] + self.text(of: fragment, in: owner, uses)
      let made = FragmentText(text: text, used: GraphQLDocument.fragments(text).used)
      fragmentTexts[name] = made
      result.append(made)
    }
    return result
  }

  /// The text of a fragment; what is wrong with it is told where it is used.
  private mutating func text(
    of fragment: FragmentSyntax, in owner: ParsedBlock, _ uses: [[UInt8]: Range<Int>]
  ) -> [UInt8] {
    let use = uses[Array(owner.slice(fragment.name))] ?? block.requestLine
    let range = owner.absolute(fragment.path ?? fragment.range)
    let bytes = evaluator.expand(
      owner.bytes, in: range, reportedAt: use, place: fragment.path == nil ? .body : .path,
      offset: range.lowerBound)
    if fragment.path != nil { return included(bytes, reportedAt: use) }
    return bytes.filter { $0 != 13 }
  }

  /// Where a body uses fragments, the first place of each. One that is used by way of others has
  /// none: what is wrong with it is told at the request line.
  private func uses(in body: BodySyntax) -> [[UInt8]: Range<Int>] {
    let text = Array(block.slice(body.range))
    let start = block.absolute(body.range).lowerBound
    func isName(_ byte: UInt8) -> Bool { byte > 32 && !"{}()@.,:\"#".utf8.contains(byte) }
    var result: [[UInt8]: Range<Int>] = [:]
    var at = 0
    while at + 3 <= text.count {
      guard text[at] == UInt8(ascii: "."), text[at + 1] == text[at], text[at + 2] == text[at] else {
        at += 1
        continue
      }
      let name = text[(at + 3)...].prefix(while: isName)
      if result[Array(name)] == nil { result[Array(name)] = start + at..<start + name.endIndex }
      at = name.endIndex
    }
    return result
  }
}
