// The names of GraphQL fragments: where they stand, and how they are renamed. A query has its own
// fragments to itself; those before requests are the file's.

import PostKitDescription
import PostKitEvaluate
import PostKitSyntax
package import PostKitText

/// The places of one fragment's name in a file.
package struct FragmentUses: Sendable {
  /// The name.
  package let name: String
  /// The bytes at which the caret was.
  package let place: Range<Int>
  /// The bytes where it is defined.
  package fileprivate(set) var definitions: [Range<Int>] = []
  /// The bytes where it is spread.
  package fileprivate(set) var spreads: [Range<Int>] = []
  /// Names that are taken where it is known.
  fileprivate var taken: Set<String> = []
  /// Whether its text or a text that uses it is in a file of its own.
  fileprivate var isInFile = false

  fileprivate init(name: String, place: Range<Int>) { (self.name, self.place) = (name, place) }

  /// All places in the order of the file.
  package var highlights: [NameHighlight] {
    (definitions.map { NameHighlight(range: $0, kind: .write) }
      + spreads.map { NameHighlight(range: $0, kind: .read) })
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The edits that give it another name.
  package func renamed(to newName: String) throws(RenameRefusal) -> [TextEdit] {
    guard GraphQLFragmentNames.isName(newName) else {
      throw RenameRefusal(
        "`\(newName)` can't be the name of a fragment. Use letters, digits and `_`, and not `on`.")
    }
    if newName != name, taken.contains(newName) {
      throw RenameRefusal("There is a fragment `\(newName)` already. Choose another name.")
    }
    if isInFile {
      throw RenameRefusal(
        "A file that is sent with a query has `\(name)` in it, too. Rename it there and here by "
          + "hand.")
    }
    if definitions.isEmpty {
      throw RenameRefusal("There is no fragment `\(name)`. Define it, or correct the name here.")
    }
    return highlights.map { TextEdit($0.range, newName) }
  }
}

extension Analysis {
  /// The places of the fragment whose name stands at an offset; `nil` for anything else.
  package func fragment(at offset: Int) -> FragmentUses? {
    guard let (owner, parts) = graphQL(at: offset, .written) else { return nil }
    let start = parts.query.lowerBound
    let own = GraphQLFragmentNames(parts.text)
    guard let name = own.name(at: offset - start) else { return nil }
    let places = (own.definitions[name] ?? []) + (own.spreads[name] ?? [])
    let place = places.first { $0.contains(offset - start) || $0.upperBound == offset - start }
    guard let place else { return nil }
    var uses = FragmentUses(name: name, place: place.moved(by: start))
    let isOfFile = owner.syntax.fragments.contains { owner.absolute($0.range) == parts.query }
    if !isOfFile, own.definitions[name] != nil {
      uses.add(own, parts)
      uses.taken.formUnion(document.names.fragments.keys)
      return uses
    }
    for block in document.blocks where block.hasFragments || block.mayBeGraphQL {
      for fragment in block.syntax.fragments {
        uses.taken.insert(block.text(fragment.name))
        guard fragment.path != nil, block.text(fragment.name) == name else { continue }
        uses.definitions.append(block.absolute(fragment.name))
        uses.isInFile = true
      }
      for parts in fragmentParts(of: block, .written) {
        uses.add(GraphQLFragmentNames(parts.text), parts)
      }
      guard let parts = graphQLParts(of: block, .written) else { continue }
      let names = GraphQLFragmentNames(parts.text)
      // Of two the query's own counts there.
      if names.definitions[name] == nil { uses.add(names, parts) }
    }
    return uses
  }
}

extension FragmentUses {
  /// Adds the places of a text.
  fileprivate mutating func add(_ names: GraphQLFragmentNames, _ parts: GraphQLParts) {
    let start = parts.query.lowerBound
    definitions += (names.definitions[name] ?? []).map { $0.moved(by: start) }
    spreads += (names.spreads[name] ?? []).map { $0.moved(by: start) }
    taken.formUnion(names.definitions.keys)
    guard parts.included > 0 else { return }
    let included = GraphQLFragmentNames(Array(parts.added.prefix(parts.included)))
    taken.formUnion(included.definitions.keys)
    isInFile = isInFile || included.spreads[name] != nil || included.definitions[name] != nil
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}
