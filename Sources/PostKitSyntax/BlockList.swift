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
}

/// The blocks of a file in order.
package struct BlockList: RandomAccessCollection, Sendable {
  private let bytes: [UInt8]
  /// Where the blocks and their trees are.
  let places: [BlockPlace]
  /// What the places speak of.
  let storages: [SyntaxStorage]

  /// Makes the list of a file's blocks, and lets go of storages of which it has none.
  init(_ bytes: [UInt8], _ places: [BlockPlace], storages: [SyntaxStorage]) {
    self.bytes = bytes
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

  /// How many blocks of two lists share their trees at the front, and behind those at the back.
  package func equalEnds(with other: BlockList) -> (front: Int, back: Int) {
    let most = Swift.min(count, other.count)
    var front = 0
    while front < most, hasSameTree(front, as: other, at: front) { front += 1 }
    var back = 0
    while back < most - front,
      hasSameTree(count - 1 - back, as: other, at: other.count - 1 - back)
    {
      back += 1
    }
    return (front, back)
  }

  /// Whether a block has the very tree that a block of another list has.
  func hasSameTree(_ index: Int, as other: BlockList, at otherIndex: Int) -> Bool {
    let (mine, its) = (places[index], other.places[otherIndex])
    return mine.slot == its.slot
      && storages[Int(mine.storage)] === other.storages[Int(its.storage)]
  }

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
