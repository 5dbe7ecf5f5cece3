// What a block has of one kind of record, out of those of all blocks that were parsed with it.

/// Some records in order, counted from 0. Its steps are in line in other modules, too: to paint a
/// file is mostly to go through such lists. `@usableFromInline` shows them that it is a collection,
/// or they would ask a table for each step.
@usableFromInline package struct SyntaxList<Element: Sendable>: RandomAccessCollection, Sendable {
  @usableFromInline let all: [Element]
  @usableFromInline let start: UInt32
  @usableFromInline let end: UInt32

  /// The records of a range of a table.
  init(_ all: [Element], _ range: Range<UInt32>) {
    self.all = all
    start = range.lowerBound
    end = range.upperBound
  }

  /// Makes a list of its own.
  package init(_ records: some Sequence<Element>) {
    all = Array(records)
    start = 0
    end = UInt32(all.count)
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { Int(end - start) }

  // The library's own steps are generic and not in line here, which loops over a few records feel.

  /// The next place.
  @inlinable package func index(after place: Int) -> Int { place + 1 }
  /// The place before.
  @inlinable package func index(before place: Int) -> Int { place - 1 }
  /// A place some steps away.
  @inlinable package func index(_ place: Int, offsetBy distance: Int) -> Int { place + distance }
  /// The steps from one place to another.
  @inlinable package func distance(from start: Int, to end: Int) -> Int { end - start }

  /// A record by its number.
  @inlinable package subscript(place: Int) -> Element {
    precondition(place >= 0 && place < endIndex, "\(place) of \(endIndex)")
    return all[Int(start) + place]
  }
}

extension SyntaxList: ExpressibleByArrayLiteral {
  /// Makes a list of its own.
  @usableFromInline package init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension SyntaxList: Equatable where Element: Equatable {
  @usableFromInline package static func == (left: Self, right: Self) -> Bool {
    left.elementsEqual(right)
  }
}

extension SyntaxList: Hashable where Element: Hashable {
  @usableFromInline package func hash(into hasher: inout Hasher) {
    for element in self { hasher.combine(element) }
  }
}
