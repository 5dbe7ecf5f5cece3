// Places of pieces that are joined, where there is nearly always one.

/// Ranges in order. One alone takes no memory of its own. `@usableFromInline` as `SyntaxList` is.
@usableFromInline package struct RangeList: RandomAccessCollection, Sendable, Hashable {
  private enum Storage: Sendable, Hashable {
    case one(Compact)
    /// None, or more than one.
    case many([Range<Int>])
  }
  private var storage: Storage

  /// No ranges.
  package init() { storage = .many([]) }

  /// One range.
  package init(_ range: Range<Int>) { storage = .one(Compact(wrappedValue: range)) }

  @usableFromInline package var startIndex: Int { 0 }

  @usableFromInline package var endIndex: Int {
    switch storage {
    case .one: 1
    case .many(let ranges): ranges.count
    }
  }

  /// A range by its number.
  @usableFromInline package subscript(place: Int) -> Range<Int> {
    switch storage {
    case .one(let range): range.wrappedValue
    case .many(let ranges): ranges[place]
    }
  }

  /// Adds a range at the end.
  mutating func append(_ range: Range<Int>) {
    switch storage {
    case .one(let first): storage = .many([first.wrappedValue, range])
    case .many(var ranges):
      if ranges.isEmpty { return self = RangeList(range) }
      // Held here alone, so that nothing is copied.
      storage = .many([])
      ranges.append(range)
      storage = .many(ranges)
    }
  }

  /// Takes empty ranges out.
  mutating func removeEmpty() {
    guard contains(where: \.isEmpty) else { return }
    let kept = filter { !$0.isEmpty }
    storage = .many(kept)
    if kept.count == 1 { self = RangeList(kept[0]) }
  }
}
