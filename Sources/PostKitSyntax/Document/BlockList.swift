// The blocks of a file, kept as places of a few bytes: most of them are handed from one version of
// the file to the next at each stroke of a key.

/// Where a block stands, and where its tree is.
struct BlockPlace: Sendable {
  /// The block's bytes in the file.
  @Compact var range: Range<Int>
  /// The storage of the tree, by its number in the list.
  var storage: UInt32
  /// The tree's place there.
  var slot: UInt32
  /// What the block is looked for by.
  var traits: BlockTraits
}

/// The blocks of a file in order.
package struct BlockList: RandomAccessCollection, Sendable {
  private let bytes: [UInt8]
  /// Where the blocks and their trees are.
  let places: [BlockPlace]
  /// What the places speak of.
  let storages: [SyntaxStorage]
  /// What any of the blocks is looked for by.
  private let traits: BlockTraits

  /// Makes the list of a file's blocks, and lets go of storages of which it has none.
  init(_ bytes: [UInt8], _ places: [BlockPlace], storages: [SyntaxStorage]) {
    self.bytes = bytes
    traits = places.withUnsafeBufferPointer { places in
      places.reduce(into: []) { $0.formUnion($1.traits) }
    }
    if storages.count == 1 {
      self.places = places
      self.storages = storages
      return
    }
    var isUsed = storages.map { _ in false }
    for place in places { isUsed[Int(place.storage)] = true }
    var used: [SyntaxStorage] = []
    let numbers = storages.indices.map { number in
      if isUsed[number] { used.append(storages[number]) }
      return UInt32(truncatingIfNeeded: used.count - 1)
    }
    var places = places
    if used.count < storages.count {
      for index in places.indices { places[index].storage = numbers[Int(places[index].storage)] }
    }
    self.places = places
    self.storages = used
  }

  /// Whether most of what the storages hold is still used, or little is held at all; else so many
  /// blocks are gone that to parse the file anew takes no longer than it took to write them.
  var isWorthKeeping: Bool {
    storages.reduce(0) { $0 + $1.textCount } <= 4 * bytes.count + 65_536
  }

  /// The trees of the blocks.
  package var trees: BlockTrees { BlockTrees(places: places, storages: storages) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  /// A block by its number.
  package subscript(index: Int) -> ParsedBlock {
    let place = places[index]
    return ParsedBlock(
      bytes: bytes, index: index, range: place.range,
      syntax: BlockSyntax(storage: storages[Int(place.storage)], slot: Int(place.slot)))
  }
}

/// The trees of a file's blocks in order, to be compared with those of another version of the file
/// when that is gone: they don't keep its text.
package struct BlockTrees: Sendable {
  fileprivate let places: [BlockPlace]
  fileprivate let storages: [SyntaxStorage]

  /// How many trees there are.
  package var count: Int { places.count }

  /// How many trees are the same at the front, and behind those at the back.
  package func equalEnds(with other: BlockTrees) -> (front: Int, back: Int) {
    let most = min(places.count, other.places.count)
    // Objects are not touched, so that nothing is counted for each block.
    let mine = storages.map { ObjectIdentifier($0) }
    let its = other.storages.map { ObjectIdentifier($0) }
    return places.withUnsafeBufferPointer { left in
      other.places.withUnsafeBufferPointer { right in
        func isSame(_ one: BlockPlace, _ two: BlockPlace) -> Bool {
          one.slot == two.slot && mine[Int(one.storage)] == its[Int(two.storage)]
        }
        var front = 0
        while front < most, isSame(left[front], right[front]) { front += 1 }
        var back = 0
        while back < most - front,
          isSame(left[left.count - 1 - back], right[right.count - 1 - back])
        {
          back += 1
        }
        return (front, back)
      }
    }
  }
}

extension BlockList {
  /// The blocks that have one of the traits, in order.
  package func having(_ traits: BlockTraits) -> [ParsedBlock] {
    guard hasAny(traits) else { return [] }
    return places.withUnsafeBufferPointer { places in
      places.indices.filter { !places[$0].traits.isDisjoint(with: traits) }
    }.map { self[$0] }
  }

  /// Whether the block of a number has one of the traits.
  package func has(_ traits: BlockTraits, at index: Int) -> Bool {
    !places[index].traits.isDisjoint(with: traits)
  }

  /// Whether a block has one of the traits.
  package func hasAny(_ traits: BlockTraits) -> Bool { !self.traits.isDisjoint(with: traits) }
}
